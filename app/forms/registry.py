"""The list of forms, and the reading of a text by each form that claims it: whose mark the text matches."""

from __future__ import annotations

from msgspec import Struct

from ..io.scene_file import SceneError, claims_to_be_scene
from ..io.scene_file import read as read_scene
from ..storage.file_kinds import FileKind, kind_of_bytes
from . import (
    box2d,
    box2d_bodies,
    box3d,
    bullet,
    cannon,
    chipmunk,
    coal,
    columns,
    dyn4j,
    fcl_log,
    godot,
    jolt,
    json_bodies,
    matlab,
    matrices,
    matter,
    mjcf,
    moveit,
    physx,
    plain_words,
    pybullet,
    python_fcl,
    rapier,
    rapier_bodies,
    rects,
    ros_code,
    ros_messages,
    sat_js,
    sdf,
    tf_echo,
    three_js,
    unity,
    unreal,
    urdf,
    vertices,
)
from .form import Form, NotUnderstoodError, ReadPair, checked_length
from .framing import unframed
from .numbers import numbers_alone

FORMS: tuple[Form, ...] = (
    box2d.FORM,
    box2d_bodies.FORM,
    box3d.FORM,
    bullet.FORM,
    cannon.FORM,
    chipmunk.FORM,
    coal.FORM,
    columns.FORM,
    dyn4j.FORM,
    fcl_log.FORM,
    godot.FORM,
    jolt.FORM,
    json_bodies.FORM,
    matlab.FORM,
    matrices.FORM,
    matter.FORM,
    mjcf.FORM,
    moveit.FORM,
    physx.FORM,
    plain_words.FORM,
    pybullet.FORM,
    python_fcl.FORM,
    rapier.FORM,
    rapier_bodies.FORM,
    rects.FORM,
    ros_code.FORM,
    ros_messages.FORM,
    sat_js.FORM,
    sdf.FORM,
    tf_echo.FORM,
    three_js.FORM,
    unity.FORM,
    unreal.FORM,
    urdf.FORM,
    vertices.FORM,
)
WRITTEN = tuple(form for form in FORMS if form.write is not None)
"""Forms that "Copy as" writes; the others, such as logs and messages, are read only."""
GENERAL = {"columns", "vertices", "words"}
"""Forms that claim many texts of other forms: if another form refuses the text too, its refusal is shown instead."""
LONGEST_SHOWN = 40
"""The most characters of a text's first line in a refusal."""
BY_NAME = {form.name: form for form in FORMS}
NUMBERS = "numbers"
"""The window's choice for numbers alone, whose order the user chooses (numbers.py). It is not a form."""


class Reading(Struct, frozen=True):
    """The result of reading a text: the pairs and the refusals, by the name of the form, "scene" or "text".

    The other fields are set if no form reads the text and no form was asked for. `numbers_alone`: it has only numbers
    and separators; `kind`: its kind of file, None if unknown; `begin` and `line`: the beginning of its first line that
    is not empty, and the number of that line.
    """

    pairs: dict[str, ReadPair]
    refusals: dict[str, NotUnderstoodError]
    numbers_alone: bool = False
    kind: FileKind | None = None
    begin: str = ""
    line: int = 0

    @property
    def different(self) -> list[str]:
        """The names of forms that read different pairs of bodies, one form for each pair."""
        found: dict[str, str] = {}
        for name, pair in self.pairs.items():
            found.setdefault(repr((pair.scene.a, pair.scene.b)), name)
        return list(found.values())

    @property
    def pair(self) -> ReadPair:
        """The one pair. Raises NotUnderstoodError if no form reads the text, or two forms read different pairs."""
        different = self.different
        if len(different) == 1:
            return self.pairs[different[0]]
        if different:
            names = " or ".join(f"--form {name}" for name in different)
            raise NotUnderstoodError(f"The text can be read in more than one way: choose {names}.")
        named = [refusal for name, refusal in self.refusals.items() if name not in GENERAL]
        if self.kind is not None and self.kind.line:
            raise NotUnderstoodError(f"the text is {self.kind.words}; a pair has two", self.kind.line)
        if self.refusals:
            raise max(named or self.refusals.values(), key=lambda refusal: refusal.line)
        if self.kind is not None:
            raise NotUnderstoodError(f"The text is {self.kind.words}, and no form of a pair was recognised in it.")
        if not self.begin:
            raise NotUnderstoodError("The text is empty.")
        raise NotUnderstoodError(f"{self.begin} is of no form that can be read", self.line)


def read_text(text: str, form: str = "") -> Reading:
    """Reads a text by all forms that claim it, or by `form` alone. Without `form` a scene's JSON is read as a scene.

    A refusal is part of the answer and raises nothing. Raises KeyError for an unknown `form`.
    """
    text = text.removeprefix("\ufeff")  # a byte order mark, which some editors write before a text
    if claims_to_be_scene(text) and not form:
        try:
            loaded = read_scene(text)
        except SceneError as error:
            return Reading({}, {"scene": NotUnderstoodError(f"The text is a scene, but {error}")})
        return Reading({"scene": ReadPair(loaded.scene, loaded.remarks)}, {})
    try:
        text = unframed(checked_length(text))
    except NotUnderstoodError as refusal:
        return Reading({}, {"text": refusal})
    pairs: dict[str, ReadPair] = {}
    refusals: dict[str, NotUnderstoodError] = {}
    for one in FORMS if not form else (BY_NAME[form],):
        if not form and not one.mark.search(text):
            continue
        try:
            pairs[one.name] = one.read(text)
        except NotUnderstoodError as refusal:
            refusals[one.name] = refusal
    if pairs or form:
        return Reading(pairs, refusals)
    alone = GENERAL.issuperset(refusals) and numbers_alone(text)
    blank = len(text) - len(text.lstrip())
    line, begin = text.count("\n", 0, blank) + 1, text[blank:].partition("\n")[0].strip()
    begin = begin if len(begin) <= LONGEST_SHOWN else f"{begin[:LONGEST_SHOWN]}…"
    return Reading(pairs, refusals, alone, kind_of_bytes(text.encode(errors="replace")), begin, line)
