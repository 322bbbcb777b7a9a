"""Words about contacts: names and numbers, angles, and the flatness of the parts that touch."""

from __future__ import annotations

import re
from math import degrees

from core.contact.contact import Contact, Manifold
from core.scene import Scene

from ..words.names import contact_features
from .digits import in_degrees, plain, signed, written
from .names import numbered

EARLIER = "Contacts of an earlier moment: they follow when you let go."
"""Shown during a drag whose contacts take longer than a frame to compute."""

NOTHING = 1e-6
"""Degrees: smaller angles are rounding, of a mesh in single precision too."""


def angle_words(radians: float) -> str:
    """Radians in degrees, as digits.in_degrees; an angle that is only rounding as `≈ 0°`."""
    told = degrees(radians)
    return "≈ 0°" if 0.0 < told < NOTHING else in_degrees(told)


def angles_beside(first: float, second: float) -> tuple[str, str]:
    """Two angles, radians, with as many digits as it takes to see which is larger."""
    told = angle_words(first), angle_words(second)
    counts = iter((3, 6, 17))
    while first != second and told[0] == told[1] and (count := next(counts, None)) is not None:
        told = f"{written(degrees(first), count)}°", f"{written(degrees(second), count)}°"
    return told


CONTACT = "contact"
"""Kind of the subjects that are contacts of the query's manifold; their numbers count from 0."""


def numbers_of(found: Manifold) -> dict[str, int]:
    """Each contact's number from 0 by its name: in the order in which they were found, those dropped last."""
    return {contact.name: number for number, contact in enumerate((*found.contacts, *found.dropped))}


def contact_name(number: int) -> str:
    """`c₁` for the first, whose number is 0."""
    return numbered("c", number + 1)


def contact_text(scene: Scene, number: int, contact: Contact) -> str:
    """`c₃: A.plane | B.rim −y.2, depth 0.05`."""
    return f"{contact_name(number)}: {contact_features(scene, contact)}, depth {signed(contact.depth)}"


def in_words_of(words: str, *, plane: bool) -> str:
    """Words about contacts in space, unchanged or, for the `plane`, with the plane's nouns."""
    if not plane:
        return words
    for there, here in (("A polygon", "A segment"), ("plane", "line"), ("face", "edge"), ("corner", "end")):
        words = re.sub(rf"\b{there}\b", here, words)
    return words.replace("corners", "ends").replace("Corners", "Ends")


def flatness_words(found: Manifold, plane: bool) -> str:
    """Which angles counted as flat and which gaps as contacts, where the tolerances mattered; else empty."""
    flatness = found.flatness
    if flatness is None or not found.contacts:
        return ""
    line, told = "edge" if plane else "line", ""
    flat = [
        (line if kind == "segment" else "face", angle_words(angle))
        for kind, angle in zip(flatness.kinds, flatness.angles, strict=True)
        if kind != "point" and angle is not None and angle <= flatness.alpha
    ]
    within = f"from square (counted flat: within {angle_words(flatness.alpha)}). "
    if len(flat) == 1:
        told = f"The {flat[0][0]} is {flat[0][1]} {within}"
    elif flat:
        (one, first), (other, second) = flat
        told = f"The {one} is {first} and the {other} {second} {within}"
        if one == other:
            told = f"{one.capitalize()}s are {first} and {second} {within}"
    count = len(found.contacts)
    contacts = "1 contact" if count == 1 else f"{count} contacts"
    gaps = f"; {flatness.gaps} {'is' if flatness.gaps == 1 else 'are'} apart, by at most {plain(flatness.delta)}"
    left_out = f" {flatness.dropped} corners of the patch were left out." if flatness.dropped else ""
    return f"{told}{contacts}{gaps if flatness.gaps else ''}.{left_out}"
