#version 330 core
uniform vec4 top;
uniform vec4 bottom;
noperspective in float height;
out vec4 colour;

void main() {
    colour = mix(top, bottom, height);
}
