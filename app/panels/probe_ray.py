"""The probe card of a ray: from the pixel back into the world, and what the ray hits."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui
from msgspec.structs import replace

from core.rays.raycast import GjkRaycastStep, RayHit

from ..draw.draw_list import Rgba
from ..probes import Lens, RayLook, RayProbe
from ..probes.ray import (
    ArticleTestResult,
    Unprojection,
    article_answers,
    crossing,
    gjk_cast,
    lens_of,
    one_axis,
    ray_of,
    shifts,
    with_lens,
    with_shift,
)
from ..probes.result_words import article_words, cast_step_words, met_words, shortcut_words
from ..state.ask import Ask, Press
from ..state.panel_state import PanelState
from ..words.digits import full, tabular
from .numbers import short, short_vector, vector17
from .rows import NAME_EMS, Button, Flow, Own, Radio, Row, Rule, Value, Words, command
from .text import em, explain


def signed_row(title: str, note: str, number: float, rgba: Rgba | None = None) -> Value:
    """A row with a number and its sign. `note`: its tooltip. `rgba`: its colour, None for the text's."""
    return Value(title, note, f"{'+' if number > 0.0 else ''}{short(number)}", full(number), "", rgba)


LENSES = {
    Lens.PERSPECTIVE: "All rays leave the eye, through a window straight ahead of it",
    Lens.ORTHOGRAPHIC: "All rays are parallel",
    Lens.OFF_CENTRE: "A sheared frustum, as for one eye of a stereo pair: the window lies to one side",
}
MISLED = {
    Lens.PERSPECTIVE: "The article's shortcut shoots another ray.",
    Lens.ORTHOGRAPHIC: "The article's shortcut shoots from the eye: right in perspective only.",
    Lens.OFF_CENTRE: "The article's shortcut assumes that the window is straight ahead of the eye.",
}
LOOK_TITLES = {
    RayLook.CROSSINGS: "entry and exit",
    RayLook.ONE_AXIS: "the article's tests",
    RayLook.CAST: "GJK ray cast",
}


def ray_rows(ui: PanelState, probe: RayProbe) -> list[Row]:
    """All rows of a ray, in the order of computation."""
    ray = ray_of(probe)
    rows = [*_lens_rows(ui, probe), *_unprojection_rows(ui, probe, ray), Rule(), *_choice_rows(ui, probe)]
    match probe.look:
        case RayLook.CROSSINGS:
            rows += _crossing_rows(ui, ray)
        case RayLook.ONE_AXIS:
            rows += _article_rows(ui, probe, ray)
        case RayLook.CAST:
            rows += _cast_rows(ui, probe, ray)
    ways = (
        Button("from the side", command("ray.side"), "Look at the ray from the side, with the eye in view"),
        Button("from the eye", command("ray.eye"), "Look from where the ray was shot"),
        Button(
            "another ray",
            command("ray.shoot"),
            "Then click another pixel, or drag the pixel in its near plane",
        ),
    )
    return [*rows, Rule(), Flow(ways)]


def _unprojection_rows(ui: PanelState, probe: RayProbe, ray: Unprojection) -> list[Row]:
    (x, y), (width, height) = probe.pixel, probe.size
    pixel = f"{x:.1f}, {y:.1f} of {width:.0f} × {height:.0f}"
    near = "On the near plane by the inverse of the projection, divided by w: x right, y up, −z ahead"
    along = "Unit direction: from the near plane's point to the far plane's"
    rows: list[Row] = [
        Value("1 pixel", "From the pane's top left corner, y down", pixel, vector17(probe.pixel)),
        Value.vector("2 device", "Normalised: −1 to 1 across the pane, x right, y up", ray.device),
        Value.vector("3 view", near, ray.view_near),
        Value.vector("4 world", "The same point by the inverse of the view", ray.near),
        Value.vector("eye", "Where the camera stands", ray.eye),
        Value.vector("5 ray", along, ray.direction, "", ui.theme.winner),
    ]
    if not ray.shortcut_differs:
        return rows
    bad, picks = ui.theme.overlap, shortcut_words(ui.analysis.scene, ray)
    return [
        *rows,
        Words(MISLED[lens_of(probe)], bad),
        Value.vector("shortcut", "(x tan, y tan, −1) from the eye, whatever the camera", ray.shortcut, "", bad),
        Words(picks, bad if picks.endswith("wrong.") else ui.theme.dim_text),
    ]


def _put(ui: PanelState, probe: RayProbe) -> Press:
    """A press that shows this probe instead."""
    return lambda ask: ask.look(replace(ui.view, probe=probe))


def _lens_rows(ui: PanelState, probe: RayProbe) -> list[Row]:
    """The radio buttons of the cameras that shoot the ray; for a window off centre also the slider of its offset."""
    lens = lens_of(probe)
    offered = [
        Radio(choice.value, lens is choice, _put(ui, with_lens(probe, choice)), LENSES[choice]) for choice in Lens
    ]
    rows: list[Row] = [Flow(tuple(offered))]
    if lens is Lens.OFF_CENTRE:
        note = "The window's middle to the right of straight ahead, in halves of its width"
        name = Words("aside", ui.theme.dim_text, note)
        slider = Own((12.0 * em(), imgui.get_frame_height()), partial(_draw_aside, ui, probe))
        rows.append(Flow((name, slider), (NAME_EMS - name.measure(1e6)[0] / em(),)))
    return rows


def _draw_aside(ui: PanelState, probe: RayProbe, ask: Ask) -> None:
    low, high = shifts(probe)
    imgui.set_next_item_width(12.0 * em())
    changed, shift = imgui.slider_float("##aside", probe.shift, low, high, "%+.2f")
    if changed and shift != probe.shift:
        ask.look(replace(ui.view, probe=with_shift(probe, shift)))


def _choice_rows(ui: PanelState, probe: RayProbe) -> list[Row]:
    looks = [
        Radio(words, probe.look is look, _put(ui, replace(probe, look=look))) for look, words in LOOK_TITLES.items()
    ]
    if probe.look is RayLook.CROSSINGS:
        return [Flow(tuple(looks))]
    bodies = [
        Radio(f"against {'AB'[index]}", probe.body == index, _put(ui, replace(probe, body=index, step=0)))
        for index in (0, 1)
    ]
    return [Flow(tuple(looks)), Flow(tuple(bodies))]


def _crossing_rows(ui: PanelState, ray: Unprojection) -> list[Row]:
    rows: list[Row] = []
    for index, letter in enumerate("AB"):
        cast = crossing(ui.analysis.scene.body(index), ray)
        rows.append(Words(f"The ray {met_words(letter, cast)}.", ui.theme.edge(index)))
        for hit, word in () if cast is None else ((cast.entry, "enters"), (cast.exit, "leaves")):
            if hit is not None:
                rows += _hit_rows(hit, word, letter)
    return rows


def _hit_rows(hit: RayHit, word: str, letter: str) -> list[Row]:
    note = "Distance along the ray from its start; the point and the outward normal copy too"
    point, where = short_vector(hit.point), f"the point where it {word} {letter}"
    t = Value(word, note, f"t = {short(hit.t)}", full(hit.t), f"t where it {word} {letter}")
    what = f"the normal where it {word} {letter}"
    return [
        Flow((t, Words(point, copied=vector17(hit.point), what=where))),
        Value("", "", f"n {short_vector(hit.normal)}", vector17(hit.normal), what),
    ]


def _article_rows(ui: PanelState, probe: RayProbe, ray: Unprojection) -> list[Row]:
    body, letter = ui.analysis.scene.body(probe.body), "AB"[probe.body]
    answers, right, test = article_answers(body, ray), crossing(body, ray), one_axis(body, ray)
    ink = ui.theme.gap if right is None else ui.theme.winner
    rows: list[Row] = [Words(f"Right: the ray {met_words(letter, right)}.", ink)]
    if test is not None:
        note = "From the centre to the line's nearest point, and the box's effective radius in that direction"
        compared = "≤" if test.distance <= test.radius else ">"
        words = f"|a| = {tabular(test.distance)} {compared} re = {tabular(test.radius)}"
        enters, leaves = "The latest of the three slabs' entries", "The earliest of the three slabs' exits"
        rows += [
            Value("one axis", note, words, vector17((test.distance, test.radius)), "|a| and re"),
            Value("enters", enters, f"t = {short(test.enters)}", full(test.enters)),
            Value("leaves", leaves, f"t = {short(test.leaves)}", full(test.leaves)),
        ]
    if not answers:
        none = f"The articles test spheres, boxes and capsules; {letter} is none of these."
        rows.append(Words(none, ui.theme.dim_text))
    return [*rows, *(_answer_row(ui, answer) for answer in answers)]


def _answer_row(ui: PanelState, answer: ArticleTestResult) -> Row:
    wrong = answer.says != answer.hits
    words = f"{'×' if wrong else '='} {article_words(answer)}"
    return Words(words, ui.theme.overlap if wrong else ui.theme.dim_text, answer.why)


def _cast_rows(ui: PanelState, probe: RayProbe, ray: Unprojection) -> list[Row]:
    cast = gjk_cast(ui.analysis.scene.body(probe.body), ray)
    if cast is None or not cast.steps:
        return [Words("A half-space has no support points: its ray has a closed form.", ui.theme.dim_text)]
    last = len(cast.steps) - 1
    place = min(probe.step, last)
    said, side = Words(f"step {place + 1} of {last + 1}"), imgui.get_frame_height()
    arrows = Own((2.0 * side + imgui.get_style().item_spacing.x, side), partial(_draw_arrows, ui, probe, place, last))
    steps = [_step_row(ui, probe, number, place, step) for number, step in enumerate(cast.steps)]
    return [Flow((arrows, said)), *steps]


def _draw_arrows(ui: PanelState, probe: RayProbe, place: int, last: int, ask: Ask) -> None:
    for arrow, target, note in ((imgui.Dir.left, place - 1, "Step back"), (imgui.Dir.right, place + 1, "Next step")):
        imgui.begin_disabled(not 0 <= target <= last)
        if imgui.arrow_button(f"##{note}", arrow):
            ask.look(replace(ui.view, probe=replace(probe, step=target)))
        imgui.end_disabled()
        explain(note)
        if target < place:
            imgui.same_line()


def _step_row(ui: PanelState, probe: RayProbe, number: int, place: int, step: GjkRaycastStep) -> Row:
    """The row of a step: the bound before it, the distance left, and its result.

    A click shows the step and copies t and the distance.
    """
    words = f"{number + 1}  {cast_step_words(step, short)}"
    ink, what = ui.theme.winner if number == place else ui.theme.dim_text, f"t and distance of step {number + 1}"
    shown = _put(ui, replace(probe, step=number))
    return Words(words, ink, copied=vector17((step.t, step.distance)), what=what, press=shown)
