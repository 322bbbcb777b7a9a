#version 330 core
// Corners arrive projected. Light is worked out per corner: faces are flat and round bodies finely divided.
#include "shared/pane.glsl"
in vec3 corner;
in vec3 normal;
in vec4 rgba;
in vec3 seams;  // points from the three sides of the triangle, large for sides that are no seams
uniform float fade;
noperspective out vec4 shaded;  // corners arrive projected: nothing is left to divide by
noperspective out vec3 from_seams;
invariant gl_Position;

const vec3 KEY = vec3(-0.48, 0.62, 0.62);
const vec3 HALFWAY = vec3(-0.267, 0.344, 0.900);
const float FAINTEST = 0.03;  // opacity below which a face only comes or goes

// Shades stay round the body's own colour, so that it is recognised on dark, light and print alike.
vec3 studio_light(vec3 base, vec3 n) {
    float key = max(dot(n, KEY), 0.0);
    float sky = 0.5 + 0.5 * n.y;
    float shade = 0.60 + 0.38 * key + 0.14 * sky;
    float dim = min(shade, 1.0);
    float gleam = 0.16 * pow(max(dot(n, HALFWAY), 0.0), 24.0) + max(shade - 1.0, 0.0);
    // More than half of the shadow deepens the hue instead of greying it: shaded orange stays orange on white paper.
    vec3 deep = pow(base, vec3(1.0 / dim));
    return mix(mix(base * dim, deep, 0.6), vec3(1.0), gleam);
}

void main() {
    // A back face is seen from inside: its normal turns round, and it lies in shadow, fainter than the faces before it.
    bool inside = normal.z < 0.0;
    vec3 n = inside ? -normal : normal;
    vec3 lit = studio_light(rgba.rgb, n) * (inside ? 0.9 : 1.0);
    // Grazing faces of a translucent body hold more of its colour, as tinted glass does; one that fades holds less.
    float rim = 1.0 - n.z;
    float alpha = mix(rgba.a, 1.0, 0.22 * rim * rim) * min(rgba.a / FAINTEST, 1.0) * (inside ? 0.6 : 1.0) * fade;
    shaded = vec4(lit * alpha, alpha);
    from_seams = seams;
    gl_Position = clip_position(corner.xy, corner.z);
}
