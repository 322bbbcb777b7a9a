"""What pictures, sentences and formulas show: no more digits than their place has, and as many as the setting asks.

The stored snapshots have every label and sentence of every preset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import floor, log10
from pathlib import Path

import pytest

from app.cli.report import to_text
from app.draw.theme import DARK
from app.overlays.context import Context
from app.render.pictures import build
from app.stages import step_text
from app.state.view import View
from app.words.axis_words import reasons, verdict_line
from app.words.digits import Digits, column_number, plain, written_with
from app.words.motion_words import verdict_of_motion
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.geometry import quaternion
from core.query.motion_steps import with_motion
from core.query.query import query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Polygon
from core.toi.motion import moves
from tests.everything import EVERYTHING

SNAPSHOTS = Path(__file__).resolve().parents[1] / "snapshots"
NUMBER = re.compile(r"(?<![\w.^])\d+\.\d+(?:e[−-]?\d+)?(?![\d⁰¹²³⁴⁵⁶⁷⁸⁹])")
LABEL = re.compile(r"“(.*?)”")
DIFFERENCE = re.compile(r"([\d.]+) − ([\d.]+) = (−?[\d.]+(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)")
"""Two numbers, and their difference in three digits."""
SENTENCE = re.compile(r"^ +(known|decided|why|stop|explains|verdict|hint|formula): (.*)")


def digits_of(number: str) -> int:
    """Significant digits of a number with a decimal point."""
    return len(number.partition("e")[0].replace(".", "").lstrip("0"))


def agree(one: str, other: str) -> bool:
    """Whether two numbers, each rounded to four digits, can be the same in three."""
    first, second = float(one), float(other)
    return abs(first - second) <= 1.1 * 10.0 ** (floor(log10(max(first, second))) - 2)


def fewest_digits(one: str, other: str, result: str) -> int:
    """The fewest digits, at least three, of two numbers that give their difference in the three of `result`."""
    for count in range(3, 18):
        difference = float(f"{float(one):.{count}g}") - float(f"{float(other):.{count}g}")
        if plain(abs(difference)) == result.lstrip("−"):
            return count
    raise AssertionError(f"{one} − {other} is not {result}")


def moments(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """The sentences and labels of each moment of a stored snapshot, and its formulas."""
    for moment in path.read_text("utf-8").split("\nmoment "):
        told = [found for line in moment.splitlines() if (found := SENTENCE.match(line))]
        labels = [label for line in moment.splitlines() if " label." in line for label in LABEL.findall(line)]
        sentences = [found[2] for found in told if found[1] != "formula"]
        yield labels + sentences, [found[2] for found in told if found[1] == "formula"]


@pytest.mark.parametrize("kind", ["geometry", "words"])
def test_no_label_and_no_sentence_of_a_snapshot_has_a_digit_too_many(kind: str) -> None:
    """Three; four in formulas, and where two numbers of the moment agree in three.

    A sentence's difference of two numbers has as many as the difference needs for its own three.
    """
    found = 0
    for path in sorted(SNAPSHOTS.glob(f"*.{kind}.txt")):
        for texts, formulas in moments(path):
            numbers = [number for text in texts for number in NUMBER.findall(DIFFERENCE.sub("", text))]
            for one, other, result in DIFFERENCE.findall("\n".join(texts)):
                assert fewest_digits(one, other, result) == max(3, digits_of(one), digits_of(other)), (path.name, texts)
            found += len(numbers)
            many = [number for number in numbers if digits_of(number) > 3]
            # One of those that a number agrees with is itself.
            assert [one for one in many if sum(agree(one, n) for n in numbers) < 2] == [], (path.name, texts)
            worked_out = [number for text in formulas for number in NUMBER.findall(text)]
            assert [number for number in (*many, *worked_out) if digits_of(number) > 4] == [], (path.name, formulas)
    assert found > 500


ODD = 1.0317245390612345
"""No number of a scene that is this much larger is short."""


def turned(*angles: float) -> tuple[float, float, float, float]:
    return quaternion.from_euler_xyz(*(ODD * angle for angle in angles))


def box(x: float, y: float, z: float, *at: float, **more: object) -> Body:
    place = tuple(ODD * v for v in at)
    return Body(Box((ODD * x, ODD * y, ODD * z)), place, turned(0.3, 0.2, 0.9 + 0.1 * x), **more)


def flat(*at: float, turn: float) -> Body:
    corners = [(ODD * x, ODD * y) for x, y in ((-0.71, -0.43), (0.9, -0.6), (0.55, 0.8), (-0.37, 0.77))]
    return Body(Polygon.of(corners), (ODD * at[0], ODD * at[1], 0.0), turned(0.0, 0.0, turn))


SCENES = {
    "overlapping": Scene(box(2.0, 1.1, 0.7, 0.1, 0.2, 0.3), box(1.0, 0.9, 1.3, 0.9, 0.5, 0.1)),
    "apart": Scene(
        box(2.0, 1.1, 0.7, 0.1, 0.2, 0.3), Body(Capsule(0.2 * ODD, 0.9 * ODD), (2.31 * ODD, 1.47 * ODD, 1.13 * ODD))
    ),
    "moving": Scene(
        box(2.0, 1.1, 0.7, 0.1, 0.2, 0.3),
        box(1.0, 0.9, 1.3, 3.9, 0.5, 0.1, displacement=(-5.37 * ODD, 0.11 * ODD, 0.23 * ODD)),
    ),
    "in the plane": Scene(flat(0.1, 0.2, turn=0.3), flat(0.83, 0.51, turn=1.1)),
}


def said(scene: Scene) -> Iterator[str]:
    """Everything that a scene's pictures, steps and answers say."""
    analysis = analyse(scene)
    motion = sweep(scene) if moves(scene.a) or moves(scene.b) else None
    asked = query(analysis) if motion is None else with_motion(query(analysis), motion)
    view = View(shown=EVERYTHING)
    for place in (None, *range(0, len(asked.moments), 3)):
        pictures = build(
            Context(scene, analysis, view, DARK, None if place is None else asked, place or 0, sweep=motion)
        )
        for draw in (pictures.world, pictures.difference):
            yield from (label.text for label in draw.labels)
    for moment in asked.moments:
        text = step_text(asked, moment)
        yield from (text.known, text.decided, text.why, "" if text.stop is None else text.stop.meaning)
        yield from (formula.plain for formula in text.formulas)
    yield verdict_line(analysis)
    yield from reasons(analysis)
    if motion is not None:
        yield " ".join(verdict_of_motion(motion))


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize(("setting", "least"), [(Digits.SIX, 4), (Digits.FULL, 14)])
def test_the_setting_raises_every_number(name: str, setting: Digits, least: int) -> None:
    """All have its digits but trailing zeros, of which two in a row are not found among so few numbers."""
    usual = list(said(SCENES[name]))
    with written_with(setting):
        more = list(said(SCENES[name]))
    raised = [(text, number) for text in more for number in NUMBER.findall(text)]
    assert len(raised) > 60
    assert [(text, number) for text, number in raised if digits_of(number) < least] == []
    # Bounds that read alike are one number: with more digits they may be two.
    assert 0 <= len(more) - len(usual) <= 1
    assert not {few for few in usual if NUMBER.search(few)} & set(more)


@pytest.mark.parametrize("name", SCENES)
def test_check_writes_six_whatever_the_setting(name: str) -> None:
    scene = SCENES[name]
    written = to_text(analyse(scene), sweep(scene), name)
    assert f"separation  {column_number(analyse(scene).separation)}" in written
    with written_with(Digits.FULL):
        assert to_text(analyse(scene), sweep(scene), name) == written
