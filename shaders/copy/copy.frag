#version 330 core
// Pixel by pixel: source and destination have one size.
uniform sampler2D picture;
out vec4 colour;

void main() {
    colour = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
}
