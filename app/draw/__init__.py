"""What a picture is made of before there is a pixel: draw list, camera, theme, text, layout and meshes. No GL."""
