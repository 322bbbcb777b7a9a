"""The algorithms that can be stepped through: one row each, in the order of a query's phases.

A row holds the facts that the timeline and the menus need at the start of the program. The stage itself (words,
pictures, listing) is imported when one of its steps is first shown. A new algorithm needs a module with a `Stage`, and
a row here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from core.query.query import Moment, Phase, Query

from ..draw.draw_list import Rgba
from ..draw.theme import Palette, Theme, hex_rgba
from ..overlays.context import Context, Overlay, StepView
from ..state.sat_progress import ROW_PARTS
from ..state.view import WHOLE
from ..words.axis_words import listed
from ..words.digits import written_of

if TYPE_CHECKING:
    from .stage import At, Stage, SubStep
    from .word_parts import StepText


class AlgorithmSpec(Struct, frozen=True):
    """The properties of a phase that are known without importing its stage.

    `stage`: the place of its `Stage`. `sub_steps`: the place of the function that makes a step's sub-steps, "" if there
    are none. Both are written as `pkgutil.resolve_name` reads them. `name`: on the timeline. `colours`: on dark ground
    and on light with the theme's palette, then both again for the other palettes. `inline`: the phase's name within a
    sentence, for tips; "" for phases that need a 2D scene, a motion or a setting. `about`: a sentence on a method for
    motions, "" for other phases.

    `answer_overlays`: ids of the answer's overlays that are drawn at its steps; "answer" among them means the way out
    in the difference. `verdict_overlays`: ids of more overlays, drawn with the phase's verdict: at its last step, or
    while the eye beside the verdict is open. `faint_difference`: A - B is drawn as a shell only; at a motion's step
    about an axis of the table it is not. `parts`: names of the sub-steps that its steps may have, in order, as files
    write them. `moves`: a whole step begins with a short animation if sub-steps are not stepped through. `in_world`:
    its steps are about the bodies, otherwise about A − B; a figure with room for one pane is chosen by this.
    """

    phase: Phase
    stage: str
    name: str
    colours: tuple[str, str, str, str]
    inline: str = ""
    about: str = ""
    answer_overlays: frozenset[str] = frozenset({"difference"})
    verdict_overlays: frozenset[str] = frozenset()
    faint_difference: bool = True
    parts: tuple[str, ...] = ()
    sub_steps: str = ""
    moves: bool = False
    in_world: bool = True

    def colour(self, theme: Theme) -> Rgba:
        """The phase's colour on the timeline, in charts and cards."""
        return hex_rgba(self.colours[2 * (theme.palette is not Palette.THEME) + (not theme.dark_panels)])


ARROWS = frozenset({"closest", "mtv"})
"""Ids of the overlays that draw the answer's arrow between the bodies."""

ALGORITHMS = (
    AlgorithmSpec(
        Phase.BUILD,
        "app.stages.build:STAGE",
        "Difference",
        ("#9aa5b5", "#5f6a77", "#9aa5b5", "#5f6a77"),
        "the difference",
        answer_overlays=frozenset(),
        verdict_overlays=ARROWS,
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.PLANES,
        "app.stages.planes:STAGE",
        "Planes",
        ("#cfc24a", "#746a00", "#f7f097", "#605b1a"),
        verdict_overlays=ARROWS,
        faint_difference=False,
    ),
    AlgorithmSpec(
        Phase.SAT,
        "app.stages.sat:STAGE",
        "SAT",
        ("#7fc97f", "#287741", "#40b696", "#006f50"),
        "SAT",
        answer_overlays=frozenset({"difference", "axes", "globe", "gauss", "gauss_large", "gauss_body", "free_axis"}),
        verdict_overlays=ARROWS,
        faint_difference=False,
        sub_steps="app.stages.sat.words:sat_parts",
        parts=ROW_PARTS,
        moves=True,
    ),
    AlgorithmSpec(
        Phase.ARTICLE,
        "app.stages.article:STAGE",
        "Published GJK",
        ("#f07fae", "#b3246c", "#db7423", "#753400"),
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.GJK,
        "app.stages.gjk:STAGE",
        "GJK",
        ("#4fb8e8", "#086fa4", "#56b4e9", "#006eab"),
        "GJK",
        sub_steps="app.stages.gjk.steps:gjk_parts",
        parts=(
            *("start", "start 2", "start 3", "start 4", "nearest", "direction", "support A", "support B", "subtract"),
            *("lower", "bounds", "drop", "stop"),
        ),
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.EPA,
        "app.stages.epa:STAGE",
        "EPA",
        ("#b98cf0", "#7c46c8", "#cc79a7", "#8f5575"),
        "EPA",
        sub_steps="app.stages.epa.steps:epa_parts",
        parts=(*("hand-over", "closest", "lower", "support", "upper", "visible", "horizon", "join", "bounds", "stop"),),
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.MPR,
        "app.stages.mpr:STAGE",
        "MPR",
        ("#f05ce8", "#2c1f8c", "#2fae2f", "#cd0f57"),
        sub_steps="app.stages.mpr.steps:mpr_parts",
        parts=("portal", "origin-ray", "support A", "support B", "subtract", "discover", "refine", "depth", "stop"),
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.CONTACTS,
        "app.stages.contacts:STAGE",
        "Contacts",
        ("#f2a65a", "#a1550b", "#ecb740", "#8c6000"),
        "the contacts",
        answer_overlays=frozenset({"difference", "answer"}),
        faint_difference=False,
        sub_steps="app.stages.contacts.cut:contact_parts",
        parts=("side", "cut"),
    ),
    AlgorithmSpec(
        Phase.SCALED,
        "app.stages.motion.plane:SCALED_STAGE",
        "Scaled space",
        ("#e6b8ff", "#a2389e", "#e3b5cf", "#523043"),
        about="Space is scaled until the ellipsoid is a unit sphere; the time is the same in both.",
    ),
    AlgorithmSpec(
        Phase.PLANE,
        "app.stages.motion.plane:PLANE_STAGE",
        "Plane",
        ("#b98a3e", "#6e3b3b", "#eaae80", "#351800"),
        about="How far the body reaches towards the plane, and when it has come this close.",
    ),
    AlgorithmSpec(
        Phase.SPHERES,
        "app.stages.motion.spheres:SPHERES_STAGE",
        "Spheres",
        ("#98e63e", "#066c24", "#78c15a", "#003f2e"),
        about="The closest approach of both centres, and the smaller root before it.",
    ),
    AlgorithmSpec(
        Phase.REGIONS,
        "app.stages.motion.spheres:REGIONS_STAGE",
        "Regions",
        ("#ffb3c4", "#cc0060", "#f5e4ed", "#ae3c8a"),
        about="The sphere's centre walks through the 27 regions about the box.",
    ),
    AlgorithmSpec(
        Phase.ROUNDED,
        "app.stages.motion.rounded:ROUNDED_STAGE",
        "Grown A − B",
        ("#3da34a", "#ae12d2", "#b472e9", "#9c37c9"),
        about="The origin's path against A − B grown by the radius, edge by edge and corner by corner.",
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.INTERVALS,
        "app.stages.motion.axes:INTERVALS_STAGE",
        "Entry and exit",
        ("#f4efa0", "#846048", "#f2e755", "#83633b"),
        about="From entry to exit on each axis: they touch at the latest entry, if no exit comes before.",
    ),
    AlgorithmSpec(
        Phase.SWEPT,
        "app.stages.motion.axes:SWEPT_STAGE",
        "21 axes",
        ("#e36a5d", "#a3241c", "#d2756b", "#a5512e"),
        about="Yes or no: does any axis separate A from all that B passes?",
    ),
    AlgorithmSpec(
        Phase.RAY,
        "app.stages.motion.ray:RAY_STAGE",
        "Ray cast",
        ("#5ce6c4", "#007668", "#abdaf4", "#2f6380"),
        about="The origin's path cast against A − B: each plane proves a part of it free.",
        in_world=False,
    ),
    AlgorithmSpec(
        Phase.ADVANCEMENT,
        "app.stages.motion.advancement:ADVANCEMENT_STAGE",
        "Advancement",
        ("#7486ff", "#3b4fd0", "#4397c6", "#3f46c0"),
        about="Steps forward in time, each as long as the distance allows.",
    ),
)
"""The rows, in the order of a query's phases."""

BY_PHASE = {spec.phase: spec for spec in ALGORITHMS}


def spec_of(phase: Phase) -> AlgorithmSpec:
    """The row of a phase."""
    return BY_PHASE[phase]


@cache
def stage_of(phase: Phase) -> Stage:
    """The stage of a phase, imported with its first step."""
    stage: Stage = resolve_name(BY_PHASE[phase].stage)
    return stage


@cache
def _sub_steps(phase: Phase) -> Callable[[At[Any]], tuple[SubStep, ...]]:
    where = BY_PHASE[phase].sub_steps
    make: Callable[[At[Any]], tuple[SubStep, ...]] = resolve_name(where) if where else lambda _at: ()
    return make


def at_its_step(context: Context) -> Context:
    """Adds the `step_view` of the step shown; returns the context itself without a step or with a `step_view`."""
    if context.moment is None or context.step_view is not None:
        return context
    spec = spec_of(context.moment.phase)
    return replace(context, step_view=StepView(spec.answer_overlays, spec.faint_difference, stage_of(spec.phase).focus))


def overlay_is_shown(overlay: Overlay, phase: Phase | None, *, at_end: bool = False) -> bool:
    """Whether an overlay is drawn at the steps of a phase; `at_end`: the phase's verdict may be shown.

    Without a phase every overlay is drawn, and an overlay that does not belong to the answer is always drawn.
    """
    if phase is None or not overlay.of_answer:
        return True
    spec = spec_of(phase)
    return overlay.id in spec.answer_overlays or (at_end and overlay.id in spec.verdict_overlays)


def hidden_steps_text(overlay: Overlay) -> str:
    """A sentence on the steps at which an overlay is hidden; "" if it is drawn at all steps.

    Only the phases that have an `inline` name count.
    """
    told = [spec for spec in ALGORITHMS if spec.inline]
    missing = [spec.inline for spec in told if not overlay_is_shown(overlay, spec.phase)]
    staying = [spec.inline for spec in told if overlay_is_shown(overlay, spec.phase)]
    if not missing:
        return ""
    if overlay.id in ARROWS:
        return "While stepping, shown only at SAT's last step, or earlier if the eye beside the verdict is open."
    if not staying:
        return "Hidden while stepping, so as not to give the result away."
    if len(missing) < len(staying):
        return f"Hidden at the steps of {listed(missing)}."
    return f"While stepping, shown only at the steps of {listed(staying)}."


def tip_of(overlay: Overlay) -> str:
    """An overlay's tip, with the sentence on the steps at which it is hidden, if any."""
    return f"{overlay.tip}. {hidden_steps_text(overlay)}" if hidden_steps_text(overlay) else overlay.tip


def parts_of(query: Query, moment: Moment) -> tuple[SubStep, ...]:
    """The sub-steps of one of a query's moments, in order; their module is imported at first use. Pure."""
    from .stage import At

    return _sub_steps(moment.phase)(At(query, moment))


def part_of(query: Query, moment: Moment, name: str) -> SubStep | None:
    """The sub-step of that name; None for the whole step, or if the moment has no such sub-step."""
    return None if name == WHOLE else next((part for part in parts_of(query, moment) if part.name == name), None)


def step_text(query: Query, moment: Moment, name: str = WHOLE) -> StepText:
    """The text of one of a query's moments, or of only its sub-step called `name`, if it has that one. Pure."""
    with written_of(query.analysis.scene):
        return _step_text(query, moment, name)


def _step_text(query: Query, moment: Moment, name: str) -> StepText:
    from .stage import At, Heading

    at = At[Any](query, moment)
    text, part = stage_of(moment.phase).words(at), part_of(query, moment, name)
    if query.single is not None:
        from .single import with_double

        text = with_double(at, text)
    if part is not None:
        return replace(
            text,
            title=f"{text.title.partition(':')[0]}: {part.name}",
            known="",
            # At a stop the sentence would repeat the stop's meaning.
            decided="" if part.heading is Heading.RESULT else part.sentence,
            why="",
            beside="",
            formulas=part.formulas,
            stop=text.stop if part.name == "stop" else None,
        )
    return text
