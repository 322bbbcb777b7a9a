// Share of a pixel inside a shape whose edge is `distance` pixels away (negative inside): a box filter one pixel wide.
float coverage(float distance) {
    return clamp(0.5 - distance, 0.0, 1.0);
}

// All output is premultiplied: one blend equation then serves opaque and transparent pictures alike.
vec4 premultiplied(vec4 straight, float share) {
    float alpha = straight.a * share;
    return vec4(straight.rgb * alpha, alpha);
}
