#version 330 core
in vec4 shaded;
uniform float twice;  // 1: painted over itself once more
uniform vec4 spared;  // left, bottom, right, top: pixels of the target that are left as they are
out vec4 colour;

void main() {
    bvec2 inside = bvec2(all(greaterThan(gl_FragCoord.xy, spared.xy)), all(lessThan(gl_FragCoord.xy, spared.zw)));
    colour = all(inside) ? vec4(0.0) : shaded * (1.0 + twice * (1.0 - shaded.a));
}
