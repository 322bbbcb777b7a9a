#version 330 core
in vec4 shaded;
out vec4 colour;

void main() {
    colour = shaded;
}
