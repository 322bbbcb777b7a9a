#version 330 core
// One triangle over the whole pane; `height` runs from 0 at the pane's top to 1 at its bottom.
#include "shared/pane.glsl"
uniform vec2 pane_size;
noperspective out float height;

void main() {
    vec2 corner = 2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1);
    height = corner.y;
    gl_Position = clip_position(corner * pane_size, 0.0);
}
