#version 330 core
// Markers as distance functions, anti-aliased. A filled mark has its stroke round it, so that the stroke eats nothing of
// small shapes; an empty one has it on its outline. A RING is always empty.
#include "shared/coverage.glsl"
noperspective in vec2 place;
noperspective in vec4 inner;
flat in vec4 outer;
flat in vec4 no_colour;
flat in vec3 measure;
out vec4 colour;

const int RING = 1, SQUARE = 2, DIAMOND = 3, TRIANGLE = 4, CROSS = 5, STAR = 6;

float box(vec2 p, vec2 half_size) {
    vec2 d = abs(p) - half_size;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}

// Points right: tip at the radius, back half a radius behind the centre and 1.4 radii wide, as an arrow's head.
float triangle(vec2 p, float r) {
    float side = dot(vec2(p.x - r, abs(p.y)), vec2(0.423, 0.906));
    return max(side, -p.x - 0.5 * r);
}

float cross_mark(vec2 p, float r, float arm) {
    vec2 q = vec2(p.x + p.y, p.y - p.x) * 0.70710678;
    return min(box(q, vec2(r, arm)), box(q, vec2(arm, r)));
}

// Five points, one up: the sector of a point folded onto one half of it, whose edge runs to the notch beside it.
float star(vec2 p, float r) {
    float turn = atan(p.x, -p.y), fifth = 1.25663706;
    float folded = abs(turn - fifth * floor(turn / fifth + 0.5));
    vec2 q = length(p) * vec2(cos(folded), sin(folded)), notch = 0.45 * r * vec2(0.80901699, 0.58778525);
    vec2 edge = normalize(notch - vec2(r, 0.0));
    return dot(q - vec2(r, 0.0), vec2(edge.y, -edge.x));
}

void main() {
    float r = measure.x, stroke_width = measure.y;
    int shape = int(measure.z + 0.5);
    float d = length(place) - r;
    if (shape == SQUARE) d = box(place, vec2(0.88 * r));
    if (shape == DIAMOND) d = (abs(place.x) + abs(place.y)) * 0.70710678 - 0.8 * r;
    if (shape == TRIANGLE) d = triangle(place, r);
    if (shape == STAR) d = star(place, r);
    if (shape == CROSS) d = cross_mark(place, r, max(0.2 * r, 0.7));
    bool stroked = stroke_width > 0.0;
    // A ring without a stroke of its own is drawn in its fill, a quarter of the radius wide.
    if (shape == RING && !stroked) d = abs(d + 0.125 * r) - 0.125 * r;
    bool empty = inner.a <= 0.0 || (shape == RING && stroked);
    float middle = empty ? 0.0 : 0.5 * stroke_width;
    float body = empty ? 0.0 : coverage(d);
    float rim = stroked ? coverage(abs(d - middle) - 0.5 * stroke_width) : 0.0;
    // Where they meet they share the pixel, so that nothing shines through between them.
    colour = premultiplied(inner, body) + premultiplied(outer, empty ? rim : min(rim, 1.0 - body)) + no_colour;
}
