"""Makes exported files: vector pictures, films and handouts. No GL and no scene.

Modules in reading order, for pictures made of placed panes: `operations` are the parts of a picture. `polygons` cuts
and joins outlines, `shading` colours faces as the shaders do, and `solids` finds the faces that hide others. `strokes`
makes lines, marks and labels. `picture` joins the panes, and `extent` measures the ink of one. `svg` and `pdf` write a
picture with the letters of `fonts`; `tex` sets its texts in LaTeX. `film_file` makes films, with `ffmpeg` for MP4.
`bundle` puts files into a zip. `handout` makes a web page of pictures and words. `handout_transition` is the script
that changes one picture to the next, and `turning` the data of the script that turns pictures.
"""
