#version 330 core
// The mean of a block of fine pixels, with straight alpha, as picture files want it.
uniform sampler2D picture;
const int BLOCK = 2;
out vec4 colour;

void main() {
    ivec2 corner = BLOCK * ivec2(gl_FragCoord.xy);
    vec4 sum = vec4(0.0);
    for (int row = 0; row < BLOCK; ++row) {
        for (int column = 0; column < BLOCK; ++column) {
            sum += texelFetch(picture, corner + ivec2(column, row), 0);
        }
    }
    vec4 mean = sum / float(BLOCK * BLOCK);
    colour = clamp(vec4(mean.a > 0.0 ? mean.rgb / mean.a : mean.rgb, mean.a), 0.0, 1.0);
}
