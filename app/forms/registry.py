"""The forms, and a text read by all that claim it."""

from __future__ import annotations

from msgspec import Struct

from ..io.scene_file import SceneError, claims_to_be_scene
from ..io.scene_file import read as read_scene
from . import (
    box2d,
    box3d,
    bullet,
    cannon,
    coal,
    fcl_log,
    godot,
    jolt,
    matrices,
    mjcf,
    moveit,
    physx,
    plain_words,
    pybullet,
    python_fcl,
    rapier,
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

FORMS: tuple[Form, ...] = (
    box2d.FORM,
    box3d.FORM,
    bullet.FORM,
    cannon.FORM,
    coal.FORM,
    fcl_log.FORM,
    godot.FORM,
    jolt.FORM,
    matrices.FORM,
    mjcf.FORM,
    moveit.FORM,
    physx.FORM,
    plain_words.FORM,
    pybullet.FORM,
    python_fcl.FORM,
    rapier.FORM,
    sat_js.FORM,
    sdf.FORM,
    tf_echo.FORM,
    three_js.FORM,
    unity.FORM,
    unreal.FORM,
    urdf.FORM,
    vertices.FORM,
)
GENERAL = {"vertices", "words"}
"""Forms that claim much that is not theirs: where another form claims a text too, its sentence is told."""
BY_NAME = {form.name: form for form in FORMS}


class Reading(Struct, frozen=True):
    """What the forms say of a text: the pairs read, by form, and the refusals of those that claimed it."""

    pairs: dict[str, ReadPair]
    refusals: dict[str, NotUnderstoodError]

    @property
    def different(self) -> list[str]:
        """The forms that read the text, one for each different pair."""
        found: dict[str, str] = {}
        for name, pair in self.pairs.items():
            found.setdefault(repr((pair.scene.a, pair.scene.b)), name)
        return list(found.values())

    @property
    def pair(self) -> ReadPair:
        """The one pair. Raises NotUnderstoodError where no form reads the text, or two read different pairs."""
        different = self.different
        if len(different) == 1:
            return self.pairs[different[0]]
        if different:
            names = " or ".join(f"--form {name}" for name in different)
            raise NotUnderstoodError(f"The text can be read in more than one way: choose {names}.")
        if self.refusals:
            named = [refusal for name, refusal in self.refusals.items() if name not in GENERAL]
            raise max(named or self.refusals.values(), key=lambda refusal: refusal.line)
        raise NotUnderstoodError("No form of text that can be read was recognised.")


def read_text(text: str, form: str = "") -> Reading:
    """What all forms that claim a text make of it, or the one called `form` alone. A scene's JSON is read as such."""
    if claims_to_be_scene(text) and not form:
        try:
            loaded = read_scene(text)
        except SceneError as error:
            return Reading({}, {"scene": NotUnderstoodError(f"The text is a scene, but {error}")})
        return Reading({"scene": ReadPair(loaded.scene, loaded.remarks)}, {})
    try:
        checked_length(text)
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
    return Reading(pairs, refusals)
