#version 330 core
noperspective in vec4 shade;
out vec4 colour;

void main() {
    colour = shade;
}
