#version 330 core
// One triangle over everything.
void main() {
    vec2 corner = 2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
