"""`separatrix.figure`: a picture in a script or a notebook, by keywords that are `separatrix picture`'s options."""

from __future__ import annotations

import io
import pickle
from argparse import ArgumentTypeError
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from core.scene import Scene

from ..forms.files import load_pair
from ..io.scene_file import Loaded, load_view
from ..render import GraphicsUnavailable
from ..render.still import Stills
from ..state.export_options import OPTIONS, ExportOptions, refusals
from ..state.option import PICTURE_ENDINGS, FlagKind, PairsKind, SizeKind, ValueKind, for_files
from ..storage.files import write_atomic
from .export import reader
from .picture import check_place, files_of, plan_of, planned_picture

INSTALLED = "separatrix."
"""The prefix of module names in the installed package: the program's `core` is named `separatrix.core` there."""


class Figure:
    """A picture of a scene. A notebook shows it; `save` writes it as a file of any kind that `picture` writes."""

    def __init__(self, loaded: Loaded, options: ExportOptions) -> None:
        self._loaded, self._options = loaded, options
        self._other = load_view(options.view) if options.view else None
        self.alt = planned_picture(loaded, ".svg", options, self._other)[0].alt

    def save(self, path: str | Path) -> Path:
        """Writes the picture in the format of the path's ending, for .tex with its .pdf beside it; returns the path.

        Raises ValueError for another ending, or for an option that does not go with it. Raises OSError if the file
        cannot be written, and GraphicsUnavailable for a PNG without OpenGL 3.3.
        """
        file = Path(path)
        check_place(file)
        for each, data in self._files(file):
            write_atomic(each, data)
        return file

    def _files(self, file: Path) -> list[tuple[Path, bytes]]:
        ending = file.suffix.lower()
        if ending not in PICTURE_ENDINGS:
            raise ValueError(f"the file must end in {for_files(PICTURE_ENDINGS)}, got {file.name!r}")
        for _, why in refusals(self._options.given(), ending):
            raise ValueError(why)
        if ending != ".png":
            return list(files_of(_no_stills, self._loaded, plan_of(self._options, self._other), file))
        with Stills() as stills:
            return list(files_of(lambda: stills, self._loaded, plan_of(self._options, self._other), file))

    @cached_property
    def _svg(self) -> str:
        return self._files(Path("figure.svg"))[0][1].decode()

    def _repr_svg_(self) -> str:
        return self._svg

    def _repr_png_(self) -> bytes | None:
        """The PNG; None without graphics, so that a notebook shows the SVG. Raises ValueError as `save`."""
        try:
            return self._files(Path("figure.png"))[0][1]
        except GraphicsUnavailable:
            return None


def figure(scene: object, options: Mapping[str, Any]) -> Figure:
    """Makes a figure of a `Scene`, or of the file with a scene or a pair at a path.

    `options`: those of `separatrix picture` by their names with `_` for `-`, each as text of the command line, or as a
    bool, number, sequence or mapping of its kind; False and None count as not given. Raises ValueError for a refused
    file or option, TypeError for another object.
    """
    made = ExportOptions(
        **{name: _value(name, value) for name, value in options.items() if value is not None and value is not False}
    )
    if isinstance(scene, str | Path):
        return Figure(load_pair(str(scene), made.form), made)
    return Figure(Loaded(own_scene(scene), None), made)


def _value(name: str, value: Any) -> Any:
    if name not in OPTIONS or not {*PICTURE_ENDINGS} & {*OPTIONS[name].takes}:
        raise ValueError(f"a picture has no option {name}; it has {', '.join(_names())}")
    kind = OPTIONS[name].kind
    if value is True and (isinstance(kind, FlagKind) or OPTIONS[name].bare is not None):
        return True if isinstance(kind, FlagKind) else OPTIONS[name].bare
    if isinstance(kind, FlagKind):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    try:
        return reader(kind)(_text(kind, value))
    except ArgumentTypeError as error:
        raise ValueError(f"{name} {error}") from None


def _names() -> list[str]:
    return [name for name, option in OPTIONS.items() if {*PICTURE_ENDINGS} & {*option.takes}]


def _text(kind: ValueKind, value: Any) -> str:
    """The value as text of the command line."""
    if isinstance(value, str | Path) or not isinstance(value, Iterable):
        return str(value)
    given = tuple(value.items() if isinstance(value, Mapping) else value)
    return kind.formatted(given) if isinstance(kind, PairsKind | SizeKind) else ",".join(map(str, given))


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
