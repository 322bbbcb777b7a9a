"""`separatrix.figure`: a picture in a script or a notebook, by keywords that are `separatrix picture`'s options."""

from __future__ import annotations

import io
import pickle
from argparse import ArgumentTypeError
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from core.scene import Scene

from ..forms.files import load_pair
from ..io.scene_file import Loaded, SceneError, load_view
from ..io.scene_log import is_log
from ..render import GraphicsUnavailable
from ..render.borne_names import NoSuchLabelError
from ..render.figure import FigureError
from ..render.still import Stills
from ..stages.placed_steps import NoSuchStepError
from ..state.export_options import OPTIONS, ExportOptions, option_name, refusals
from ..state.option import PICTURE_ENDINGS, TEX, FlagKind, PairsKind, SizeKind, ValueKind
from ..storage.files import write_atomic
from .export import nonsense, reader, wrong_ending
from .picture import check_place, files_of, plan_of, planned_picture

INSTALLED = "separatrix."
"""The prefix of module names in the installed package: the program's `core` is named `separatrix.core` there."""


class Figure:
    """A picture of a scene. A notebook shows it; `save` writes it as a file of any kind that `picture` writes."""

    def __init__(self, loaded: Loaded, options: ExportOptions, name: str) -> None:
        """`name`: that of the scene, in errors. Raises ValueError for options that do not go together."""
        self._loaded, self._options, self._name = loaded, options, name
        if all(why := [[*_refusals(options, ending)] for ending in PICTURE_ENDINGS]):
            raise ValueError(why[0][0])
        self._other = load_view(options.view) if options.view else None
        with _about(name):
            self.alt = planned_picture(loaded, TEX, options.in_force(TEX), self._other)[0].alt

    def save(self, path: str | Path) -> Path:
        """Writes the picture in the format of the path's ending, for .tex with its .pdf beside it; returns the path.

        Raises ValueError for another ending, or for an option that does not go with it. Raises OSError if the file
        cannot be written, MemoryError for a PNG that is too large, and GraphicsUnavailable for one without OpenGL 3.3.
        """
        file = Path(path)
        try:
            check_place(file)
        except OSError as error:
            raise OSError(f"{file}: {error}") from None
        ending = file.suffix.lower()
        if ending not in PICTURE_ENDINGS:
            raise ValueError(f"the file {wrong_ending(file.name, PICTURE_ENDINGS)}")
        for why in _refusals(self._options, ending):
            raise ValueError(why)
        for each, data in self._files(file, self._options):
            write_atomic(each, data)
        return file

    def _files(self, file: Path, options: ExportOptions) -> list[tuple[Path, bytes]]:
        with _about(self._name):
            if file.suffix.lower() != ".png":
                return list(files_of(_no_stills, self._loaded, plan_of(options, self._other), file))
            with Stills() as stills:
                return list(files_of(lambda: stills, self._loaded, plan_of(options, self._other), file))

    def _shown(self, ending: str) -> bytes:
        """The file that a notebook shows, by the options that go with its ending."""
        return self._files(Path(f"figure{ending}"), self._options.in_force(ending))[0][1]

    @cached_property
    def _svg(self) -> str:
        return self._shown(".svg").decode()

    def _repr_svg_(self) -> str:
        return self._svg

    def _repr_png_(self) -> bytes | None:
        """The PNG; None without graphics, so that a notebook shows the SVG."""
        try:
            return self._shown(".png")
        except GraphicsUnavailable:
            return None


def figure(scene: object, options: Mapping[str, Any]) -> Figure:
    """Makes a figure of a `Scene`, or of the file with a scene or a pair at a path.

    `options`: those of `separatrix picture` by their names with `_` for `-`, each as text of the command line, or as a
    bool, number, sequence or mapping of its kind; False, None and a sequence without items count as not given. Raises
    ValueError for a refused file or option, TypeError for another object.
    """
    made = ExportOptions(**{name: _value(name, value) for name, value in options.items() if _is_given(value)})
    if isinstance(scene, str | Path):
        if is_log(scene):
            raise SceneError("", "is a log; a picture shows one scene", str(scene))
        return Figure(load_pair(str(scene), made.form), made, str(scene))
    return Figure(Loaded(own_scene(scene), None), made, "The scene")


def _is_given(value: Any) -> bool:
    if value is None or value is False:
        return False
    return not _is_row(value) or len(value) > 0


def _refusals(options: ExportOptions, ending: str) -> Iterator[str]:
    """Yields a sentence for each option that does not go with the others, or with files of this ending."""
    yield from (why for _, why in refusals(options.given(), ending))
    yield from nonsense(options, (), ending)


@contextmanager
def _about(name: str) -> Iterator[None]:
    """Raises what the scene of this name refuses as a ValueError with a whole sentence."""
    try:
        yield
    except (NoSuchStepError, NoSuchLabelError, FigureError) as error:
        raise ValueError(f"{name} {error}") from None


def _value(name: str, value: Any) -> Any:
    if name not in OPTIONS or not {*PICTURE_ENDINGS} & {*OPTIONS[name].takes}:
        raise ValueError(f"a picture has no option {name}; it has {_names()}")
    kind = OPTIONS[name].kind
    if value is True and (isinstance(kind, FlagKind) or OPTIONS[name].bare is not None):
        return True if isinstance(kind, FlagKind) else OPTIONS[name].bare
    if isinstance(kind, FlagKind):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    try:
        read = reader(kind)(_text(kind, value))
    except ArgumentTypeError as error:
        raise ValueError(f"{name} {error}") from None
    if isinstance(kind, PairsKind) and _is_row(value) and len(read) != len(value):
        raise ValueError(f"{name} cannot tell the names apart in {_text(kind, value)!r}")
    return read


def _names() -> str:
    """The names of a picture's options, each with its word on the command line if that is another one."""
    words = {name: option_name(name) for name, option in OPTIONS.items() if {*PICTURE_ENDINGS} & {*option.takes}}
    return ", ".join(f"{name} ({word})" if OPTIONS[name].word else name for name, word in words.items())


def _is_row(value: Any) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str)


def _text(kind: ValueKind, value: Any) -> str:
    """The value as text of the command line."""
    if isinstance(value, str | Path) or not isinstance(value, Iterable):
        return str(value)
    if isinstance(kind, PairsKind):
        return ",".join(map(_pair_text, value.items() if isinstance(value, Mapping) else value))
    return ("x" if isinstance(kind, SizeKind) else ",").join(map(str, value))


def _pair_text(pair: Any) -> str:
    """A name with its value as text of the command line; of what is no pair, its own text."""
    if not _is_row(pair) or len(pair) != 2:
        return str(pair)
    name, value = pair
    return f"{name}={','.join(map(_part_text, value)) if _is_row(value) else value}"


def _part_text(part: Any) -> str:
    """A part of a value; a float with six digits, as an option's."""
    return f"{part:g}" if isinstance(part, float) else str(part)


class _Own(pickle.Unpickler):
    """Unpickles objects of the installed package's classes as objects of the same classes in the program."""

    def find_class(self, module: str, name: str) -> Any:
        return super().find_class(module.removeprefix(INSTALLED), name)


def own_scene(scene: object) -> Scene:
    """The scene as the program's `Scene`, from one of `separatrix.core` or of `core`. Raises TypeError for others."""
    if not isinstance(scene, Scene):
        if type(scene).__name__ != "Scene" or not type(scene).__module__.startswith(INSTALLED):
            raise TypeError(f"a figure is of a Scene or of a file's path, got {type(scene).__name__}")
        scene = _Own(io.BytesIO(pickle.dumps(scene))).load()
    assert isinstance(scene, Scene)
    return scene


def _no_stills() -> Stills:
    raise AssertionError("lines and faces need no graphics")
