"""The rows of the articles' mistaken versions that apply to the pair, without those about rays."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import numpy as np

from ....analysis.analysis import Analysis
from ....geometry.vector import angle, frozen
from ....query.query import Phase
from ....sat.sat import AxisKind
from ....scene import Body
from ....verdict import Sentence, Verdict
from ...articles import ARTICLE_VARIANTS, ArticleValue, ArticleVariant, Comparison
from ...articles import compared as in_either_order
from .row import FLOAT32, FLOAT64, LAST, AnswerRow, Reason, Reference

ABOUT_RAYS = ("P11", "P12")
"""The values of `ArticleVariant.system` of variants about a ray, not a pair."""

Needs = tuple[tuple[str, object], ...]

NEEDS: dict[str, Needs] = {
    "G4-touching-by-path": (("article", True),),
    "G4-perpendicular-by-third-point": (("article", True), ("third_point", True)),
    "G5-second-support": (("article", True),),
    "V5-faces-only": (("faces_only", True),),
}
"""By a variant's id: the settings under which the query has the variant's steps, as pairs of path and value."""

EDGE_WORK = 2_000_000
"""The most projections that the engine manual's variants may need: every vertex on the product of every two edges.

More take seconds.
"""


def article_rows(to: Reference) -> Iterator[AnswerRow]:
    """Yields one row for each mistaken version that applies to the pair, except for those about rays.

    The engine manual's versions are left out if they need more than EDGE_WORK projections.
    """
    scene = to.analysis.scene
    for variant in variants_about(to.analysis):
        if variant.system in ABOUT_RAYS or (variant.system[0] == "V" and _work(scene.a, scene.b) > EDGE_WORK):
            continue
        both = in_either_order(variant, scene)
        if both is not None:
            yield _row(to, variant, both)


def variants_about(analysis: Analysis) -> tuple[ArticleVariant, ...]:
    """Every variant about bodies at rest, and about rays, in the analysis's dimension."""
    if analysis.polygon is None:
        return ARTICLE_VARIANTS
    # Imported with the first 2D scene.
    from ...articles.plane import PLANAR_VARIANTS

    return PLANAR_VARIANTS


def _work(a: Body, b: Body) -> int:
    solids = (a.shape.polyhedron, b.shape.polyhedron)
    counts = [(0, 0) if solid is None else (len(solid.edges), len(solid.vertices)) for solid in solids]
    return counts[0][0] * counts[1][0] * (counts[0][1] + counts[1][1])


def _row(to: Reference, variant: ArticleVariant, compared: Comparison) -> AnswerRow:
    verdict, separation, normal, contacts = _said(compared.article)
    difference = None
    if separation is not None and isinstance(compared.right, float):
        difference = separation + compared.right
    phase, index = _place(to, variant)
    return AnswerRow(
        method=variant.title,
        precision=FLOAT32 if "float32" in variant.id else FLOAT64,
        reason=_reason(variant, compared),
        words=_words(to, variant, compared),
        verdict=verdict,
        separation=separation,
        normal=normal,
        contacts=contacts,
        difference=difference,
        turned=None if normal is None else angle(normal, to.analysis.normal),
        phase=phase,
        index=index,
        needs=_needs(variant, compared),
        article=variant.id,
    )


def _needs(variant: ArticleVariant, compared: Comparison) -> Needs:
    """The settings under which the query has the variant's steps and the mistake shows in them."""
    needs = NEEDS.get(variant.id, ())
    if variant.id != "G4-touching-by-path" or compared.agree:
        return needs
    from ...articles.plane import DIRECTIONS

    said = zip(str(compared.article).split(", "), str(compared.right).split(", "), strict=True)
    wrong = {one.split(" ")[0] for one, right in said if one != right}
    # The article's GJK starts with +y unless a first direction is set.
    if "+y" in wrong:
        return (*needs, ("gjk.first_direction", None))
    x, y = next(way for name, way in DIRECTIONS if name in wrong)
    return (*needs, ("gjk.first_direction", (x, y, 0.0)))


def _said(answer: ArticleValue) -> tuple[Verdict | None, float | None, np.ndarray | None, int | None]:
    """Returns an article's answer as verdict, separation, normal (3,) and number of contacts; at most one is not None.

    A depth becomes a negative separation.
    """
    if isinstance(answer, str):
        # A text that is no verdict is a path in words, or an answer for each of several first directions.
        return Verdict(answer) if answer in tuple(Verdict) else None, None, None, None
    if isinstance(answer, tuple):
        return None, None, frozen(np.array(answer)), None
    if isinstance(answer, int):
        return None, None, None, int(answer)
    # A depth of 0 means apart, with an unknown separation.
    return None, (-answer if answer > 0.0 else None), None, None


def _reason(variant: ArticleVariant, compared: Comparison) -> Reason:
    if compared.agree:
        return Reason.AGREES
    # A yes-or-no test has no answer for touching, so this is a mistake only of the variants about touching.
    touching = compared.right == Verdict.TOUCHING and "touching" not in variant.id
    return Reason.TWO_VERDICTS if touching else Reason.ARTICLE


def _words(to: Reference, variant: ArticleVariant, compared: Comparison) -> Sentence:
    article, right = compared.article, compared.right
    if compared.agree:
        return Sentence("Correct for this pair, despite the mistake.")
    if _reason(variant, compared) is Reason.TWO_VERDICTS:
        return Sentence(f"{article} for TOUCHING: the test has no third answer.")
    return _size(to, article, right) + Sentence(f" Its mistake: {variant.why}")


def _size(to: Reference, article: ArticleValue, right: ArticleValue) -> Sentence:
    """One sentence with the wrong and the right answer, or with their difference."""
    if isinstance(article, tuple) and isinstance(right, tuple):
        return Sentence("The normal is {:.3g}° off.", (degrees(angle(np.array(article), np.array(right))),))
    if isinstance(article, float) and isinstance(right, float):
        return Sentence("Depth {:.6g} instead of {:.6g}.", (article, right))
    if isinstance(article, int):
        return Sentence(f"{article} vertices in contact instead of {right}.")
    if right == Verdict.TOUCHING or right not in tuple(Verdict):
        return Sentence(f"{article} instead of {right}.".replace("-", "−"))
    return Sentence(f"{article} instead of {right} by {{:.6g}}.", (abs(to.analysis.separation),))


def _place(to: Reference, variant: ArticleVariant) -> tuple[Phase | None, int]:
    """Returns the phase and the index of the step where the mistake shows; (None, 0) if no step shows it."""
    if variant.system == "P3":
        phase, _ = to.last(Phase.CONTACTS)
        return phase, 0
    if to.analysis.polygon is not None:
        return _place_in_plane(to, variant)
    table = to.analysis.sat
    if not table.applies:
        return None, 0
    if variant.id == "V5-faces-only":
        return Phase.SAT, LAST
    if variant.id == "S6-middle-ends":
        # The row with the nearest two middle ends.
        ends = np.sort(np.concatenate((table.interval_a, table.interval_b), axis=1), axis=1)
        return to.sat_row(int(np.nanargmin(ends[:, 2] - ends[:, 1])))
    if variant.id == "P7-float32-radius-form":
        # The row of the shortest product that is not zero: its rounding error decides.
        sines = [one.sine if one.kind is AxisKind.EDGES and one.sine > 0.0 else 2.0 for one in table.candidates]
        return to.sat_row(int(np.argmin(sines)))
    return to.sat_row(table.winner)


def _place_in_plane(to: Reference, variant: ArticleVariant) -> tuple[Phase | None, int]:
    """As `_place`, in 2D: the step of the deciding axis or edge, or a step of the article's GJK; else (None, 0)."""
    planes = to.analysis.planes
    if variant.system == "V5" and planes is not None:
        return to.plane_of(planes.best.label)
    if variant.system == "V6":
        return to.sat_row(to.analysis.sat.winner)
    if variant.id == "G5-second-support":
        return Phase.ARTICLE, 1
    return (Phase.ARTICLE, LAST) if variant.system == "G4" else (None, 0)
