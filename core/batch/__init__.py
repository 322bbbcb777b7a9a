"""Many pairs at once: arrays of boxes, spheres and hulls, or bodies, in; separations, normals and witnesses out.

Conventions as everywhere (A first, `normal` from A to B, `separation` positive apart); each kernel works on chunks of
pairs with one row per coordinate, so that memory stays bounded and numpy's calls are paid once a chunk. The kernels
take their precision from their arrays: the single-precision answers come from the same lines.
"""

from .answers import VERDICTS, Answers, Boxes, Hulls, PairError, Positive, Spheres
from .bodies import analyse_pairs

__all__ = ["VERDICTS", "Answers", "Boxes", "Hulls", "PairError", "Positive", "Spheres", "analyse_pairs"]
