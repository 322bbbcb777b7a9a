#version 330 core
noperspective in vec4 shaded;
noperspective in vec3 from_seams;
uniform float twice;  // 1: painted over itself once more
out vec4 colour;

const float SEAM = 0.6;  // share of another layer that is painted on a seam

void main() {
    // In a triangle thinner than the target's subpixels, what is interpolated may be no number: it would stay in the
    // picture whatever is painted over it.
    if (!(shaded.a >= 0.0 && shaded.a <= 1.001)) discard;
    float seam = clamp(1.0 - min(min(from_seams.x, from_seams.y), from_seams.z), 0.0, 1.0);
    vec4 painted = shaded * (1.0 + twice * (1.0 - shaded.a));
    colour = painted * (1.0 + SEAM * seam * (1.0 - painted.a));
}
