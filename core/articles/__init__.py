"""The articles' mistakes, named as such: what a learner types in and then debugs.

Each variant answers its question as the article has it, with one mistake and no other, beside the right answer, and
brings scenes on which the two differ. The correct versions live in the algorithms' rooms; nothing there calls these.
"""

from __future__ import annotations

from .comparison import Answer, ArticleVariant, Comparison, compared, registry
from .engine_manual import ENGINE_MANUAL, planes_and_edges
from .motion_book import MOTION_BOOK
from .moving_box_plane import MOVING_BOX_PLANE
from .moving_boxes import MOVING_BOXES
from .moving_rounds import MOVING_ROUNDS
from .moving_sphere_box import MOVING_SPHERE_BOX
from .picking import PICKING, PickedPixel, pixel_ray
from .scaled_space import SCALED_SPACE
from .separating_axes import SEPARATING_AXES

__all__ = [
    "ARTICLE_VARIANTS",
    "MOTION_VARIANTS",
    "Answer",
    "ArticleVariant",
    "Comparison",
    "PickedPixel",
    "compared",
    "pixel_ray",
    "planes_and_edges",
]

ARTICLE_VARIANTS = registry(*SEPARATING_AXES, *MOTION_BOOK, *PICKING, *SCALED_SPACE, *ENGINE_MANUAL)
"""Every static mistake, in the order of the articles."""

MOTION_VARIANTS = registry(*MOVING_ROUNDS, *MOVING_BOX_PLANE, *MOVING_SPHERE_BOX, *MOVING_BOXES)
"""Every mistake about bodies in motion: their answers are times, and their scenes move."""
