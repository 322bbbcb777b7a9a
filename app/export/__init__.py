"""What leaves the program as a file: pictures as vectors, and films. Pure: no GL, no scene, no camera.

What was placed on the screen is written as SVG or PDF; read in order: `operations` says what a picture is made of;
`polygons` cuts and joins outlines, `shading` colours faces as the shaders do, `solids` finds what hides what, `strokes`
has lines, marks and labels, `picture` joins the panes; `svg` and `pdf` write it with the letters of `fonts`.
`film_file` makes films of pictures, with `ffmpeg` for MP4; `handout` a page of pictures and words, with `mathml`.
"""
