"""Reads a pair pasted from an engine's output: by its labels, and by conventions where no label says the meaning.

Every engine prints a pose in its own way, and few texts say whether a quaternion starts with w, a matrix is stored by
rows, or sizes are halves. A label outranks the conventions (`half_extents` are halves, `w: 1` is w); an engine's preset
sets all conventions. Numbers without a label are taken in the order of the conventions. A number under an unknown label
belongs to no field and is named in the remarks. The panel shows the pair before the user accepts it.
"""

from __future__ import annotations

from core.scene import Scene

from ..storage.strict_json import DataError
from .engine_body import body_of
from .engines import COUNTS, OTHER, Conventions, axes_words, size_names
from .labels import POSE_KEYS, Slot, labelled
from .pair_fields import FOURTH, Fields, by_field, counts_of, size_counts, split
from .pasted_bodies import Draft, bodies_of
from .printed_numbers import PastedPairError
from .scene_file import Loaded, SceneError, claims_to_be_scene, read

NOT_USED = "Not used:"
"""Begins the sentence that names the numbers left out."""
MOST_NAMED, LONGEST_LABEL = 12, 40
"""The most labels in that sentence, and the most letters of a label."""


def read_pair(text: str, conventions: Conventions) -> Loaded:
    """The pair in a text: JSON of a scene is read as such, any other text by labels and conventions.

    The remarks say what was corrected, turned or left out. Raises PastedPairError.
    """
    if claims_to_be_scene(text):
        try:
            return read(text)
        except SceneError as error:
            raise PastedPairError(f"The text is a scene, but {error}") from None
    slots = labelled(text)
    unused = [slot for slot in slots if slot.key == "unknown"]
    known = [slot for slot in slots if slot.key != "unknown"]
    remarks: list[str] = []
    try:
        if any(slot.key and slot.numbers for slot in known):
            fields = _labelled_fields(known, conventions, unused, remarks)
        else:
            numbers = [number for slot in known for number in slot.numbers]
            fields = split(numbers, conventions, remarks)
        bodies = [body_of(one, conventions, name, remarks) for one, name in zip(fields, "AB", strict=True)]
        unused += [left for one in fields for left in one.left_over()]
    except DataError as error:
        left = _left_out(unused)
        raise PastedPairError(f"{error}{'.' if left and not str(error).endswith('?') else ''}{left}") from None
    except PastedPairError as error:
        raise PastedPairError(f"{error}{_left_out(unused)}") from None
    if all(body.shape.plane is not None for body in bodies):
        raise PastedPairError("Both bodies are half-spaces; one of them must be another shape.")
    remarks[:0] = [left.strip()] if (left := _left_out(unused)) else []
    remarks += [_turned_words(conventions)] if conventions.left_handed or conventions.engine != OTHER else []
    return Loaded(Scene(bodies[0], bodies[1], "Pasted pair"), None, tuple(remark for remark in remarks if remark))


def _left_out(unused: list[Slot]) -> str:
    """A sentence, after a space, on the numbers left out; "" where there are none."""
    named = list(dict.fromkeys(_shortened(slot) for slot in unused))
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f" {NOT_USED} {', '.join(named[:MOST_NAMED])}{more}." if named else ""


def _shortened(slot: Slot) -> str:
    label = slot.text if len(slot.text) <= LONGEST_LABEL else f"{slot.text[:LONGEST_LABEL]}…"
    return f"{label} {' '.join(f'{number:g}' for number in slot.numbers[:4])}{' …' if len(slot.numbers) > 4 else ''}"


def _turned_words(conventions: Conventions) -> str:
    """A sentence on how the engine's world was turned or mirrored into ours; "" where it was not."""
    axes = axes_words(conventions)
    whose = "" if conventions.engine == OTHER else f" of {conventions.engine}"
    if not axes:
        return ""
    turned = f"x, y, z here are {axes}{whose}."
    return f"Left-handed: the pair is mirrored, the separation stays. {turned}" if conventions.left_handed else turned


def _labelled_fields(
    slots: list[Slot], conventions: Conventions, unused: list[Slot], remarks: list[str]
) -> list[Fields]:
    """The fields of A and of B from labelled numbers; slots that no field takes are added to `unused`."""
    shapes = (conventions.shape_a, conventions.shape_b)
    return [
        _filled(draft, shape, conventions, name, unused, remarks)
        for draft, shape, name in zip(bodies_of(slots), shapes, "AB", strict=True)
    ]


def _filled(
    draft: Draft, shape: str, conventions: Conventions, name: str, unused: list[Slot], remarks: list[str]
) -> Fields:
    """The fields of one body. The first slot of a field counts, but any other rotation comes before angles."""
    fields = Fields(draft.shape or shape)
    bare: list[float] = []
    for slot in sorted(draft.slots, key=lambda slot: slot.key == "angles"):
        numbers = _in_components(slot, remarks)
        if slot.key == "":
            bare += numbers if not _is_basis(slot, fields) else []
        elif slot.key == "position" and not fields.position:
            _take(numbers, 3, f"{name}'s position")
            fields.position = numbers
        elif slot.key in ("rotation", "pose", "angles") and not fields.rotation:
            _take_pose(slot, numbers, fields, conventions, name, unused)
        elif slot.key in ("shape", "size") and not fields.sizes:
            _take_sizes(slot, numbers, fields, conventions, name, unused)
        elif slot.key == "centre":
            _take(numbers, 3 * (1 + (len(numbers) > 3)), f"{name}'s centre")
            fields.centres += numbers
        elif slot.key in POSE_KEYS or slot.key in ("shape", *fields.sizes):
            unused.append(slot)
        else:
            fields.sizes[slot.key], fields.texts[slot.key] = numbers, slot.text
    _take_bare(bare, fields, conventions, name)
    if not fields.position and len(fields.centres) == 3:
        fields.position, fields.centres = fields.centres, []
    return fields


def _take(numbers: list[float], count: int, where: str) -> None:
    if len(numbers) != count:
        raise DataError(where, f"needs {count} number{'s' * (count > 1)}, got {len(numbers)}")


def _in_components(slot: Slot, remarks: list[str]) -> list[float]:
    """The slot's numbers, sorted by x, y, z where they have these names, without a vector's padding fourth number."""
    if sorted(slot.parts) == ["x", "y", "z"]:
        return [slot.numbers[slot.parts.index(part)] for part in "xyz"]
    last = (0.0, 1.0) if slot.key == "position" else (0.0,)
    threes = slot.key in ("position", "half_size", "radii", "normal") and len(slot.numbers) == 4
    if not threes or slot.numbers[3] not in last:
        return list(slot.numbers)
    remarks += [FOURTH] if FOURTH not in remarks else []
    return slot.numbers[:3]


def _is_basis(slot: Slot, fields: Fields) -> bool:
    """Takes the numbers as a basis if they are the columns X, Y, Z and the origin O; returns whether they are."""
    if "".join(slot.parts).lower() != "xxxyyyzzzooo":
        return False
    fields.rotation, fields.position, fields.columns = slot.numbers[:9], slot.numbers[9:], True
    return True


def _take_pose(
    slot: Slot, numbers: list[float], fields: Fields, conventions: Conventions, name: str, unused: list[Slot]
) -> None:
    """Takes a rotation or a transform, which the count of numbers tells apart."""
    if _is_basis(slot, fields):
        return
    count, where = len(numbers), f"{name}'s {slot.key}"
    if slot.key == "pose" and count in (3, 6):
        fields.position = fields.position or numbers[:3]
        if count == 6:
            unused.append(Slot("unknown", "", f"the rest of {slot.text.split()[-1]}", "", numbers[3:]))
    elif slot.key == "pose" and count == 7:
        first = conventions.order.index("position") < conventions.order.index("rotation")
        fields.position, fields.rotation = (numbers[:3], numbers[3:]) if first else (numbers[4:], numbers[:4])
    elif count == 12 and "Transform3D" in slot.text:
        fields.rotation, fields.position, fields.columns = numbers[:9], numbers[9:], False
    elif count in (9, 12, 16):
        fields.rotation = numbers
    elif count == 4 and slot.key != "angles":
        fields.rotation, fields.w_first = _arranged(slot)
    elif count == 3:
        fields.rotation, fields.angles = _angles(slot, numbers, conventions, f"{name}'s rotation"), True
    else:
        raise DataError(where, f"has {count} numbers; a quaternion has 4, angles 3, a matrix 9, 12 or 16")


def _angles(slot: Slot, numbers: list[float], conventions: Conventions, where: str) -> list[float]:
    """The angles about x, y and z as listed; Unreal's by name, or in the order of FRotator: pitch, yaw, roll.

    Unreal's yaw is left-handed like its world, but its pitch and roll are right-handed, so the angles about y and x
    change sign (TRotator in Epic's manual).
    """
    parts = [part[:1] for part in slot.parts]
    named = sorted(parts) == ["p", "r", "y"]
    if conventions.engine != "Unreal":
        if "p" in parts or "r" in parts:
            raise DataError(
                where, "has pitch, yaw and roll, which turn differently in each engine: only Unreal's are read"
            )
        return numbers
    if not named and (any(parts) or "rotator" not in slot.text.lower()):
        raise DataError(where, "has 3 angles without names, expected FRotator(Pitch, Yaw, Roll), or P=, Y= and R=")
    pitch, yaw, roll = (numbers[parts.index(part)] for part in "pyr") if named else numbers
    return [-roll, -pitch, yaw]


def _arranged(slot: Slot) -> tuple[list[float], bool | None]:
    """A quaternion's numbers, and whether w comes first; None where neither component names nor the label say it."""
    parts, said = "".join(part[:1] for part in slot.parts), slot.text.lower()
    if sorted(parts) == sorted("wxyz"):
        return [slot.numbers[parts.index(part)] for part in "wxyz"], True
    if parts == "vvvs" or "xyzw" in said:
        return slot.numbers, False
    first = parts == "svvv" or "wxyz" in said or "Quaternion::new" in slot.text
    return slot.numbers, True if first else None


def _take_sizes(
    slot: Slot, numbers: list[float], fields: Fields, conventions: Conventions, name: str, unused: list[Slot]
) -> None:
    """Takes sizes in the order of the engine's call; the rest is added to `unused`."""
    if fields.shape == "hull":
        fields.sizes["points"] = numbers
        return
    taken, names = 0, size_names(fields.shape, conventions)
    for key in names:
        count = COUNTS.get(key, 1)
        values = numbers[taken : taken + count]
        if len(values) < count:
            raise DataError(f"{name}'s size", f"needs {_size_words(names)}, got {len(numbers)} numbers")
        if fields.sizes.get(key, values) != values:
            raise DataError(f"{name}'s {key}", f"is given twice, as {fields.sizes[key][0]:g} and {values[0]:g}")
        fields.sizes[key] = values
        fields.texts[key] = f"{slot.text.split()[-1]}, {key.replace('_', ' ')}"
        taken += count
    if taken < len(numbers):
        unused.append(Slot("unknown", "", f"the rest of {slot.text.split()[-1]}", "", numbers[taken:]))


def _size_words(names: tuple[str, ...]) -> str:
    total = sum(COUNTS.get(name, 1) for name in names)
    return f"{total} number{'s' * (total > 1)} ({', '.join(name.replace('_', ' ') for name in names)})"


def _take_bare(bare: list[float], fields: Fields, conventions: Conventions, name: str) -> None:
    """Fills the missing fields with the numbers without a label, in the order of the conventions."""
    counts = counts_of(fields.shape, conventions)
    filled = {"size": bool(fields.sizes), "position": bool(fields.position), "rotation": bool(fields.rotation)}
    if len(fields.rotation) in (12, 16):
        filled["position"] = True
    needs = {field: count for field, count in counts.items() if not filled[field] and count}
    if bare and len(bare) == sum(needs.values()) - needs.get("rotation", 0):
        needs.pop("rotation", None)
    if bare and len(bare) != sum(needs.values()):
        wanted = ", ".join(f"{field} {count}" for field, count in needs.items()) or "none"
        raise DataError(name, f"has {len(bare)} numbers without a label, and these fields have none: {wanted}")
    for key, numbers in by_field(bare, needs).items():
        if not bare:
            break
        if key == "size":
            fields.sizes = by_field(numbers, size_counts(fields.shape, conventions))
        else:
            setattr(fields, key, numbers)
