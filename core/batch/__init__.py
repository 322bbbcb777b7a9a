"""Separations, normals and witness points of many pairs at once: arrays of boxes, spheres and hulls, or bodies.

The conventions are those of `core` (A first, `normal` from A to B, `separation` positive apart). A kernel is the code
that answers arrays of one kind. It works on chunks of pairs, with one row for each coordinate. So memory is bounded,
and the cost of numpy's calls is paid once for each chunk. A kernel's precision is that of its arrays: the same code
gives the answers in single precision.
"""

from .answers import VERDICTS, Answers, Boxes, Hulls, PairError, Positive, Spheres
from .bodies import analyse_pairs

__all__ = ["VERDICTS", "Answers", "Boxes", "Hulls", "PairError", "Positive", "Spheres", "analyse_pairs"]
