"""Writes `assets/check.schema.json` from the keys of `check --json`: `.venv/bin/python -m app.packaging.make_schema`.

The schema requires only the keys `name` and `schema`: others depend on the options, and keys inside of a part were
added over time, so that an answer of an earlier version is valid too.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ..cli.answer_keys import ANSWER_KEYS, ANSWER_NAMES
from ..storage.files import resource, write_atomic

SCHEMA_FILE = resource("assets", "check.schema.json")
LINE_CHARACTERS = 90
"""The most characters of a value on one line."""
ABOUT = (
    "One object a line, one a scene. Lengths are in scene units, coordinates of the world; in the plane vectors are "
    "pairs. null: there is none. Keys may be added; a key that comes to mean something else would raise `schema`. "
    "Which keys are there depends on the options: only name and schema always are."
)
Tree = dict[str, Any]


def schema() -> Tree:
    """The JSON Schema, draft 7, without references."""
    trees, records = msgspec.json.schema_components([key.kind for key in ANSWER_KEYS], ref_template="{name}")
    meanings = [{"description": key.meaning} if key.meaning else {} for key in ANSWER_KEYS]
    properties = [_plain(tree, records) | meaning for tree, meaning in zip(trees, meanings, strict=True)]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "An answer of separatrix check --json",
        "description": ABOUT,
        "type": "object",
        "required": ["schema", "name"],
        "properties": dict(zip(ANSWER_NAMES, properties, strict=True)),
    }


def _plain(tree: Tree, records: Tree) -> Tree:
    """A schema of msgspec's with references replaced, null among the types, and `required` only where a type has it."""
    if name := tree.get("$ref"):
        told_twice = ("description",) if "enum" in records[name] else ()  # an enum's docstring is not for users
        tree = _without(records[name], "title", "required", *told_twice) | _without(tree, "$ref")
    match tree.get("anyOf"):
        case [one, {"type": "null"}]:
            one = _plain(one, records)
            both = {"enum": [*one["enum"], None]} if "enum" in one else {"type": [one["type"], "null"]}
            tree = one | both | _without(tree, "anyOf")
    found = dict(tree)
    for key in {"items", "additionalProperties"} & {*tree}:
        found[key] = _plain(tree[key], records)
    if "properties" in tree:
        found["properties"] = {name: _plain(one, records) for name, one in tree["properties"].items()}
    return found


def _without(tree: Tree, *names: str) -> Tree:
    return {key: value for key, value in tree.items() if key not in names}


def text() -> str:
    """The text of the schema's file."""
    return _laid_out(schema(), "") + "\n"


def _laid_out(tree: Any, indent: str) -> str:
    line = json.dumps(tree)
    if not isinstance(tree, dict) or len(indent) + len(line) <= LINE_CHARACTERS:
        return line
    inner = indent + "  "
    parts = [f"{inner}{json.dumps(key)}: {_laid_out(value, inner)}" for key, value in tree.items()]
    return "{\n" + ",\n".join(parts) + f"\n{indent}}}"


if __name__ == "__main__":
    write_atomic(SCHEMA_FILE, text().encode())
