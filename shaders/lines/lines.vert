#version 330 core
// A line of constant pixel width as a quad, one instance a line.
#include "shared/pane.glsl"
in vec2 start;
in vec2 end;
in vec4 start_rgba;
in vec4 end_rgba;
in float width;
in float phase;
in float dash;   // draw_list.Dash
in vec2 joined;  // 1 where another line goes on from this end
noperspective out vec2 place;             // pixels along from the start, and across
noperspective out vec4 rgba;
flat out vec4 shape;        // half width, length, round cap at start, at end
flat out vec4 pattern;      // period, offset, dash centre, dash half length
flat out vec3 second;       // second dash: centre, half length; round ends

const float ENDLESS = 1e9;

void set_pattern(float unit) {
    pattern = vec4(ENDLESS, 0.0, 0.0, ENDLESS);
    second = vec3(-ENDLESS, 0.0, 0.0);
    int kind = int(dash + 0.5);
    if (kind == 1) pattern = vec4(7.0, 1.5, 3.5, 2.0) * unit;
    if (kind == 2) {
        pattern = vec4(3.0, 1.0, 1.5, 0.0) * unit;
        second.z = 1.0;
    }
    if (kind == 3) {
        pattern = vec4(12.0, 1.25, 4.25, 3.0) * unit;
        second = vec3(10.25 * unit, 0.5 * unit, 0.0);
    }
    pattern.y += phase;
}

void main() {
    vec2 span = end - start;
    float reach = length(span);
    vec2 along = reach > 1e-6 ? span / reach : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    // Thinner than a pixel: one pixel wide and fainter.
    float drawn = max(width, 1.0);
    float half_width = 0.5 * drawn;
    float margin = half_width + 0.5;  // farther out the coverage of a pixel is none
    vec2 corner = strip_corner();
    float u = mix(-margin, reach + margin, corner.x);
    float v = mix(-margin, margin, corner.y);
    place = vec2(u, v);
    // Beyond the ends the colours run on, so that they are exact at the ends; a mere dot has the middle colour.
    rgba = mix(start_rgba, end_rgba, reach > 4.0 * half_width + 4.0 ? u / reach : 0.5);
    rgba.a *= min(width, 1.0);
    shape = vec4(half_width, reach, joined);
    set_pattern(drawn);
    gl_Position = clip_position(start + along * u + across * v, 0.0);
}
