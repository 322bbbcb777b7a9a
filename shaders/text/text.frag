#version 330 core
#include "shared/coverage.glsl"
uniform sampler2D atlas;
noperspective in vec2 texel;
flat in vec4 ink;
flat in vec2 pick;
out vec4 colour;

void main() {
    colour = premultiplied(ink, dot(texture(atlas, texel).rg, pick));
}
