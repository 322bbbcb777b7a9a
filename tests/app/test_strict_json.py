"""JSON is read strictly, and an answer's line has the same values however it was written."""

from __future__ import annotations

import json
import math
import random
import struct
from typing import Any

import numpy as np
import pytest

from app.storage import strict_json
from app.storage.strict_json import DEEPEST, DataError, json_line, parse, quick_line

REFUSED = {
    '{"a":1,"a":2}': "a: key given twice",
    '{"a":[{"b":1,"c":2,"b":3}]}': "a[0].b: key given twice",
    '{"a":1E400}': "a: must be a finite number, got 1E400",
    '{"a":[1e309,{"b":1,"b":2}]}': "a[0]: must be a finite number, got 1e309",
    f'{{"a":{"9" * 400}}}': f"a: must be a finite number, got {'9' * 59}…",
    f'{{"a":{"9" * 5000}}}': f"a: must be a finite number, got {'9' * 59}…",
    '{"a":NaN}': "a: must be a finite number, got NaN",
    '{"a":-Infinity}': "a: must be a finite number, got -Infinity",
    '{"a":01}': "is not JSON: Expecting ',' delimiter, line 1 column 7",
    '{"a":1,}': "is not JSON: Expecting property name enclosed in double quotes, line 1 column 8",
    '{"a":["\\ud800"]}': 'a[0]: must be text, got half a surrogate pair in "\\ud800"',
    '{"a":"\ud800"}': 'a: must be text, got half a surrogate pair in "\\ud800"',
    '{"\\ud800":1}': 'keys must be text, got half a surrogate pair in "\\ud800"',
    '{"a":"\x01"}': "is not JSON: Invalid control character at, line 1 column 7",
    '{"a":1}x': "is not JSON: Extra data, line 1 column 8",
    '\xa0{"a":1}': "is a text, not JSON",
    "": "is empty",
    f'{{"a":{"[" * DEEPEST}{"]" * DEEPEST}}}': "must be nested at most 64 levels deep, got more at line 1 column 69",
    f'{{"a":{"[" * 100_000}': "must be nested at most 64 levels deep, got more at line 1 column 69",
    '{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1): "must be nested at most 64 levels deep,"
    " got more at line 1 column 321",
}
READ = (
    *('{"a":":x"}', '{":":1}', '{"":{"":1}}', '{"a":-0}', '{"a":-0.0}', '{"a":1e-400}', '{"a":12345678901234567890}'),
    *('{"a":9007199254740993}', '{"a" : [1,2.0,{"b"\n:\t3}]}', '{"a":true,"b":null}', '{"a":"\\u00e9"}', '{"é":"×"}'),
    *('{"a":"\\"b\\":1"}', ' {"a":1}  \n', "[1]", "3", '"x"', "{}", "[]", '{"a":"\\ud83d\\ude00"}'),
    f'{{"a":{"[" * (DEEPEST - 1)}{"]" * (DEEPEST - 1)}}}',
    '{"a":' * DEEPEST + "1" + "}" * DEEPEST,
)


def _id(text: str) -> str:
    return text[:20].encode("ascii", "replace").decode()


@pytest.mark.parametrize("text", REFUSED, ids=_id)
def test_what_is_refused_is_named_with_its_place(text: str) -> None:
    with pytest.raises(DataError) as refused:
        parse(text)
    assert str(refused.value) == REFUSED[text]


@pytest.mark.parametrize("text", READ, ids=_id)
def test_all_else_is_what_json_says(text: str) -> None:
    assert repr(parse(text)) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text", ['"' + '\\",' * 1_100_000, "[" * 2000 + '"' + '\\"[' * 1_100_000], ids=["commas", "brackets"]
)
def test_a_text_without_an_end_is_refused_in_one_pass(text: str) -> None:
    """Sought anew from each of its million quotation marks, this would take hours."""
    with pytest.raises(DataError):
        parse(text)
    assert [found[0] for found in strict_json._TEXT_OR_BRACKET.finditer('{"a\\"[": ["b]')] == [
        "{",
        '"a\\"["',
        "[",
        '"b]',
    ]


def test_every_double_is_read_back_however_it_is_spelled() -> None:
    rng = random.Random(1)
    bits = [struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0] for _ in range(20_000)]
    values = [value for value in bits if math.isfinite(value)] + [rng.uniform(-9.0, 9.0) for _ in range(10_000)]
    spelled = [rng.choice((f"{value!r}", f"{value:.17e}", f"{value:.30e}")) for value in values]
    assert parse(f'{{"a": [{", ".join(spelled)}]}}')["a"] == values


VALUES: tuple[Any, ...] = (
    {"name": 'a "pair" × 2\\\n', "normal": [1.0, -0.0, 0.1 + 0.2], "mtv": None, "sat": {"applies": True, "ties": []}},
    {"file": "\udc80.jsonl", "line": 3, "separation": np.float64(1e-300), "gap": 5e-324, "far": [1e22, 123456789.0]},
    {"A.x×B.z": ["é", "\U0001f4d0", "\x7f\x01"], "empty": {}, "rows": [[1, 2], [3]]},
)


@pytest.mark.parametrize("values", VALUES)
def test_a_quick_line_has_the_same_values_in_letters_that_every_terminal_has(values: Any) -> None:
    line = quick_line(values)
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line) == json.loads(json_line(values)) == values


def test_a_quick_line_has_nothing_for_what_is_not_finite() -> None:
    assert quick_line({"a": [math.nan, math.inf, 2.0]}) == '{"a": [null, null, 2.0]}'
