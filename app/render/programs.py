"""Shader programs: read from shaders/, includes resolved, compile errors told with the file they are in.

`#include "folder/file.glsl"` (path from shaders/) is replaced by that file once per shader. `#line` directives number
the sources, so that the compiler's line numbers stay those of the files.
"""

from __future__ import annotations

import re
from pathlib import Path

import moderngl

from ..storage.resources import resource

SHADERS = resource("shaders")
INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')
NUMBERED = re.compile(r"^(\s*(?:ERROR:|WARNING:)?\s*)(\d+)([:(])(\d+)", re.MULTILINE)


class ShaderError(Exception):
    """A shader does not compile or an include is missing; the text names file and line."""


def resolve(name: str, root: Path = SHADERS) -> tuple[str, tuple[str, ...]]:
    """The text of a shader with its includes, and the names of the sources in order of their `#line` numbers."""
    names: list[str] = []

    def text_of(current: str) -> list[str]:
        number = len(names)
        names.append(current)
        try:
            lines = (root / current).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise ShaderError(f"{current}: {error.strerror}") from error
        result: list[str] = []
        for position, line in enumerate(lines, start=1):
            found = INCLUDE.match(line)
            if found is None:
                result.append(line)
                continue
            if found[1] not in names:
                result.append(f"#line 1 {len(names)}")
                result += text_of(found[1])
            result.append(f"#line {position + 1} {number}")
        return result

    return "\n".join(text_of(name)) + "\n", tuple(names)


def load(context: moderngl.Context, name: str) -> moderngl.Program:
    """The program `shaders/<name>/<name>.vert` and `.frag`."""
    vertex, vertex_names = resolve(f"{name}/{name}.vert")
    fragment, fragment_names = resolve(f"{name}/{name}.frag")
    try:
        return context.program(vertex_shader=vertex, fragment_shader=fragment)
    except moderngl.Error as error:
        message = str(error)
        names = fragment_names if "fragment_shader" in message else vertex_names
        raise ShaderError(named(message, names)) from error


def named(message: str, names: tuple[str, ...]) -> str:
    """A compiler's message with source numbers replaced by file names."""

    def replaced(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"{found[1]}{names[number]}{found[3]}{found[4]}" if number < len(names) else found[0]

    return NUMBERED.sub(replaced, message)
