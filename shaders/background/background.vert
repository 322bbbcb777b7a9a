#version 330 core
// The whole pane as a strip of two triangles. Software GL takes half the time for colours between corners that it takes
// for a mixture in each pixel.
#include "shared/pane.glsl"
uniform vec2 pane_size;
uniform vec4 top;
uniform vec4 bottom;
noperspective out vec4 shade;

void main() {
    vec2 corner = strip_corner();
    shade = mix(top, bottom, corner.y);
    gl_Position = clip_position(corner * pane_size, 0.0);
}
