"""Purposes of pictures: letters that can be read at the final size, aspects, panes by room, names and letters."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest

from app.cli.export import parsed
from app.cli.film import looked_at, source_of, steps_source
from app.cli.picture import planned_picture
from app.io.presets import load_preset
from app.overlays.style import FINE, NAME, PLAIN, STRONG
from app.render.figure import FigureError, letters_of
from app.render.film import FilmSize, Shots, suited
from app.render.legend import FONT_SIZE
from app.render.still import SUPERSAMPLING, Plan
from app.stages import step_text
from app.state.export_options import ExportOptions
from app.state.purposes import LABEL_SIZE, ONE_PANE_WIDTH, PURPOSES, SMALLEST_LABEL_SIZE
from app.state.view import TRIAD, WHOLE, Panes, View

from .command_rig import GOOD

SHOTS = (
    ("skew-edges", "0"),
    *(("flat-gjk-walk", "gjk:3"), ("flat-epa-growth", "epa:3"), ("flat-hexagon-pentagon", "sat:2")),
    *(("skew-edges", "gjk:2"), ("two-hulls", "epa:2"), ("crossed-edges", "sat:4"), ("capsule-box-edge", "0")),
)
LEGIBLE = 0.028
"""The least height of letters that are read from the last row, as a share of the picture's."""


def plan_for(name: str, ending: str = ".png", **options: Any) -> Plan:
    return planned_picture(load_preset(name), ending, ExportOptions(**options))[0]


def words_of(plan: Plan) -> list[str]:
    return [label.text for _, placed in plan.lay_out(SUPERSAMPLING) for label in placed.labels]


def smallest(plan: Plan) -> float:
    """The size of the smallest letters in pixels of the picture."""
    return min(label.size for _, placed in plan.lay_out(SUPERSAMPLING) for label in placed.labels) / SUPERSAMPLING


def test_sizes_of_letters_are_those_that_are_drawn() -> None:
    assert (SMALLEST_LABEL_SIZE, LABEL_SIZE) == (FINE, FONT_SIZE)


@pytest.mark.parametrize(("name", "step"), SHOTS)
@pytest.mark.parametrize("purpose", PURPOSES)
def test_the_smallest_letters_are_legible_at_the_final_size(name: str, step: str, purpose: str) -> None:
    # The small Gauss map has the smallest words in the window.
    shown = frozenset({"gauss"} if step == "0" else ())
    plan = plan_for(name, purpose=purpose, step=step, show=shown, hide=frozenset({"globe"}))
    across, high = plan.size
    letters = smallest(plan)
    if PURPOSES[purpose].letters:
        assert (across, high) == PURPOSES[purpose].sets["size"]
        assert letters >= LEGIBLE * high
    elif plan.figure.width is not None:
        assert across == pytest.approx(plan.figure.width / 25.4 * plan.figure.dpi, abs=1.0)
        # Letters of seven points have fine ones of six.
        assert letters / plan.figure.dpi * 72.0 >= 0.98 * plan.figure.letters * SMALLEST_LABEL_SIZE / LABEL_SIZE
    else:
        assert letters >= 0.02 * high


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"purpose": "slide", "size": (1600, 900)}, (1600, 900)),
        ({"purpose": "slide", "size": (800, 600), "scale": 2.0}, (1600, 1200)),
        ({"purpose": "slide", "aspect": 4 / 3}, (1920, 1440)),
        ({"aspect": 2.0}, (1280, 640)),
        ({"size": (900, 500), "font": 24.0}, (900, 500)),
        ({"width": 100.0, "height": 50.0, "dpi": 254.0}, (1000, 500)),
        ({"width": 100.0, "aspect": 4 / 3, "dpi": 254.0}, (1000, 750)),
        ({"purpose": "paper-column", "aspect": 1.0, "dpi": 254.0}, (850, 850)),
        ({"purpose": "slide", "width": 100.0, "dpi": 254.0}, (1000, 563)),
    ],
)
def test_font_and_aspect_go_with_any_size(options: dict[str, Any], size: tuple[int, int]) -> None:
    plan = plan_for("flat-gjk-walk", step="gjk:3", **options)
    assert abs(plan.size[0] - size[0]) + abs(plan.size[1] - size[1]) <= 1
    if options.get("purpose") == "slide":
        assert smallest(plan) >= LEGIBLE * plan.size[1]
    if "font" in options:
        # A screen has 96 pixels to the inch. Labels of the picture have letters of PLAIN for LABEL_SIZE.
        shown = {label.size / SUPERSAMPLING for _, placed in plan.lay_out(SUPERSAMPLING) for label in placed.labels}
        sizes = {
            round(24.0 / 72.0 * 96.0 * size / LABEL_SIZE, 2)
            for size in (SMALLEST_LABEL_SIZE, PLAIN, LABEL_SIZE, STRONG, NAME)
        }
        assert {round(size, 2) for size in shown} <= sizes
        assert round(24.0 / 72.0 * 96.0 * PLAIN / LABEL_SIZE, 2) in {round(size, 2) for size in shown}


def test_options_that_are_given_win_over_the_purpose() -> None:
    words = ["--for", "paper-column", "--theme", "dark", "--font", "9pt", "--panes", "both", "--dpi", "150"]
    asked = parsed("picture", [str(GOOD), "-o", "a.png", *words]).options.suited(".png")
    assert (asked.theme, asked.font, asked.panes, asked.width, asked.crop) == ("dark", 9.0, "both", 85.0, True)
    assert asked.suited(".png") == asked
    slide = parsed("picture", [str(GOOD), "-o", "a.png", "--for", "slide", "--aspect", "4:3"]).options.suited(".png")
    assert slide.points == (1920, 1440)
    assert ExportOptions(purpose="poster", size=(300, 200)).suited(".png").width is None


@pytest.mark.parametrize(("step", "panes"), [("gjk:2", "difference"), ("epa:2", "difference"), ("sat:2", "world")])
def test_a_column_has_room_for_the_pane_that_the_step_is_about(step: str, panes: str) -> None:
    name = "flat-epa-growth"
    assert (load_preset(name).view or View()).panes is Panes.BOTH
    column, page = (plan_for(name, ".svg", purpose=each, step=step) for each in ("paper-column", "paper"))
    assert column.size[0] / column.scale < ONE_PANE_WIDTH < page.size[0] / page.scale
    assert ("Difference A − B" in words_of(column)) == (panes == "difference")
    assert {"World", "Difference A − B"} <= set(words_of(page))
    stacked = plan_for(name, ".svg", purpose="paper-column", step=step, panes="both")
    worlds, differences = [rect for rect, placed in stacked.lay_out(SUPERSAMPLING) if len(placed.triangles.rgba)]
    assert worlds.y + worlds.height <= differences.y


def test_names_of_panes_stand_once_and_can_be_left_out() -> None:
    sheet = {"purpose": "paper", "steps": "gjk", "columns": 3}
    assert (
        sum("Difference" in text or "difference" in text for text in words_of(plan_for("flat-gjk-walk", **sheet))) == 1
    )
    without = plan_for("flat-gjk-walk", **sheet, hide=frozenset({"titles"}))
    assert not any("ifference A" in text for text in words_of(without))
    single = plan_for("flat-gjk-walk", width=150.0, hide=frozenset({"titles"}), step="gjk:2")
    assert not {"World", "Difference A − B"} & set(words_of(single))


@pytest.mark.parametrize(("asked", "drawn"), [(frozenset(), False), (frozenset({"triad"}), True)])
def test_the_axes_in_the_corner_are_drawn_where_they_are_asked_for(asked: frozenset[str], drawn: bool) -> None:
    plan = plan_for("skew-edges", width=170.0, show=asked, panes="world", step="0")
    assert ({"X", "Y", "Z"} <= set(words_of(plan))) == drawn


def test_a_sheet_too_narrow_for_its_letters_says_how_many_pictures_have_room() -> None:
    with pytest.raises(FigureError, match=r"try --columns (\d)") as refused:
        plan_for("two-hulls", width=85.0, steps="gjk", columns=6)
    most = int(str(refused.value)[-1])
    plan_for("two-hulls", width=85.0, steps="gjk", columns=most)
    with pytest.raises(FigureError):
        plan_for("two-hulls", width=85.0, steps="gjk", columns=most + 1)


def film_of(name: str, **options: Any) -> Shots:
    wanted = ExportOptions(**options).suited(".gif")
    return Shots(suited(steps_source(load_preset(name), wanted), wanted), FilmSize.of(wanted), captioned=True)


@pytest.mark.parametrize(("name", "steps"), [("flat-gjk-walk", "gjk"), ("skew-edges", "epa"), ("flat-inside", "sat")])
def test_films_of_steps_have_words_that_are_legible(name: str, steps: str) -> None:
    shots = film_of(name, purpose="film", steps=steps)
    tops = set()
    for number, plan in enumerate(shots.plans()):
        assert plan.size == (1280, 720)
        assert smallest(plan) >= LEGIBLE * 720
        *_, (rect, words) = plan.lay_out(SUPERSAMPLING)
        seen = shots.seen(number)
        told = step_text(seen.query, seen.moment)
        text = " ".join(label.text for label in words.labels)
        assert text.startswith(f"{told.title}. ")
        below = text.removeprefix(f"{told.title}. ")
        result = told.decided.rsplit(". ", 1)[-1] if told.stop is None else told.stop.meaning.split(". ")[0]
        assert result in below
        whole = " ".join(f"{told.decided} {'' if told.stop is None else told.stop.meaning}".split())
        assert [sentence for sentence in whole.split(". ") if sentence.strip(".") in below] == below.split(". ")
        assert 1 <= len(words.labels) <= 2
        assert max(label.x + label.width for label in words.labels) <= rect.width
        assert max(label.y + label.height for label in words.labels) <= rect.height
        tops.add((rect.y, rect.height))
        assert rect.y + rect.height == SUPERSAMPLING * 720
        assert TRIAD not in seen.view.shown
    # The pictures do not jump where words are more.
    assert len(tops) == 1


def test_a_step_of_a_film_stands_as_long_as_its_words_take_to_read() -> None:
    shots, counts = film_of("skew-edges", purpose="film", steps="sat:1,gjk,epa:stop"), []
    for plan in shots.plans():
        *_, (_, words) = plan.lay_out(SUPERSAMPLING)
        told = " ".join(label.text for label in words.labels).split()
        counts.append(sum(word not in "=−×" for word in told))
    assert list(shots.source.seconds) == [min(max(0.25 * count, 1.5), 8.0) for count in counts]
    assert len(set(counts)) > 3
    given = film_of("skew-edges", purpose="film", steps="gjk", seconds_per_step=2.0)
    assert list(given.source.seconds) == [2.0] * 4
    wanted = ExportOptions(purpose="film", steps="gjk").suited(".gif")
    source = steps_source(load_preset("skew-edges"), wanted, transitions=True)
    captioned = [Shots(source, FilmSize.of(wanted), captioned=told).source for told in (False, True)]
    for shown in captioned:
        between = [seconds for seconds, name in zip(shown.seconds, shown.names, strict=True) if not name]
        assert set(between) == {0.04}
    bare, read = ([s for s, name in zip(each.seconds, each.names, strict=True) if name] for each in captioned)
    assert bare == [1.5] * 4
    assert min(read) > 1.5


def test_the_stop_has_its_reason_below_it_and_so_has_its_sub_step() -> None:
    reason = "w₃ is no farther along d than v, so nothing is nearer: stop."
    for slow in (False, True):
        shots = film_of("flat-gjk-walk", purpose="film", steps="gjk:stop", slow=slow)
        found = {}
        for number, plan in enumerate(shots.plans()):
            *_, (_, words) = plan.lay_out(SUPERSAMPLING)
            found[shots.seen(number).part] = " ".join(label.text for label in words.labels)
        assert [part for part, text in found.items() if reason in text] == (["stop", WHOLE] if slow else [WHOLE])


@pytest.mark.parametrize("purpose", ["slide", "film", "web"])
def test_a_purpose_with_one_size_is_not_cropped(purpose: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("picture", [str(GOOD), "-o", "a.png", "--for", purpose, "--crop"])
    assert f"--crop does not go with --for {purpose}: its pictures have one size" in capsys.readouterr().err


def test_a_narrow_film_shows_the_pane_that_its_steps_are_about() -> None:
    for aspect, panes in ((16 / 9, Panes.BOTH), (1.0, Panes.DIFFERENCE), (9 / 16, Panes.BOTH)):
        assert film_of("flat-gjk-walk", purpose="film", steps="gjk", aspect=aspect).seen(1).view.panes is panes


def test_a_turn_takes_six_seconds_unless_its_pictures_are_counted() -> None:
    for words, count in ((["--turn"], 150), (["--turn", "--fps", "10"], 60), (["--turn", "30"], 30)):
        options = parsed("film", [str(GOOD), "-o", "a.gif", *words]).options
        with ExitStack() as files:
            source = source_of(str(GOOD), options, files)
        assert source.count == count
        assert sum(source.seconds) == pytest.approx(count / options.fps)


def test_letters_of_a_sheet_go_on_after_z() -> None:
    found = [letters_of(number) for number in range(26 * 27 + 1)]
    assert found[:2] + found[25:28] + found[51:53] + found[-2:] == ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]
    assert len(set(found)) == len(found)
    plan = plan_for("two-hulls", ".svg", width=400.0, steps="1-30", columns=6)
    assert {"(z)", "(aa)", "(ad)"} <= {text.split()[0] for text in words_of(plan) if text}


@pytest.mark.parametrize(
    ("name", "step", "aspect", "beside"),
    [
        ("skew-edges", "epa:3", None, True),
        ("skew-edges", "gjk:3", None, False),
        ("flat-gjk-walk", "gjk:2", 1.0, False),
        ("flat-hexagon-pentagon", "sat:2", None, True),
    ],
)
def test_formulas_take_a_third_of_a_slide_in_letters_that_are_legible(
    name: str, step: str, aspect: float | None, *, beside: bool
) -> None:
    options = {"aspect": aspect} if aspect else {}
    plan = plan_for(name, purpose="slide", step=step, formulas=True, **options)
    across, high = (SUPERSAMPLING * side for side in plan.size)
    picture, *_ = (rect for rect, placed in plan.lay_out(SUPERSAMPLING) if len(placed.triangles.rgba))
    words = [each for each in plan.lay_out(SUPERSAMPLING) if not len(each[1].triangles.rgba)]
    rect, placed = next((rect, placed) for rect, placed in words if any("=" in label.text for label in placed.labels))
    assert (rect.x >= picture.x + picture.width) == beside
    if beside:
        assert rect.width <= 0.43 * across
        assert rect.height <= high
    else:
        assert rect.height <= high / 3.0
    # Letters of the lines, not those of indices and exponents.
    largest = max(label.size for label in placed.labels) / (plan.scale * SUPERSAMPLING)
    assert (FONT_SIZE if beside else SMALLEST_LABEL_SIZE) - 0.1 <= largest <= FONT_SIZE + 0.1
    assert all(label.x >= 0.0 and label.x + label.width <= rect.width + 1.0 for label in placed.labels)


def test_the_pictures_of_a_sheet_have_the_names_of_their_steps() -> None:
    sheet = {"purpose": "paper", "steps": "gjk", "panes": "difference"}
    assert "(b) GJK, step 2 of 4: a segment" in words_of(plan_for("flat-gjk-walk", **sheet, columns=3))
    bare = {"(a)", "(b)"}
    assert bare <= set(words_of(plan_for("flat-gjk-walk", **sheet, columns=3, hide=frozenset({"titles"}))))


def test_a_film_has_one_legend_and_the_overlays_that_are_asked_for() -> None:
    plain = film_of("flat-gjk-walk", purpose="film", steps="gjk")
    wanted = ExportOptions(purpose="film", steps="gjk", hide=frozenset({"bodies"})).suited(".gif")
    source = suited(steps_source(looked_at(load_preset("flat-gjk-walk"), wanted), wanted), wanted)
    assert "bodies" not in source.seen(1).view.shown
    shots = Shots(source, FilmSize.of(wanted), captioned=True, legend=True)
    strips = []
    for number, plan in enumerate(shots.plans()):
        assert plan.size == (1280, 720)
        *_, (rect, strip) = plan.lay_out(SUPERSAMPLING)
        assert rect.y + rect.height == SUPERSAMPLING * 720
        strips.append([label.text for label in strip.labels])
        if number == 0:
            assert "simplex" in strips[0]
            assert smallest(plan) >= LEGIBLE * 720
    assert len({tuple(texts) for texts in strips}) == 1
    assert not any(text == "simplex" for text in words_of(next(iter(plain.plans()))))


FULL_LEGENDS = (
    *(("tunnelling", "ray:4"), ("skew-edges", "epa:3"), ("tetrahedra-cross", "epa:3"), ("two-hulls", "epa:4")),
    *(("flat-one-gap", "gjk:3"), ("flat-circle-corner", "sat:5"), ("stacked-cubes", "epa:5")),
)
"""The steps of the presets whose legends have most to tell."""


@pytest.mark.parametrize("purpose", ["slide", "paper", "paper-column"])
@pytest.mark.parametrize(("name", "step"), FULL_LEGENDS)
def test_a_legend_takes_at_most_a_fifth_of_the_picture(name: str, step: str, purpose: str) -> None:
    plan = plan_for(name, purpose=purpose, step=step, legend=True)
    *_, (rect, strip) = plan.lay_out(SUPERSAMPLING)
    assert len(strip.labels) >= 8
    assert rect.height <= 0.2 * SUPERSAMPLING * plan.size[1]


def test_hatches_are_refused_where_there_is_nothing_to_hatch() -> None:
    with pytest.raises(FigureError, match="--hatch is for the faces"):
        plan_for("skew-edges", step="epa:3", hatch=True)
    plan_for("skew-edges", step="sat:3", hatch=True)
