#version 330 core
// Markers as distance functions: fill inside, stroke centred on the outline, both anti-aliased.
#include "shared/coverage.glsl"
in vec2 place;
flat in vec3 measure;
flat in vec4 inner;
flat in vec4 outer;
out vec4 colour;

const int RING = 1, SQUARE = 2, DIAMOND = 3, TRIANGLE = 4, CROSS = 5;

float box(vec2 p, vec2 half_size) {
    vec2 d = abs(p) - half_size;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}

// Points right, its tip at the radius; the back corners lie on the circle of 1.05 radii.
float triangle(vec2 p, float r) {
    float slope = dot(vec2(abs(p.y), p.x) - vec2(0.0, r), vec2(0.894, 0.447));
    return max(slope, -p.x - 0.7 * r);
}

float cross_mark(vec2 p, float r, float arm) {
    vec2 q = vec2(p.x + p.y, p.y - p.x) * 0.70710678;
    return min(box(q, vec2(r, arm)), box(q, vec2(arm, r)));
}

void main() {
    float r = measure.x, stroke_width = measure.y;
    int shape = int(measure.z + 0.5);
    float d = length(place) - r;
    if (shape == SQUARE) d = box(place, vec2(0.88 * r));
    if (shape == DIAMOND) d = (abs(place.x) + abs(place.y)) * 0.70710678 - 0.8 * r;
    if (shape == TRIANGLE) d = triangle(place, r);
    if (shape == CROSS) d = cross_mark(place, r, max(0.18 * r, 0.6));
    // A ring without a stroke of its own is drawn in its fill, a quarter of the radius wide.
    if (shape == RING && stroke_width <= 0.0) d = abs(d + 0.125 * r) - 0.125 * r;
    vec4 body = premultiplied(inner, shape == RING && stroke_width > 0.0 ? 0.0 : coverage(d));
    float line = stroke_width > 0.0 ? coverage(abs(d) - 0.5 * stroke_width) : 0.0;
    vec4 rim = premultiplied(outer, line);
    colour = rim + body * (1.0 - rim.a);
}
