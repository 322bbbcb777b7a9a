"""MPR: Minkowski portal refinement, in space."""
