"""The articles' mistakes, named as such: what a learner types in and then debugs.

Each variant answers its question as the article has it, with one mistake and no other, beside the right answer, and
brings scenes on which the two differ. The correct versions live in `core.algorithms`; nothing there calls these.
"""

from __future__ import annotations

from .comparison import Answer, ArticleVariant, Comparison, compared, registry
from .engine_manual import (
    ENGINE_MANUAL,
    planes_and_edges,
    v5_faces_only,
    v6_touching_edges_called_overlapping,
    v6_touching_faces_called_apart,
)
from .motion_book import (
    MOTION_BOOK,
    p3_zero_by_equality,
    p6_bounded_faces,
    p6_visibility_turned_round,
    p7_touching_called_disjoint,
    p7_unnormalised_axes_in_float32,
    p7_without_absolute_value,
)
from .moving_box_plane import MOVING_BOX_PLANE, p2_backwards, p2_without_initial_overlap, p2_without_zero_motion
from .moving_boxes import (
    MOVING_BOXES,
    p8_backwards,
    p8_disjoint_at_either_end,
    p8_without_absolute_value,
    p9_as_printed,
    p9_backwards,
    p9_divided_by_zero,
    p9_without_initial_overlap,
    p10_any_point_of_b,
)
from .moving_rounds import (
    MOVING_ROUNDS,
    p1_backwards,
    p1_without_initial_overlap,
    p1_without_zero_motion,
    p4_backwards,
    p4_sum_of_velocities,
    p4_without_initial_overlap,
    p4_without_zero_motion,
    p13_normal_like_a_point,
)
from .moving_sphere_box import (
    MOVING_SPHERE_BOX,
    p5_backwards,
    p5_contact_not_normalised,
    p5_corner_without_radius,
    p5_transposed_matrix,
    p5_without_initial_overlap,
    p5_without_zero_motion,
)
from .picking import (
    PICKING,
    PickedPixel,
    p11_symmetric_for_off_centre,
    p11_symmetric_for_orthographic,
    p11_symmetric_perspective,
    p12_box_as_printed,
    p12_box_not_unit,
    p12_box_one_axis,
    p12_box_skew,
    p12_box_turned_round,
    p12_capsule_same_parameter,
    p12_capsule_turned_round,
    p12_endless_line,
    p12_sphere_turned_round,
    pixel_ray,
)
from .scaled_space import SCALED_SPACE, p13_normal_scaled_like_a_point, p13_scaled_distance
from .separating_axes import (
    SEPARATING_AXES,
    s5_touching_called_apart,
    s6_depth_by_middle_ends,
    s6_normal_by_lowest_end,
    s6_search_from_10000,
)

ARTICLE_VARIANTS = registry(*SEPARATING_AXES, *MOTION_BOOK, *PICKING, *SCALED_SPACE, *ENGINE_MANUAL)
"""Every static mistake, in the order of the articles."""

MOTION_VARIANTS = registry(*MOVING_ROUNDS, *MOVING_BOX_PLANE, *MOVING_SPHERE_BOX, *MOVING_BOXES)
"""Every mistake about bodies in motion: their answers are times, and their scenes move."""

__all__ = [
    "ARTICLE_VARIANTS",
    "MOTION_VARIANTS",
    "Answer",
    "ArticleVariant",
    "Comparison",
    "PickedPixel",
    "compared",
    "p1_backwards",
    "p1_without_initial_overlap",
    "p1_without_zero_motion",
    "p2_backwards",
    "p2_without_initial_overlap",
    "p2_without_zero_motion",
    "p3_zero_by_equality",
    "p4_backwards",
    "p4_sum_of_velocities",
    "p4_without_initial_overlap",
    "p4_without_zero_motion",
    "p5_backwards",
    "p5_contact_not_normalised",
    "p5_corner_without_radius",
    "p5_transposed_matrix",
    "p5_without_initial_overlap",
    "p5_without_zero_motion",
    "p6_bounded_faces",
    "p6_visibility_turned_round",
    "p7_touching_called_disjoint",
    "p7_unnormalised_axes_in_float32",
    "p7_without_absolute_value",
    "p8_backwards",
    "p8_disjoint_at_either_end",
    "p8_without_absolute_value",
    "p9_as_printed",
    "p9_backwards",
    "p9_divided_by_zero",
    "p9_without_initial_overlap",
    "p10_any_point_of_b",
    "p11_symmetric_for_off_centre",
    "p11_symmetric_for_orthographic",
    "p11_symmetric_perspective",
    "p12_box_as_printed",
    "p12_box_not_unit",
    "p12_box_one_axis",
    "p12_box_skew",
    "p12_box_turned_round",
    "p12_capsule_same_parameter",
    "p12_capsule_turned_round",
    "p12_endless_line",
    "p12_sphere_turned_round",
    "p13_normal_like_a_point",
    "p13_normal_scaled_like_a_point",
    "p13_scaled_distance",
    "pixel_ray",
    "planes_and_edges",
    "registry",
    "s5_touching_called_apart",
    "s6_depth_by_middle_ends",
    "s6_normal_by_lowest_end",
    "s6_search_from_10000",
    "v5_faces_only",
    "v6_touching_edges_called_overlapping",
    "v6_touching_faces_called_apart",
]
