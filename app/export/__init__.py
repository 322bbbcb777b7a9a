"""Pictures as vectors: what was placed on the screen, written as SVG or PDF. Pure: no GL, no scene, no camera.

Read in order: `operations` says what a picture is made of; `polygons` cuts and joins outlines, `shading` colours faces
as the shaders do, `solids` finds what hides what, `strokes` has lines, marks and labels, `picture` joins the panes;
`svg` and `pdf` write it with the letters of `fonts`.
"""
