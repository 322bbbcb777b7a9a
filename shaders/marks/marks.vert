#version 330 core
#include "shared/pane.glsl"
in vec2 centre;
in float radius;
in float angle;
in float shape;         // draw_list.Marker
in float stroke_width;
in vec4 fill;
in vec4 stroke;
noperspective out vec2 place;         // pixels from the centre, in the mark's own frame
noperspective out vec4 inner;
flat out vec4 outer;
flat out vec4 no_colour;  // as in text.vert
flat out vec3 measure;    // radius, stroke width, shape

void main() {
    float reach = 1.3 * radius + stroke_width + 1.5;
    vec2 offset = (2.0 * strip_corner() - 1.0) * reach;
    float c = cos(angle), s = sin(angle);
    place = offset;
    measure = vec3(radius, stroke_width, shape);
    inner = fill;
    outer = stroke;
    no_colour = min(fill, 0.0);
    gl_Position = clip_position(centre + vec2(c * offset.x - s * offset.y, s * offset.x + c * offset.y), 0.0);
}
