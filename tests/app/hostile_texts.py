"""Texts that other programs could write and that once ended the program: brackets in brackets, and half surrogates."""

from __future__ import annotations

import json

DEPTHS = (65, 300, 600, 990, 100_000)

LINE = (
    '{"separatrix": 1, "a": {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 0]}, '
    '"b": {"shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 0]}%s}'
)
"""A scene on one line, with room for more keys."""

PLAIN = LINE % ""


def nest(depth: int) -> str:
    """Lists in lists."""
    return "[" * depth + "]" * depth


def objects(depth: int) -> str:
    """Objects in objects."""
    return '{"k":' * depth + "1" + "}" * depth


HALF = r'"\ud800"'

VIEW = ', "view": {"yaw": 0, "pitch": 0, %s}'

SCENES: dict[str, str] = {
    "half as a key": LINE % f", {HALF}: 1",
    "half as a key of the view": LINE % VIEW % f"{HALF}: 1",
    "half as a key of a shape": PLAIN.replace('"radius": 1', f'"radius": 1, {HALF}: 1', 1),
    "half as a name": LINE % f', "name": {HALF}',
    "half as a shape's type": PLAIN.replace('"sphere"', HALF),
    "half as a pane": LINE % VIEW % f'"panes": {HALF}',
    "half as an overlay": LINE % VIEW % f'"shown": [{HALF}]',
    "half as a probe's kind": LINE % VIEW % f'"probe": {{"kind": {HALF}}}',
    "half alone": HALF,
    "an endless key": LINE % f', "{"k" * 10_000}": 1',
    "an endless key of a shape": PLAIN.replace('"radius"', f'"{"r" * 10_000}"', 1),
    "line ends in a key": LINE % r', "a\nb\u0000": 1',
    "line ends in a key of a value": LINE % r', "view": {"yaw": 0, "pitch": 0, "world": {"a\nb": NaN}}',
    "half in a plane's scene": LINE % f', "dimension": 2, {HALF}: 1',
} | {
    f"{what} nested {depth} deep {where}": text.replace("NEST", brackets)
    for depth in DEPTHS
    for what, brackets in (("lists", nest(depth)), ("objects", objects(depth)))
    for where, text in (
        ("alone", "NEST"),
        ("as an unknown key", LINE % ', "x": NEST'),
        ("in the view", LINE % ', "view": {"yaw": 0, "pitch": 0, "world": NEST}'),
        ("as the view", LINE % ', "view": NEST'),
        ("as a position", PLAIN.replace("[0, 0, 0]", "NEST", 1)),
        ("as the version", PLAIN.replace('"separatrix": 1', '"separatrix": NEST')),
        ("as the dimension", LINE % ', "dimension": NEST'),
        ("as a name", LINE % ', "name": NEST'),
    )
}

SAMPLE = ("half as a key", "lists nested 300 deep in the view", "objects nested 990 deep alone")
"""One of each kind, where trying them all would take long."""

SETTINGS: dict[str, str] = {
    "half as a key": f"{{{HALF}: 1}}",
    "half as a theme": f'{{"theme": {HALF}}}',
    "half as a panel": f'{{"open_panels": [{HALF}]}}',
} | {
    f"{depth} deep {where}": text.replace("NEST", nest(depth))
    for depth in DEPTHS
    for where, text in (("alone", "NEST"), ("as a theme", '{"theme": NEST}'), ("as an unknown key", '{"x": NEST}'))
}

OBJS: dict[str, tuple[bytes, str]] = {
    "two numbers": (b"v 0 0\nv 1 0\nv 0 1\nv 1 1\nf 1 2 3\n", "line 1"),
    "one number": (b"# points\nv 0\nv 1\nv 2\nv 3\n", "line 2"),
    "no number": (b"v\nv\nv\nv\n", "line 1"),
    "a vertex short": (b"v 0 0 0\nv 1 0 0\nv 0 1\nv 0 0 1\nf 1 2 3\n", "line 3"),
    "not a number": (b"v 0 0 0\nv 1 0 0\nv 0 x 1\nv 0 0 1\nf 1 2 3\n", "line 3"),
}


def autosave(text: str) -> str:
    """An autosave around the text of a scene."""
    return '{"origin": null, "scene": %s}' % text  # noqa: UP031 - the text is full of braces


def wrapped(text: str) -> bytes:
    """A PNG that carries the text as its scene."""
    import io

    from PIL import Image

    from app.storage.files import png_bytes

    image = Image.open(io.BytesIO(png_bytes(Image.new("RGB", (2, 2)))))
    return png_bytes(image, text)


assert json.loads(PLAIN)
