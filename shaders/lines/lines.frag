#version 330 core
#include "shared/coverage.glsl"
noperspective in vec2 place;
noperspective in vec4 rgba;
flat in vec4 shape;
flat in vec4 pattern;
flat in vec3 second;
out vec4 colour;

void main() {
    float u = place.x, v = abs(place.y), half_width = shape.x;
    // Free ends are cut square where the line ends; ends that another line goes on from are round, to close the joint.
    float past_end = max(-u, u - shape.y);
    float round_end = u < 0.5 * shape.y ? shape.z : shape.w;
    float t = mod(u + pattern.y, pattern.x);
    float past_dash = min(abs(t - pattern.z) - pattern.w, abs(t - second.x) - second.y);
    float dot_end = second.z;
    // Along the line: distance beyond rounded ends bends the outline, distance beyond square ones cuts it.
    float bend = max(max(past_end * round_end, past_dash * dot_end), 0.0);
    float body = coverage(sqrt(bend * bend + v * v) - half_width);
    float cut = max(past_end - 1e6 * round_end, past_dash - 1e6 * dot_end);
    colour = premultiplied(clamp(rgba, 0.0, 1.0), body * coverage(cut));
}
