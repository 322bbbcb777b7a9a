"""Files that leave the program: vector pictures, films and handouts. Pure: no GL, no scene, no camera.

Placed panes are written as SVG or PDF. Read in order: `operations` are the parts of a picture; `polygons` cuts and
joins outlines, `shading` colours faces as the shaders do, `solids` finds which faces hide which, `strokes` has lines,
marks and labels, `picture` joins the panes; `svg` and `pdf` write it with the letters of `fonts`; `extent` measures it.
`film_file` makes films of pictures, with `ffmpeg` for MP4; `handout` makes a page of pictures and words, and `turning`
the data from which a script in that page draws them from other sides.
"""
