#version 330 core
// One instance a glyph quad. Halos come before letters, so that no halo covers a neighbouring letter.
#include "shared/pane.glsl"
in vec4 place;    // left, top, width, height in pane pixels
in vec4 source;   // the same in atlas texels
in vec4 rgba;
in float channel; // 0 letter, 1 halo
uniform sampler2D atlas;
noperspective out vec2 texel;
flat out vec4 ink;
flat out vec2 pick;

void main() {
    vec2 corner = strip_corner();
    texel = (source.xy + corner * source.zw) / vec2(textureSize(atlas, 0));
    ink = rgba;
    pick = vec2(1.0 - channel, channel);
    gl_Position = clip_position(place.xy + corner * place.zw, 0.0);
}
