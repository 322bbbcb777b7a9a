"""The ray's part of the probes' card: the pixel's way back into the world, and what the ray meets.

With it the rows of every part: a dim name with its explanation, and numbers that a click copies.
"""

from __future__ import annotations

from collections.abc import Iterable

from imgui_bundle import imgui
from msgspec.structs import replace

from core.rays.raycast import GjkRaycastStep, RayCast, RayHit

from ..draw.draw_list import Rgba
from ..probes import Lens, RayLook, RayProbe
from ..probes.ray import (
    ArticleAnswer,
    Unprojection,
    article_answers,
    crossing,
    gjk_cast,
    lens_of,
    one_axis,
    picked_words,
    ray_of,
    shifts,
    with_lens,
    with_shift,
)
from ..state.panel_state import PanelState
from ..state.requests import Invoke, Look
from ..words.digits import full, tabular
from .numbers import short, short_vector, vector17
from .panel import Ask
from .text import coloured, copyable, em, explain, flow, write
from .widgets import button_width

NAME_EMS = 5.0
"""Width of the column of names."""


def titled(title: str, note: str) -> None:
    """A row's name; its value follows on the same line."""
    imgui.text_disabled(title)
    explain(note)
    imgui.same_line(imgui.get_style().window_padding.x + NAME_EMS * em())


def row(title: str, note: str, numbers: Iterable[float], ask: Ask, rgba: Rgba | None = None) -> None:
    """A vector."""
    known = [float(number) for number in numbers]
    titled(title, note)
    copyable(short_vector(known), vector17(known), title, ask, rgba=rgba)


def number_row(title: str, note: str, number: float, ask: Ask, rgba: Rgba | None = None) -> None:
    """A number with its sign."""
    titled(title, note)
    copyable(f"{'+' if number > 0.0 else ''}{short(number)}", full(number), title, ask, rgba=rgba)


def text_row(title: str, note: str, shown: str, copied: str, ask: Ask, rgba: Rgba | None = None) -> None:
    """Words that stand for numbers."""
    titled(title, note)
    copyable(shown, copied, title, ask, rgba=rgba)


def button(label: str, command: str, note: str, ask: Ask) -> None:
    """A small button that runs a command."""
    if imgui.small_button(label):
        ask.append(Invoke(command))
    explain(note)


STOPS = {
    "HIT": "arrived: a hit",
    "INSIDE": "starts inside",
    "GRAZING": "grazes",
    "MISS": "a miss: the ray starts in front of the plane and leads away",
    "BEYOND_REACH": "beyond the reach",
    "NO_PROGRESS": "no progress: a near miss",
    "ITERATION_LIMIT": "too many steps",
}
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
LOOKS = {RayLook.CROSSINGS: "entry and exit", RayLook.ONE_AXIS: "the article's tests", RayLook.CAST: "GJK ray cast"}


def draw_ray(ui: PanelState, probe: RayProbe, ask: Ask) -> None:
    """Everything about a ray, top to bottom as it comes about."""
    ray = ray_of(probe)
    _draw_lens(ui, probe, ask)
    _draw_unprojection(ui, probe, ray, ask)
    imgui.separator()
    _draw_choice(ui, probe, ask)
    match probe.look:
        case RayLook.CROSSINGS:
            _draw_crossings(ui, ray, ask)
        case RayLook.ONE_AXIS:
            _draw_articles(ui, probe, ray, ask)
        case RayLook.CAST:
            _draw_cast(ui, probe, ray, ask)
    imgui.separator()
    button("from the side", "ray.side", "Look at the ray from the side, with the eye in view", ask)
    flow(button_width("from the eye"))
    button("from the eye", "ray.eye", "Look from where the ray was shot", ask)
    flow(button_width("another ray"))
    button("another ray", "ray.shoot", "Then click another pixel, or drag the pixel in its near plane", ask)


def _draw_unprojection(ui: PanelState, probe: RayProbe, ray: Unprojection, ask: Ask) -> None:
    (x, y), (width, height) = probe.pixel, probe.size
    pixel = f"{x:.1f}, {y:.1f} of {width:.0f} × {height:.0f}"
    text_row("1 pixel", "From the pane's top left corner, y down", pixel, vector17(probe.pixel), ask)
    row("2 device", "Normalised: −1 to 1 across the pane, x right, y up", ray.device, ask)
    note = "On the near plane by the inverse of the projection, divided by w: x right, y up, −z ahead"
    row("3 view", note, ray.view_near, ask)
    row("4 world", "The same point by the inverse of the view", ray.near, ask)
    row("eye", "Where the camera stands", ray.eye, ask)
    row("5 ray", "Unit direction: from the near plane's point to the far plane's", ray.direction, ask, ui.theme.winner)
    if ray.shortcut_differs:
        write(MISLED[lens_of(probe)], ui.theme.overlap)
        row("shortcut", "(x tan, y tan, −1) from the eye, whatever the camera", ray.shortcut, ask, ui.theme.overlap)
        scene = ui.analysis.scene
        right, wrong = (picked_words(scene, *way) for way in ((ray.origin, ray.direction), (ray.eye, ray.shortcut)))
        write(
            f"The ray picks {right}, the shortcut {wrong}{'' if right == wrong else ', wrong'}.",
            ui.theme.dim_text if right == wrong else ui.theme.overlap,
        )


def _draw_lens(ui: PanelState, probe: RayProbe, ask: Ask) -> None:
    """The camera that shoots; of a window off centre how far it lies aside, with the same ray through it."""
    lens = lens_of(probe)
    for place, choice in enumerate(Lens):
        if place:
            flow(button_width(choice.value) + 1.5 * imgui.get_frame_height())
        if imgui.radio_button(choice.value, lens is choice) and lens is not choice:
            ask.append(Look(replace(ui.view, probe=with_lens(probe, choice))))
        explain(LENSES[choice])
    if lens is Lens.OFF_CENTRE:
        low, high = shifts(probe)
        imgui.align_text_to_frame_padding()
        titled("aside", "The window's middle to the right of straight ahead, in halves of its width")
        imgui.set_next_item_width(12.0 * em())
        changed, shift = imgui.slider_float("##aside", probe.shift, low, high, "%+.2f")
        if changed and shift != probe.shift:
            ask.append(Look(replace(ui.view, probe=with_shift(probe, shift))))


def _draw_choice(ui: PanelState, probe: RayProbe, ask: Ask) -> None:
    for place, (look, words) in enumerate(LOOKS.items()):
        if place:
            flow(button_width(words) + 1.5 * imgui.get_frame_height())
        if imgui.radio_button(words, probe.look is look):
            ask.append(Look(replace(ui.view, probe=replace(probe, look=look))))
    if probe.look is RayLook.CROSSINGS:
        return
    for index in (0, 1):
        if index:
            imgui.same_line()
        if imgui.radio_button(f"against {'AB'[index]}", probe.body == index):
            ask.append(Look(replace(ui.view, probe=replace(probe, body=index, step=0))))


def _draw_crossings(ui: PanelState, ray: Unprojection, ask: Ask) -> None:
    for index in (0, 1):
        cast = crossing(ui.analysis.scene.body(index), ray)
        rgba, letter = ui.theme.edge(index), "AB"[index]
        write(_cast_words(letter, cast), rgba)
        if cast is None:
            continue
        for hit, word in ((cast.entry, "enters"), (cast.exit, "leaves")):
            if hit is not None:
                _draw_hit(hit, word, letter, ask)


def _cast_words(letter: str, cast: RayCast | None) -> str:
    if cast is None:
        return f"{letter}: missed"
    if cast.inside:
        return f"{letter}: the ray starts inside" + ("" if cast.exit is not None else " and never leaves")
    return f"{letter}: hit" + ("" if cast.exit is not None else ", never left")


def _draw_hit(hit: RayHit, word: str, letter: str, ask: Ask) -> None:
    titled(word, "Distance along the ray from its start; the point and the outward normal copy too")
    copyable(f"t = {short(hit.t)}", full(hit.t), f"t where it {word} {letter}", ask)
    imgui.same_line()
    copyable(short_vector(hit.point), vector17(hit.point), f"the point where it {word} {letter}", ask)
    titled("", "")
    copyable(f"n {short_vector(hit.normal)}", vector17(hit.normal), f"the normal where it {word} {letter}", ask)


def _draw_articles(ui: PanelState, probe: RayProbe, ray: Unprojection, ask: Ask) -> None:
    body, letter = ui.analysis.scene.body(probe.body), "AB"[probe.body]
    answers = article_answers(body, ray)
    right = crossing(body, ray)
    write(
        f"Right: the ray {'misses' if right is None else 'hits'} {letter}.",
        ui.theme.gap if right is None else ui.theme.winner,
    )
    test = one_axis(body, ray)
    if test is not None:
        titled(
            "one axis", "From the centre to the line's nearest point, and the box's effective radius in that direction"
        )
        compared = "≤" if test.distance <= test.radius else ">"
        words = f"|a| = {tabular(test.distance)} {compared} re = {tabular(test.radius)}"
        copyable(words, vector17((test.distance, test.radius)), "|a| and re", ask)
        for name, note, t in (
            ("enters", "The latest of the three slabs' entries", test.enters),
            ("leaves", "The earliest of the three slabs' exits", test.leaves),
        ):
            text_row(name, note, f"t = {short(t)}", full(t), ask)
    if not answers:
        imgui.text_disabled(f"The articles test spheres, boxes and capsules; {letter} is none of these.")
    for answer in answers:
        _draw_answer(ui, answer)


def _draw_answer(ui: PanelState, answer: ArticleAnswer) -> None:
    wrong = answer.says != answer.hit
    words = f"{'×' if wrong else '='} {answer.title}: {'hit' if answer.says else 'miss'}{', wrong' if wrong else ''}"
    write(words, ui.theme.overlap if wrong else ui.theme.dim_text)
    explain(answer.why)


def _draw_cast(ui: PanelState, probe: RayProbe, ray: Unprojection, ask: Ask) -> None:
    cast = gjk_cast(ui.analysis.scene.body(probe.body), ray)
    if cast is None or not cast.steps:
        imgui.text_disabled("A half-space has no support points: its ray has a closed form.")
        return
    last = len(cast.steps) - 1
    place = min(probe.step, last)
    for way, target, note in ((imgui.Dir.left, place - 1, "Step back"), (imgui.Dir.right, place + 1, "Next step")):
        imgui.begin_disabled(not 0 <= target <= last)
        if imgui.arrow_button(f"##{note}", way):
            ask.append(Look(replace(ui.view, probe=replace(probe, step=target))))
        imgui.end_disabled()
        explain(note)
        imgui.same_line()
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(f"step {place + 1} of {last + 1}")
    for number, step in enumerate(cast.steps):
        _draw_step(ui, probe, number, place, step, ask)


def _draw_step(ui: PanelState, probe: RayProbe, number: int, place: int, step: GjkRaycastStep, ask: Ask) -> None:
    """One line a step: the bound before it, what is left, and what it did. A click shows it."""
    done = STOPS[step.stop] if step.stop is not None else f"on to t = {short(step.next_t)}" if step.clipped else "turns"
    words = f"{number + 1}  t ≥ {short(step.t)}, {short(max(step.distance, 0.0))} left: {done}"
    with coloured(ui.theme.winner if number == place else ui.theme.dim_text):
        copyable(words, vector17((step.t, step.distance)), f"t and distance of step {number + 1}", ask)
    if imgui.is_item_clicked():
        ask.append(Look(replace(ui.view, probe=replace(probe, step=number))))
