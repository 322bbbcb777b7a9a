"""Words for contacts: their names and numbers, angles, and the flatness of the features that touch."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import degrees

from core.contact.contact import Contact, Manifold
from core.contact.tracking import TrackedFrame, next_frame
from core.query.query import Query
from core.scene import Scene

from ..words.names import contact_features
from .digits import in_degrees, plain, written
from .names import numbered

EARLIER = "Contacts of an earlier moment: they follow when you let go."
"""A note during a drag, if the contacts take longer than a frame to compute."""

ROUNDING_ANGLE = 1e-6
"""Degrees. A smaller angle is rounding, also in a mesh of single precision."""


def angle_words(radians: float) -> str:
    """An angle in radians as degrees, written by `digits.in_degrees`; `≈ 0°` for an angle below ROUNDING_ANGLE."""
    told = degrees(radians)
    return "≈ 0°" if 0.0 < told < ROUNDING_ANGLE else in_degrees(told)


def angles_beside(first: float, second: float) -> tuple[str, str]:
    """Two angles, radians, as degrees with enough digits to see which is larger."""
    told = angle_words(first), angle_words(second)
    counts = iter((3, 6, 17))
    while first != second and told[0] == told[1] and (count := next(counts, None)) is not None:
        told = f"{written(degrees(first), count)}°", f"{written(degrees(second), count)}°"
    return told


CONTACT = "contact"
"""The kind of subject for a contact of the manifold; its number is the contact's."""


@lru_cache(maxsize=16)
def contact_numbers(query: Query) -> Mapping[str, int]:
    """The number of each contact of a query by its name, kept or dropped by the reduction; empty without a manifold.

    The answer's contacts are numbered from 0 in their order. A contact of the query that is one of them, by its name or
    by its place, has its number there, and so the same one under every policy; the others follow, by their names.
    """
    found, answer, scene = query.manifold, query.analysis.contacts, query.analysis.scene
    if found is None:
        return {}
    own, contacts = () if answer is None else answer.contacts, (*found.contacts, *found.dropped)
    before = TrackedFrame(scene.a, scene.b, own, tuple(range(len(own))), len(own))
    ids = next_frame(before, scene.a, scene.b, contacts).frame.ids
    return {contact.name: number for contact, number in zip(contacts, ids, strict=True)}


def contact_name(number: int) -> str:
    """The name of the contact with this number: `c₁` for number 0."""
    return numbered("c", number + 1)


def contact_text(scene: Scene, number: int, contact: Contact) -> str:
    """A contact with its features and its depth: `c₃: A.plane | B.rim −y.2, depth 0.05`."""
    return f"{contact_name(number)}: {contact_features(scene, contact)}, {depth_words(contact.depth)}"


def depth_words(depth: float) -> str:
    """`depth 0.05`; `depth −0.05` where the surfaces are apart."""
    return f"depth {plain(depth)}"


def depth_of_all(depths: Sequence[float]) -> str:
    """The depth of several contacts in words, if they all read alike; else ""."""
    first, *others = [depth_words(depth) for depth in depths] or [""]
    return first if others and set(others) == {first} else ""


def in_words_of(words: str, *, plane: bool) -> str:
    """Words about contacts; for a scene of the `plane` the nouns of space are replaced, such as face by edge."""
    if not plane:
        return words
    for there, here in (("A polygon", "A segment"), ("plane", "line"), ("face", "edge"), ("corner", "end")):
        words = re.sub(rf"\b{there}\b", here, words)
    return words.replace("corners", "ends").replace("Corners", "Ends")


def flatness_words(found: Manifold, plane: bool) -> str:
    """Sentences on the number of contacts and their tolerances: the gaps counted as contacts, the angles as flat.

    Empty if the manifold has no flatness or no contact.
    """
    flatness = found.flatness
    if flatness is None or not found.contacts:
        return ""
    line, told = "edge" if plane else "line", ""
    flat = [
        (line if kind == "segment" else "face", angle_words(angle))
        for kind, angle in zip(flatness.kinds, flatness.angles, strict=True)
        if kind != "point" and angle is not None and angle <= flatness.alpha
    ]
    within = f"perpendicular to the normal (at most {angle_words(flatness.alpha)} off counts as flat)."
    if len(flat) == 1:
        told = f" The {flat[0][0]} is {_off(flat[0][1])}{within}"
    elif flat:
        (one, first), (other, second) = flat
        if first == second:
            who = f"Both {one}s" if one == other else f"The {one} and the {other}"
            told = f" {who} are {_off(first)}{within}"
        elif one == other:
            told = f" {one.capitalize()}s are {first} and {second} from {within}"
        else:
            told = f" The {one} is {first} and the {other} {second} from {within}"
    count = len(found.contacts)
    contacts = "1 contact" if count == 1 else f"{count} contacts"
    gaps = f"; {flatness.gaps} {'is' if flatness.gaps == 1 else 'are'} apart, by at most {plain(flatness.delta)}"
    left_out = f" {flatness.dropped} corners of the patch were left out." if flatness.dropped else ""
    return f"{contacts}{gaps if flatness.gaps else ''}.{left_out}{told}"


def _off(angle: str) -> str:
    """The words before "perpendicular": none for an angle of exactly 0."""
    return "" if angle == "0°" else f"{angle} from "
