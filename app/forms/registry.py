"""The forms, and a text read by all that claim it."""

from __future__ import annotations

from msgspec import Struct

from ..io.scene_file import SceneError, claims_to_be_scene
from ..io.scene_file import read as read_scene
from . import (
    bullet,
    fcl_log,
    matrices,
    mjcf,
    moveit,
    plain_words,
    rapier,
    sdf,
    tf_echo,
    urdf,
    vertices,
)
from .form import Form, NotUnderstoodError, ReadPair

FORMS: tuple[Form, ...] = (
    bullet.FORM,
    fcl_log.FORM,
    matrices.FORM,
    mjcf.FORM,
    moveit.FORM,
    plain_words.FORM,
    rapier.FORM,
    sdf.FORM,
    tf_echo.FORM,
    urdf.FORM,
    vertices.FORM,
)
BY_NAME = {form.name: form for form in FORMS}


class Reading(Struct, frozen=True):
    """What the forms say of a text: the pairs read, by form, and the refusals of those that claimed it."""

    pairs: dict[str, ReadPair]
    refusals: dict[str, NotUnderstoodError]

    @property
    def pair(self) -> ReadPair:
        """The one pair. Raises NotUnderstoodError where no form reads the text, or two read different pairs."""
        different = list(dict.fromkeys(repr((pair.scene.a, pair.scene.b)) for pair in self.pairs.values()))
        if len(different) == 1:
            return next(iter(self.pairs.values()))
        if different:
            names = " and ".join(f"--form {name}" for name in self.pairs)
            raise NotUnderstoodError(f"The text can be read in more than one way: choose {names}.")
        if self.refusals:
            raise max(self.refusals.values(), key=lambda refusal: refusal.line)
        raise NotUnderstoodError("No form of text that can be read was recognised.")


def read_text(text: str, form: str = "") -> Reading:
    """What all forms that claim a text make of it, or the one called `form` alone. A scene's JSON is read as such."""
    if claims_to_be_scene(text) and not form:
        try:
            loaded = read_scene(text)
        except SceneError as error:
            return Reading({}, {"scene": NotUnderstoodError(f"The text is a scene, but {error}")})
        return Reading({"scene": ReadPair(loaded.scene, loaded.remarks)}, {})
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
