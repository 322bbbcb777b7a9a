#version 330 core
// One instance a glyph quad. Halos come before letters, so that no halo covers a neighbouring letter.
#include "shared/pane.glsl"
in vec4 place;    // left, top, width, height in pane pixels
in vec4 source;   // the same in atlas texels
in vec4 rgba;
in float channel; // 0 letter, 1 halo
uniform sampler2D atlas;
noperspective out vec2 texel;
noperspective out vec4 ink;
flat out vec4 pick;
// Zeros: what is handed on is the same as of a line. For another selection software GL compiles another set-up of
// triangles, at every start, 4 ms each.
flat out vec4 no_colour;
flat out vec3 no_light;

void main() {
    vec2 corner = strip_corner();
    texel = (source.xy + corner * source.zw) / vec2(textureSize(atlas, 0));
    ink = rgba;
    // No compiler knows that none of these is negative.
    pick = vec4(1.0 - channel, channel, min(place.zw, 0.0));
    no_colour = min(rgba, 0.0);
    no_light = min(vec3(source.zw, channel), 0.0);
    gl_Position = clip_position(place.xy + corner * place.zw, 0.0);
}
