"""The overlap region of two flat parts in words: flat parts, shadows, depths, nearest points, the choice of four."""

from __future__ import annotations

from core.contact.contact import (
    Contact,
    CornerDepthsStep,
    FlatStep,
    ManifoldStep,
    NormalStep,
    ReduceStep,
    ShadowsStep,
    WitnessStep,
)
from core.query.query import Query
from core.verdict import Verdict

from ...words.axis_words import listed
from ...words.contact_words import angles_beside, contact_name, contact_numbers
from ...words.digits import plain
from ...words.expression import Hat, Symbol
from ...words.formula import Formula
from ...words.names import contact_features, feature_name
from ..word_parts import counted, shown

ManifoldWords = tuple[str, str, str, str, tuple[Formula, ...]]
"""A step's title, known, decided, why and formulas, as in StepText."""

NAMED = 4
"""A sentence names at most this many points or pairs, and counts the rest."""


def first_few(words: list[str]) -> str:
    """The first few words as a list, and how many more there are."""
    return listed(words) if len(words) <= NAMED else f"{', '.join(words[:NAMED])} and {len(words) - NAMED} more"


def region_words(query: Query, step: ManifoldStep) -> ManifoldWords:
    """Words about one step of the policies tolerant and narrow. Raises TypeError for a step of another policy."""
    match step:
        case NormalStep():
            return _normal(query, step)
        case FlatStep():
            return _flat(query, step)
        case ShadowsStep():
            known = "The flat part of each body towards the other is known."
            decided = "Each flat part casts its shadow along n. Contacts lie only where both shadows overlap."
            why = "A point is over both bodies exactly when it lies in both shadows."
            return "shadows", known, decided, why, ()
        case CornerDepthsStep():
            return _depths(query, step)
        case WitnessStep():
            return _witness(query, step)
        case ReduceStep():
            return reduce_words(query, step, "The others, {rest}, are chosen for the largest area.")
        case _:
            raise TypeError(f"{type(step).__name__} is no step of an overlap region")


def reduce_words(query: Query, step: ReduceStep, choice: str) -> ManifoldWords:
    """The words about the choice of four.

    `choice`: a sentence on the choice of the contacts after the deepest, with a field `rest` for their names.
    """
    names = [_numbered(query, contact) for contact in step.chosen]
    known = f"{counted(len(step.kept) + len(step.dropped), 'contact')} found. Four are enough to support a body."
    first = f"The 1st, {names[0]}, is {plain(step.chosen[0].depth)} deep: no contact is deeper."
    dropped = f"{len(step.dropped)} {'is' if len(step.dropped) == 1 else 'are'} dropped."
    why = (
        "The deepest needs the strongest push, and a wide base keeps a body from tipping. Contacts between them add "
        "little. If several choices are equally good, a fixed rule picks one, always the same."
    )
    return "reduce", known, f"{first} {choice.format(rest=listed(names[1:]))} {dropped}", why, ()


def _normal(query: Query, step: NormalStep) -> ManifoldWords:
    along = shown(query, step.normal)
    apart = query.analysis.verdict is Verdict.SEPARATED
    way = f"{'are apart' if apart else 'overlap'} by {plain(abs(step.separation))}"
    known = f"The answer: the bodies {way if apart or step.separation < 0.0 else 'touch'}."
    decided = "Both bodies are seen along the normal n, from A to B. Each ends at a plane perpendicular to n."
    why = "A contact pushes along n. All contacts of a pair share this one direction."
    return "normal", known, decided, why, (Formula.of(Hat(Symbol("n")), along, lying=True),)


def _flat(query: Query, step: FlatStep) -> ManifoldWords:
    letter = "AB"[step.body]
    name = feature_name(query.analysis.scene, step.body, step.name)
    angle, alpha = angles_beside(step.alpha if step.angle is None else step.angle, step.alpha)
    known = f"A part counts as flat if it is perpendicular to n within {alpha}."
    why = (
        "In a simulation resting bodies tilt a little from frame to frame. A limit well above that tilt gives the same "
        "contacts in each frame."
    )
    if step.angle is None:
        return f"flat part of {letter}", known, f"{letter} is round there: no part of it is flat.", why, ()
    kind = {
        "point": f"No part of {letter} is flat: it faces the other body with a point. "
        f"Its angle, {angle}, is above {alpha}.",
        "segment": f"A line of {letter} lies flat, {name}. Its angle, {angle}, is at most {alpha}.",
        "polygon": f"{letter} lies flat with face {name} and the parts level with it. "
        f"Its angle, {angle}, is at most {alpha}.",
        "disc": f"The disc {name} lies flat. Its angle, {angle}, is at most {alpha}.",
        "plane": f"{letter} is a half-space: all of its plane is flat.",
    }
    if step.kind == "point" and step.angle <= step.alpha:
        kind["point"] = f"{letter} faces the other body with a point, {name}."
    if step.kind == "polygon" and step.angle > step.alpha:
        kind["polygon"] = f"{letter} lies flat with the corners that edges within {alpha} join."
    return f"flat part of {letter}", known, kind[step.kind], why, ()


def _listed(query: Query, contact: Contact) -> str:
    """A contact's number, features and depth: `c₁ A.v3 | B.+x (0.05)`."""
    return f"{_named(query, contact)} ({plain(contact.depth)})"


def _named(query: Query, contact: Contact) -> str:
    number, name = _numbered(query, contact), contact_features(query.analysis.scene, contact)
    return name if number == name else f"{number} {name}"


def _numbered(query: Query, contact: Contact) -> str:
    """`c₁`, or the features' names if the contact is not in the query's manifold."""
    numbers = contact_numbers(query)
    if contact.name in numbers:
        return contact_name(numbers[contact.name])
    return contact_features(query.analysis.scene, contact)


def _depths(query: Query, step: CornerDepthsStep) -> ManifoldWords:
    count = len(step.contacts)
    known = f"The patch has {counted(count, 'corner')}: each is a contact."
    listing = first_few([_listed(query, it) for it in step.contacts])
    gaps = sum(contact.gap for contact in step.contacts)
    apart = f" {counted(gaps, 'of them is apart', 'of them are apart')}: hollow." if gaps else ""
    dropped = f" {counted(step.dropped, 'corner')} that add little area were dropped." if step.dropped else ""
    why = "The depth of a contact is how far the bodies overlap on its own line along n, from surface to surface."
    return "depths", known, f"Depths: {listing}.{apart}{dropped}", why, ()


def _witness(query: Query, step: WitnessStep) -> ManifoldWords:
    if step.deepest is None:
        known = "The flat parts share no patch."
    else:
        known = f"The deepest corner of the patch is {plain(step.deepest)} deep."
    name = _named(query, step.contact)
    far = f"{plain(-step.contact.depth)} apart" if step.contact.gap else f"{plain(step.contact.depth)} deep"
    decided = f"The bodies are {far}: the midpoint of their nearest points is a contact, {name}."
    why = "The deepest contact always has the depth of the answer."
    return "nearest points", known, decided, why, ()
