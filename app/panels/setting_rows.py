"""The rows of the algorithms' settings: heading, name, tooltip, and the numbers that are accepted."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from core.analysis.algorithm_settings import SETTING_NAMES

from .numbers import refused_unless

MOST_ITERATIONS = 10_000
FARTHEST = 1e12
"""The largest distance along each axis by which bodies may be moved from the origin, scene units."""
_count = refused_unless(
    lambda value: value == int(value) and 1.0 <= value <= MOST_ITERATIONS,
    f"A whole number from 1 to {MOST_ITERATIONS:,} is needed.",
)
_distance = refused_unless(lambda value: value >= 0.0, "A distance of 0 or more is needed.")
_offset = refused_unless(
    lambda value: 0.0 <= value <= FARTHEST, f"A distance from 0 to {FARTHEST:,.0f} scene units is needed."
)
_fraction = refused_unless(lambda value: 0.0 <= value < 1.0, "A fraction from 0 to below 1 is needed.")


class SettingRow(Struct, frozen=True):
    """A row of the panel of settings.

    `path`: of the setting. `note`: its tooltip. `short`: its name below a heading that has the rest of it. `limit`:
    returns why a number is refused, "" if it is accepted; None for a setting that is no number.
    """

    path: str
    note: str
    short: str = ""
    limit: Callable[[float], str] | None = None

    @property
    def name(self) -> str:
        """The setting's name in its row."""
        return self.short or SETTING_NAMES[self.path].removeprefix("GJK ").removeprefix("EPA ")


GROUPS: dict[str, tuple[SettingRow, ...]] = {
    "GJK": (
        SettingRow(
            "gjk.iterations",
            "GJK stops after this many iterations and returns the bounds it has.",
            limit=_count,
        ),
        SettingRow(
            "gjk.sub_distance",
            "Method for the simplex point nearest the origin: Voronoi regions or signed volumes.",
        ),
        SettingRow(
            "gjk.first_direction",
            "GJK looks for its first support point along this direction.",
        ),
        SettingRow(
            "gjk.gap",
            "GJK stops when its bounds are this close (fraction of the pair's size). Larger is faster and"
            " less precise.",
            limit=_fraction,
        ),
        SettingRow(
            "gjk.certified",
            "A number is called certified if its bounds agree within this fraction of the larger body.",
            short="certified within",
            limit=_fraction,
        ),
    ),
    "EPA": (
        SettingRow(
            "epa.iterations",
            "EPA stops after this many expansions and returns its nearest face. With curved bodies it would never end.",
            limit=_count,
        ),
        SettingRow(
            "epa.gap",
            "EPA stops when its bounds are this close (fraction of the pair's size). Larger is faster and"
            " less precise.",
            limit=_fraction,
        ),
        SettingRow(
            "epa.certified",
            "A depth is called certified if its bounds agree within this fraction of the larger body.",
            short="certified within",
            limit=_fraction,
        ),
    ),
    "Bodies and start": (
        SettingRow(
            "rounded",
            "GJK and EPA work on cores and add the radii at the end, or on the curved shapes themselves.",
        ),
        SettingRow(
            "warm_start",
            "GJK starts in the directions of the previous run's simplex. This saves steps while you drag a body.",
        ),
    ),
    "Contacts": (
        SettingRow(
            "preference",
            'How contacts are made. "Tolerant" counts nearly flat faces as flat, "exact" does not. Jolt '
            "is rebuilt from its source (5.5.0). Of ODE, FCL, Bullet, Box3D and MuJoCo only the choice "
            "between face and edges is theirs, and exact clips. PhysX is left out. In the plane Box2D (3 "
            "and 2.4), dyn4j and Chipmunk are rebuilt from their sources; they clip edges at any angle, "
            "as exact does there, while tolerant and narrow do so within α.",
        ),
        SettingRow(
            "contacts.alpha",
            'Faces this close to perpendicular to the normal count as flat, in radians. For the policy "tolerant".',
            limit=_fraction,
        ),
        SettingRow(
            "contacts.delta",
            "Surfaces at most this far apart are in contact (fraction of the smaller body's largest half extent).",
            limit=_fraction,
        ),
        SettingRow(
            "contacts.speculative",
            "Bodies at most this far apart, in scene units, have hollow contacts before they touch, as in"
            " engines. Jolt's mSpeculativeContactDistance and Box3D's B3_SPECULATIVE_DISTANCE are 0.02 m.",
            short="speculative",
            limit=_distance,
        ),
        SettingRow(
            "reduce",
            "Keep at most four contacts.",
            short="at most four",
        ),
    ),
    "Difference": (
        SettingRow(
            "build",
            "Adds steps that build the difference by hand: all vertex differences, then their hull.",
            short="built by hand",
        ),
    ),
    "MPR": (
        SettingRow(
            "mpr",
            "Adds the steps of MPR after EPA: its portals follow the ray through both centres.",
            short="beside EPA",
        ),
    ),
    "SAT": (
        SettingRow(
            "faces_only",
            "SAT skips all edge pairs. Bodies that only an edge axis separates are then reported as overlapping.",
            short="faces alone",
        ),
    ),
    "Single precision": (
        SettingRow(
            "single.steps",
            "The steps of GJK and EPA are those in single precision (float32). The timeline marks where "
            "they begin to differ from double's.",
            short="GJK and EPA",
        ),
        SettingRow(
            "single.world",
            "Single precision computes in the world's frame, as many engines do. Otherwise it computes "
            "relative to A's position, which keeps more digits far from the origin.",
            short="the world's frame",
        ),
        SettingRow(
            "single.away",
            "Before their positions are rounded to float32, both bodies are moved so far along each axis,"
            " in scene units. The scene itself stays.",
            short="from the origin",
            limit=_offset,
        ),
    ),
    "2D": (
        SettingRow(
            "article",
            "In 2D: adds the steps of a published GJK before ours.",
            short="published GJK",
        ),
        SettingRow(
            "third_point",
            "The article turns a triangle's perpendicular by the third point itself. Correct is by the "
            "third point as seen from the edge.",
            short="third point",
        ),
    ),
}
"""The rows of the panel, by heading."""
