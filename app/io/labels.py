"""Finds the labels of the numbers in a printed text: each group of numbers with its label, in order.

A label is the text before a number or a bracket (`halfExtents: (1, 1, 1)`, `btTransform t(...)`, `size="1 .5"`).
Labels are read word by word, so that `m_halfExtents` and `box half extents` mean the same. Names of types and variables
mean nothing. The remaining words have a meaning in `_MEANINGS` or are unknown; numbers of unknown labels are not used.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from .printed_numbers import NOISE, NUMBER, PastedPairError, checked, value_of

SIZE_KEYS = (
    *("shape", "size", "half_size", "scale", "width", "depth", "radius", "diameter", "radii", "long", "half_long"),
    *("segment", "points", "normal", "offset", "centre"),
)
"""Keys of a body's size; `shape`: numbers after the shape's name, in the order of the engine's call."""
POSE_KEYS = ("position", "rotation", "pose", "angles")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SHAPES = {
    "box": _words("box cuboid cube"),
    "sphere": _words("sphere ball"),
    "capsule": _words("capsule"),
    "cylinder": _words("cylinder"),
    "cone": _words("cone"),
    "ellipsoid": _words("ellipsoid"),
    "hull": _words("hull convex polyhedron"),
    "halfspace": _words("plane halfspace halfplane"),
}
_MEANINGS = {
    "angles": _words("euler angles angle rpy pitch yaw roll rotator"),
    "rotation": _words("rotation rot quat quaternion orientation xquat wxyz xyzw"),
    "position": _words("position pos origin translation translate location loc xpos"),
    "pose": _words("pose transform isometry tf xf matrix mat basis xmat"),
    "points": _words("points vertices vertex verts corners"),
    "centre": _words("centre segment") | {"center"},
    "radii": _words("radii semiaxes"),
    "radius": _words("radius"),
    "diameter": _words("diameter"),
    "half_size": _words("halfextents halfextent halfsize extents extent"),
    "half_long": _words("halfheight halflength"),
    "long": _words("height length"),
    "size": _words("size sizes dimensions dimension dims edges"),
    "scale": _words("scale"),
    "width": _words("width"),
    "depth": _words("depth"),
    "normal": _words("normal"),
    "offset": _words("offset constant"),
}
"""Keys with the words that mean them; the first key that matches counts."""
_LETTERS = {"r": "radius", "h": "long", "q": "rotation", "p": "position", "n": "normal", "d": "offset", "T": "pose"}
_COMPONENTS = frozenset("xyzwijksvoXYZWO") | {"real"}
_TURNS = {"p": "pitch", "r": "roll", "pitch": "pitch", "yaw": "yaw", "roll": "roll"}
"""Names of single angles, valid within a label of angles."""
_FOREIGN = _words(
    "velocity vel speed linear angular mass inertia friction restitution density margin skin contact tolerance min max "
    "aabb bounds rgba gravity damping time stamp force torque axisangle axis bottom top impulse penetration separation "
    "distance segments layer mask group id seq index"
) | {"color", "colour"}
"""Words that make a label unknown."""
_NEUTRAL = _words(
    "at is of the and to let new var val const auto static return ref set get make from as some none shape shapes body "
    "bodies actor object collider collision component geom geometry type world local global current rigid vec vector "
    "dvec rvec bt px jph fcl glm std array list tuple dict np numpy packed float double int scalar three unity unreal "
    "godot rapier shared solid mesh pair parts name unit dtype node sub resource engine debug log data value values "
    "struct args point"
)
_CONTINUED = ("pose", "rotation", "points")
_PATH = r"(?<!\w)(?<!\w\.)[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*"
_TOKEN = re.compile(rf"(?P<path>{_PATH})|{NUMBER}|(?P<open>[\[({{])|(?P<close>[\])}}])|(?P<end>[;=:,\"'\n])")
_SAID = re.compile(
    r"center[_ ]?of[_ ]?mass|\b(?:Sub|Ext)Resource\([^)\n]*\)"
    r"|\b(?:name|id|uid|path|parent|mesh)[\"']?[ \t]*[=:][ \t]*(?:\"[^\"\n]*\"|'[^'\n]*')",
    re.IGNORECASE,
)
"""Matches names of objects, which may contain any word and are no labels."""
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]|\(\s*x[, ]+y[, ]+z\s*\)")
_ORDER = re.compile(r"\(\s*(?:(w)[, ]+)?(x)[, ]+(y)[, ]+(z)(?:[, ]+(w))?\s*\)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
DEEPEST = 60


class Slot(Struct):
    """Numbers under one label. `key`: the label's meaning, "" without a label, `unknown` for an unknown label.

    `shape`: the shape that the label names; `text`: the label as printed; `body`: "a" or "b" where the label says so;
    `parts`: for each number the name of its component, "" where it has none.
    """

    key: str = ""
    shape: str = ""
    text: str = ""
    body: str = ""
    numbers: list[float] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


class _Frame(Struct):
    """State inside an open bracket. `base`: the slot for numbers that have no label of their own in there."""

    bracket: str
    base: Slot | None
    slot: Slot | None
    part: str = ""
    last: Slot | None = None


def labelled(text: str) -> list[Slot]:
    """The numbers of a text with their labels, in order; a shape's name is kept even without numbers.

    Raises PastedPairError for NaN, infinities, and a text that is too long or too deep.
    """
    plain = _ORDER.sub(_joined, _EMPTY.sub(" ", NOISE.sub(" ", _SAID.sub(" ", checked(text)))))
    reader = _Reader([], [_Frame("", None, None)])
    for match in _TOKEN.finditer(plain):
        if match["path"]:
            reader.phrase.append(match["path"])
            continue
        reader.name()
        if match["open"]:
            reader.open(match["open"])
        elif match["close"]:
            reader.close()
        elif match["end"] == ";":
            reader.end()
        elif not match["end"]:
            reader.number(value_of(match.group(2)))
    reader.name()
    return [slot for slot in reader.slots if slot.numbers or slot.shape or (slot.body and not slot.key)]


def _joined(order: re.Match[str]) -> str:
    """Turns `(w, x, y, z)` after a label into a word of the label."""
    return f" {''.join(letter for letter in order.groups() if letter)} "


class _Reader(Struct):
    """Parser state: the slots so far, the open brackets, and the words since the last sign."""

    slots: list[Slot]
    frames: list[_Frame]
    phrase: list[str] = field(default_factory=list)
    named: bool = False

    def name(self) -> None:
        """Makes a label of the words since the last sign."""
        words, self.phrase = self.phrase, []
        if not words:
            return
        frame, self.named = self.frames[-1], True
        if len(words) == 1 and words[0] in _COMPONENTS:
            frame.part = words[0].lower() if words[0] != "X" else "x"
            return
        turn = _TURNS.get(words[0].lower(), "") if len(words) == 1 else ""
        if turn and frame.slot is not None and frame.slot.key in ("angles", "rotation"):
            frame.part = turn
            return
        slot = _slot_of(words)
        inside = frame.base is not None and frame.base.key == "centre"
        if slot is None or (inside and slot.body):
            return
        if not slot.key and not slot.shape:
            self.slots.append(slot)
            return
        frame.slot, frame.part = slot, turn if slot.key == "angles" else ""
        self.slots.append(slot)

    def open(self, bracket: str) -> None:
        """Enters a bracket, whose contents belong to the label before it."""
        if len(self.frames) > DEEPEST:
            raise PastedPairError(f"The text has brackets more than {DEEPEST} deep.")
        frame = self.frames[-1]
        slot = frame.slot
        if slot is not None and slot is not frame.base and slot.numbers and slot.key not in _CONTINUED:
            # The label's numbers stood without a bracket, so this bracket does not belong to it.
            frame.slot = frame.base
        again = frame.last is not None and not self.named and frame.last.key in _CONTINUED
        slot = frame.last if again and frame.slot is frame.base else frame.slot
        if slot is None:
            slot = Slot()
            self.slots.append(slot)
        self.frames.append(_Frame(bracket, slot, slot, frame.part))
        self.named = False

    def close(self) -> None:
        """Leaves a bracket, which ends the label before it."""
        if len(self.frames) == 1:
            return
        inner = self.frames.pop()
        frame = self.frames[-1]
        frame.last, frame.slot = inner.base, frame.base
        self.named = False

    def end(self) -> None:
        """Ends a statement; within round or square brackets a semicolon acts as a comma."""
        frame = self.frames[-1]
        if frame.bracket not in ("(", "["):
            frame.slot, frame.part, frame.last = frame.base, "", None

    def number(self, value: float) -> None:
        """Adds a number to the current label's slot."""
        frame = self.frames[-1]
        if frame.slot is None:
            frame.slot = Slot()
            self.slots.append(frame.slot)
        frame.slot.numbers.append(value)
        frame.slot.parts.append(frame.part)
        self.named = False


def _slot_of(phrase: list[str]) -> Slot | None:
    """The slot of the label that these names make; None where they say nothing about the numbers after them."""
    pieces = [piece for path in phrase for piece in re.split(r"[_\d\W]+", path) if piece]
    words = [word.lower() for piece in pieces for word in _WORD.findall(piece)]
    body = _letter_of(phrase)
    text, said = " ".join(phrase), set(words)
    key, shape = _key_of(said, pieces), _shape_of(words)
    if key in POSE_KEYS or key == "unknown":
        return Slot(key, "", text, body)
    if key:
        return Slot(key, "hull" if key == "points" else shape, text, body)
    if shape:
        return Slot("shape", shape, text, body)
    if all(len(word) == 1 or word in _NEUTRAL for word in said):
        return Slot("", "", text, body) if body else None
    return Slot("unknown", "", text, body)


def _letter_of(phrase: list[str]) -> str:
    """The body that a name means, as `a.size`, `size_a` and `bodyA` do; "" for none."""
    names = [name for path in phrase for name in re.split(r"[_\W]+", path) if name]
    for name in names[:1] + names[-1:]:
        if name in ("a", "b", "A", "B"):
            return name.lower()
    last = re.search(r"[a-z]([AB])\Z", names[-1]) if names else None
    return last[1].lower() if last else ""


def _shape_of(words: list[str]) -> str:
    """The first shape among the words; words after `of` only say which part the number belongs to."""
    before = words[: words.index("of")] if "of" in words else words
    for word in before:
        for shape, names in _SHAPES.items():
            if word in names:
                return shape
    if {"half", "space"} <= set(before) or {"world", "boundary"} <= set(before):
        return "halfspace"
    return ""


def _key_of(said: set[str], pieces: list[str]) -> str:
    if said & _FOREIGN or {"convex", "radius"} <= said:
        return "unknown"
    found = [key for key, names in _MEANINGS.items() if said & names]
    if not found and ("xyz" in said or pieces == ["at"]):
        return "position"
    if {"position", "rotation"} <= set(found):
        return "pose"
    if found:
        key = found[0]
        if "mid" in said and key == "long":
            return "segment"
        halved = {"size": "half_size", "long": "half_long"}
        return halved.get(key, key) if "half" in said else key
    if "half" in said and "space" not in said:
        return "half_size"
    letters = [_LETTERS[piece] for piece in pieces if piece in _LETTERS]
    return letters[0] if letters and len(pieces) <= 2 else ""
