"""The algorithms that are stepped through, in the order of a query: a light entry for each, and a folder it loads.

An entry says what the timeline and the menus need at the start. The stage itself (words, picture, listing) is imported
when a step of it is first shown. A new algorithm is a folder with a `STAGE`, an entry here and an import in `stage_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from core.query.query import Moment, Phase, Query

from ..draw.draw_list import Rgba
from ..draw.theme import Palette, Theme, hex_rgba
from ..overlays.context import Context, Overlay, StepView
from ..state.tried import PARTS
from ..state.view import WHOLE
from ..words.axis_words import listed
from ..words.digits import written_of

if TYPE_CHECKING:
    from .stage import Part, Stage
    from .word_parts import StepText


class Entry(Struct, frozen=True):
    """What is known of a phase without its stage.

    `name`: on the timeline. `colours`: on dark and on light ground, then the same for the colour-blind. `inline`: the
    phase in the middle of a sentence, for tips; empty of what comes with the plane, a motion or a setting only.
    `about`: what a method about a motion does. `keeps`: overlays of the answer that stay at its steps, and "answer",
    the way out in the difference. `tells`: those that come with its verdict, at its last step or for whom the eye is
    open. `faint_difference`: A - B is a shell only, unless the step follows an axis of the table. `parts`: names of the
    sub-steps that its steps may have, as files have them, in order. `moves`: a whole step begins with a short motion,
    that of its row in the table of axes.
    """

    phase: Phase
    name: str
    colours: tuple[str, str, str, str]
    inline: str = ""
    about: str = ""
    keeps: frozenset[str] = frozenset({"difference"})
    tells: frozenset[str] = frozenset()
    faint_difference: bool = True
    parts: tuple[str, ...] = ()
    moves: bool = False

    def colour(self, theme: Theme) -> Rgba:
        """Its colour on the timeline, in charts and cards."""
        return hex_rgba(self.colours[2 * (theme.palette is not Palette.THEME) + (not theme.dark_panels)])


ARROWS = frozenset({"closest", "mtv"})
"""The answer's arrow between the bodies."""

ENTRIES = (
    Entry(
        Phase.BUILD,
        "Difference",
        ("#9aa5b5", "#5f6a77", "#9aa5b5", "#5f6a77"),
        "the difference",
        keeps=frozenset(),
        tells=ARROWS,
    ),
    Entry(Phase.PLANES, "Planes", ("#cfc24a", "#746a00", "#f7f097", "#605b1a"), tells=ARROWS, faint_difference=False),
    Entry(
        Phase.SAT,
        "SAT",
        ("#7fc97f", "#287741", "#40b696", "#006f50"),
        "SAT",
        keeps=frozenset({"difference", "axes", "globe", "gauss", "gauss_large", "free_axis"}),
        tells=ARROWS,
        faint_difference=False,
        parts=PARTS,
        moves=True,
    ),
    Entry(Phase.ARTICLE, "Article's GJK", ("#f07fae", "#b3246c", "#db7423", "#753400")),
    Entry(
        Phase.GJK,
        "GJK",
        ("#4fb8e8", "#086fa4", "#56b4e9", "#006eab"),
        "GJK",
        parts=(
            *("start", "start 2", "start 3", "start 4", "nearest", "direction", "support A", "support B", "subtract"),
            *("lower", "bounds", "drop", "stop"),
        ),
    ),
    Entry(
        Phase.EPA,
        "EPA",
        ("#b98cf0", "#7c46c8", "#cc79a7", "#8f5575"),
        "EPA",
        parts=(*("hand-over", "closest", "lower", "support", "upper", "visible", "horizon", "join", "bounds", "stop"),),
    ),
    Entry(
        Phase.MPR,
        "MPR",
        ("#f05ce8", "#2c1f8c", "#2fae2f", "#cd0f57"),
        parts=("portal", "origin-ray", "support A", "support B", "subtract", "discover", "refine", "depth", "stop"),
    ),
    Entry(
        Phase.CONTACTS,
        "Contacts",
        ("#f2a65a", "#a1550b", "#ecb740", "#8c6000"),
        "the contacts",
        keeps=frozenset({"difference", "answer"}),
        faint_difference=False,
        parts=("side", "cut"),
    ),
    Entry(
        Phase.SCALED,
        "Scaled space",
        ("#e6b8ff", "#a2389e", "#e3b5cf", "#523043"),
        about="Space is scaled until the ellipsoid is a unit sphere; the time is the same in both.",
    ),
    Entry(
        Phase.PLANE,
        "Plane",
        ("#b98a3e", "#6e3b3b", "#eaae80", "#351800"),
        about="How far the body reaches towards the plane, and when it has come this close.",
    ),
    Entry(
        Phase.SPHERES,
        "Spheres",
        ("#98e63e", "#066c24", "#78c15a", "#003f2e"),
        about="The closest approach of both centres, and the smaller root before it.",
    ),
    Entry(
        Phase.REGIONS,
        "Regions",
        ("#ffb3c4", "#cc0060", "#f5e4ed", "#ae3c8a"),
        about="The sphere's centre walks through the 27 regions about the box.",
    ),
    Entry(
        Phase.ROUNDED,
        "Grown A − B",
        ("#3da34a", "#ae12d2", "#b472e9", "#9c37c9"),
        about="The origin's path against A − B grown by the radius, edge by edge and corner by corner.",
    ),
    Entry(
        Phase.INTERVALS,
        "Entry and exit",
        ("#f4efa0", "#846048", "#f2e755", "#83633b"),
        about="From entry to exit on each axis: they touch at the latest entry, if no exit comes before.",
    ),
    Entry(
        Phase.SWEPT,
        "21 axes",
        ("#e36a5d", "#a3241c", "#d2756b", "#a5512e"),
        about="Yes or no: does any axis separate A from all that B passes?",
    ),
    Entry(
        Phase.RAY,
        "Ray cast",
        ("#5ce6c4", "#007668", "#abdaf4", "#2f6380"),
        about="The origin's path cast against A − B: each plane proves a part of it free.",
    ),
    Entry(
        Phase.ADVANCEMENT,
        "Advancement",
        ("#7486ff", "#3b4fd0", "#4397c6", "#3f46c0"),
        about="Steps forward in time, each as long as the distance allows.",
    ),
)
"""In the order of the phases of a query."""

BY_PHASE = {entry.phase: entry for entry in ENTRIES}


def entry_of(phase: Phase) -> Entry:
    """The entry of a phase."""
    return BY_PHASE[phase]


def stage_of(phase: Phase) -> Stage:
    """The stage of a phase, imported with its first step."""
    match phase:
        case Phase.BUILD:
            from .build import STAGE
        case Phase.PLANES:
            from .planes import STAGE
        case Phase.SAT:
            from .sat import STAGE
        case Phase.ARTICLE:
            from .article import STAGE
        case Phase.GJK:
            from .gjk import STAGE
        case Phase.EPA:
            from .epa import STAGE
        case Phase.MPR:
            from .mpr import STAGE
        case Phase.CONTACTS:
            from .contacts import STAGE
        case Phase.SCALED:
            from .motion.plane import SCALED as STAGE
        case Phase.PLANE:
            from .motion.plane import PLANE as STAGE
        case Phase.SPHERES:
            from .motion.spheres import SPHERES as STAGE
        case Phase.REGIONS:
            from .motion.spheres import REGIONS as STAGE
        case Phase.ROUNDED:
            from .motion.rounded import ROUNDED as STAGE
        case Phase.INTERVALS:
            from .motion.axes import INTERVALS as STAGE
        case Phase.SWEPT:
            from .motion.axes import SWEPT as STAGE
        case Phase.RAY:
            from .motion.ray import RAY as STAGE
        case Phase.ADVANCEMENT:
            from .motion.advancement import ADVANCEMENT as STAGE
    return STAGE


def at_its_step(context: Context) -> Context:
    """The context with what the stage of the step shown says to the overlays; itself without a step."""
    if context.moment is None or context.step_view is not None:
        return context
    entry = entry_of(context.moment.phase)
    return replace(context, step_view=StepView(entry.keeps, entry.faint_difference, stage_of(entry.phase).focus))


def stands(overlay: Overlay, phase: Phase | None, *, told: bool = False) -> bool:
    """Whether an overlay is drawn at the steps of a phase, or at those where its verdict is `told`.

    Without a phase everything is.
    """
    if phase is None or not overlay.of_answer:
        return True
    entry = entry_of(phase)
    return overlay.id in entry.keeps or (told and overlay.id in entry.tells)


def absence(overlay: Overlay) -> str:
    """At which steps an overlay is not drawn, in a sentence; "" where it is at all."""
    told = [entry for entry in ENTRIES if entry.inline]
    missing = [entry.inline for entry in told if not stands(overlay, entry.phase)]
    staying = [entry.inline for entry in told if stands(overlay, entry.phase)]
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
    """An overlay's tip, with the steps at which there is nothing of it."""
    return f"{overlay.tip}. {absence(overlay)}" if absence(overlay) else overlay.tip


def parts_of(query: Query, moment: Moment) -> tuple[Part, ...]:
    """The sub-steps of one of a query's moments, in order; imported with the first of them. Pure."""
    from .stage import At

    at: At[Any] = At(query, moment)
    match moment.phase:
        case Phase.SAT:
            from .sat.sub_steps import sat_parts

            return sat_parts(at)
        case Phase.GJK:
            from .gjk.sub_steps import gjk_parts

            return gjk_parts(at)
        case Phase.EPA:
            from .epa.sub_steps import epa_parts

            return epa_parts(at)
        case Phase.MPR:
            from .mpr.sub_steps import mpr_parts

            return mpr_parts(at)
        case Phase.CONTACTS:
            from .contacts.sub_steps import contact_parts

            return contact_parts(at)
    return ()


def part_of(query: Query, moment: Moment, name: str) -> Part | None:
    """The sub-step of that name; None for the whole step."""
    return None if name == WHOLE else next((part for part in parts_of(query, moment) if part.name == name), None)


def step_text(query: Query, moment: Moment, name: str = WHOLE) -> StepText:
    """Everything to say about one of a query's moments, or about the sub-step of that name alone; pure."""
    with written_of(query.analysis.scene):
        return _step_text(query, moment, name)


def _step_text(query: Query, moment: Moment, name: str) -> StepText:
    from .stage import At

    text, part = stage_of(moment.phase).words(At(query, moment)), part_of(query, moment, name)
    if part is not None:
        return replace(
            text,
            title=f"{text.title.partition(':')[0]}: {part.name}",
            known="",
            decided=part.sentence,
            why="",
            formulas=part.formulas,
            stop=text.stop if part.name == "stop" else None,
        )
    return text
