// From pane pixels (top left origin, y down) to clip space. The viewport is the whole target; a pane lies at `origin`.
uniform vec2 target_size;
uniform vec2 origin;

vec4 clip_position(vec2 pixel, float depth) {
    vec2 unit = (pixel + origin) / target_size;
    return vec4(2.0 * unit.x - 1.0, 1.0 - 2.0 * unit.y, 2.0 * depth - 1.0, 1.0);
}

// Corner of a quad drawn as a strip of four: (0,0) (1,0) (0,1) (1,1).
vec2 strip_corner() {
    return vec2(gl_VertexID & 1, gl_VertexID >> 1);
}
