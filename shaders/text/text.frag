#version 330 core
#include "shared/coverage.glsl"
uniform sampler2D atlas;
noperspective in vec2 texel;
noperspective in vec4 ink;
flat in vec4 pick;
flat in vec4 no_colour;
flat in vec3 no_light;
out vec4 colour;

void main() {
    colour = premultiplied(ink, dot(texture(atlas, texel), pick)) + no_colour + vec4(no_light, 0.0);
}
