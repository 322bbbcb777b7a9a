"""The articles' mistaken versions beside the right answers, as `separatrix check --articles` prints them.

The versions are about the pair, about its motion, and about the ray that a scene may store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

import numpy as np

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.query.query import query
from core.rays.raycast import raycast
from core.scene import Scene
from core.study.articles import ARTICLE_VARIANTS, MOTION_VARIANTS, ArticleValue, Comparison, compared, motion_articles
from core.study.lab.side_by_side.articles import article_rows, variants_about
from core.study.lab.side_by_side.row import Reason, Reference

from ..probes import Lens, Probe, RayProbe
from .answer_parts import ArticleVersion

PAIR_SUBJECT, MOTION_SUBJECT, RAY_SUBJECT = "pair", "motion", "ray"
"""The subjects of a version."""
VERSION_MARKS: dict[str, str] = {Reason.AGREES: "=", Reason.TWO_VERDICTS: "~"}
"""Marks before a version in the text; a wrong version has ×."""
ORDER = (Reason.ARTICLE, Reason.TWO_VERDICTS, Reason.AGREES)
"""The order of the versions, by reason: the wrong ones first."""


def versions(analysis: Analysis, moving: SweepAnswer | None, probe: Probe | None = None) -> list[ArticleVersion]:
    """Every version that applies to the scene, wrong ones first; versions about a ray only with a ray probe.

    `moving`: the answer about the bodies' motion, None if neither body moves.
    """
    scene = analysis.scene
    found = [*_about_pair(analysis), *_about_motion(scene, moving), *_about_ray(scene, probe)]
    return sorted(found, key=lambda version: ORDER.index(version.reason))


def articles_text(found: Sequence[ArticleVersion]) -> str:
    """A line for each version, and below each that does not agree a sentence with the reason; ends in a new line."""
    lines = ["  published mistakes"]
    if not found:
        return "\n".join([*lines, "  none applies to this scene"]) + "\n"
    for version in found:
        lines.append(f"  {VERSION_MARKS.get(version.reason, '×')} {version.title} ({version.about})")
        if version.reason is not Reason.AGREES:
            lines.append(f"      {version.words}")
    return "\n".join(lines) + "\n"


def _about_pair(analysis: Analysis) -> Iterator[ArticleVersion]:
    known = {variant.id: variant for variant in variants_about(analysis)}
    for row in article_rows(Reference.asked(query(analysis))):
        answers = compared(known[row.article], analysis.scene)
        assert answers is not None
        yield _version(row.article, row.method, PAIR_SUBJECT, answers, row.reason, str(row.words))


def _about_motion(scene: Scene, moving: SweepAnswer | None) -> Iterator[ArticleVersion]:
    if moving is None:
        return
    known = {variant.id: variant for variant in MOTION_VARIANTS}
    for answer in motion_articles(scene, moving):
        with np.errstate(all="ignore"):
            answers = compared(known[answer.id], scene)
        assert answers is not None
        reason = Reason.AGREES if answer.right else Reason.ARTICLE
        yield _version(answer.id, answer.title, MOTION_SUBJECT, answers, reason, str(answer.words))


def _about_ray(scene: Scene, probe: Probe | None) -> Iterator[ArticleVersion]:
    if not isinstance(probe, RayProbe):
        return
    from ..probes.ray import article_answers, crossing, lens_of, ray_of

    ray = ray_of(probe)
    name = "P11-orthographic" if lens_of(probe) is Lens.ORTHOGRAPHIC else "P11-off-centre"
    shortcut = next(variant for variant in ARTICLE_VARIANTS if variant.id == name)
    for index, letter in enumerate("AB"):
        body, about = scene.body(index), f"{RAY_SUBJECT} against {letter}"
        says, hit = raycast(body, ray.eye, ray.shortcut) is not None, crossing(body, ray) is not None
        yield _of_ray(shortcut.id, shortcut.title, about, Comparison(says, hit, shortcut.why))
        for answer in article_answers(body, ray):
            yield _of_ray(answer.id, answer.title, about, Comparison(answer.says, answer.hits, answer.why))


def _of_ray(name: str, title: str, about: str, answers: Comparison) -> ArticleVersion:
    if answers.agree:
        return _version(name, title, about, answers, Reason.AGREES, "Correct for this ray, despite the mistake.")
    says = "hits, but it misses" if answers.article else "misses, but it hits"
    return _version(name, title, about, answers, Reason.ARTICLE, f"It says that the ray {says}. {answers.why}")


def _version(name: str, title: str, about: str, answers: Comparison, reason: Reason, words: str) -> ArticleVersion:
    return ArticleVersion(
        id=name,
        system=name.partition("-")[0],
        title=title,
        about=about,
        article=_value(answers.article),
        right=_value(answers.right),
        reason=reason,
        words=words,
    )


def _value(answer: ArticleValue) -> Any:
    if isinstance(answer, tuple):
        return [_value(part) for part in answer]
    if isinstance(answer, float):
        return answer + 0.0 if isfinite(answer) else None  # no -0.0
    return answer
