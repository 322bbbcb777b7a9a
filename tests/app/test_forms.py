"""Texts with a pair of bodies: each is read right whole, or refused with the sentence that names why."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module

import numpy as np
import pytest

from app.forms.code import Assign, Call, Number, statements
from app.forms.form import MOST_CHARACTERS, NotUnderstoodError
from app.forms.program import only
from app.forms.registry import BY_NAME, FORMS, read_text
from app.forms.tokens import Tokens
from core.scene import Scene
from tests.app.forms.sample import Sample, same, with_harm, without_harm
from tests.selection import some

NAMES = [form.name for form in FORMS]
TEXTS = some(12)
"""Pairs of a form; each has its variants."""


def sample_of(name: str) -> Sample:
    found = import_module(f"tests.app.forms.{name}").SAMPLE
    assert isinstance(found, Sample)
    return found


def read(text: str, form: str = "") -> Scene:
    return read_text(text, form).pair.scene


@pytest.mark.parametrize("name", NAMES)
def test_pairs_of_a_form_are_read_right_in_every_harmless_variant(name: str) -> None:
    sample, rng = sample_of(name), np.random.default_rng(7)
    for _ in range(TEXTS):
        text, scene = sample.pair(rng)
        variants = [text, *without_harm(rng, text, sample.family)]
        variants += [] if sample.variants is None else sample.variants(rng, text)
        for variant in variants:
            assert same(read(variant), scene), variant
            assert same(read(variant, name), scene), variant


@pytest.mark.parametrize("name", NAMES)
def test_harm_to_a_text_is_refused_with_its_line(name: str) -> None:
    sample, rng = sample_of(name), np.random.default_rng(11)
    for _ in range(TEXTS):
        text, _ = sample.pair(rng)
        for kind, spoilt in with_harm(rng, text, sample.family):
            with pytest.raises(NotUnderstoodError) as refusal:
                read(spoilt, name)
            assert re.match(r"Line \d+: \S|Found \w+ bod|The text ", str(refusal.value)), (kind, spoilt)
            # Nor does another form make a pair of it.
            assert not read_text(spoilt).pairs, (kind, spoilt)


@pytest.mark.parametrize(("name", "text", "why"), [(name, *one) for name in NAMES for one in sample_of(name).refused])
def test_what_is_not_understood_is_named(name: str, text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(why)):
        read(text)


@pytest.mark.parametrize(
    "imported",
    [
        "import {\n  Mesh,\n  SphereGeometry as Ball,\n} from 'three';",
        "import Three, {\n  Mesh,\n} from 'three'",
        "const {\n  Mesh,\n  SphereGeometry: Ball,\n} = require('three');",
        "from math import (\n    pi,\n    sqrt as root,\n)",
        "import { Mesh } from 'three';\nconst { Box3 } = require('three');",
    ],
)
def test_imports_over_several_lines_are_passed_over_and_their_lines_counted(imported: str) -> None:
    example = BY_NAME["three_js"].examples[0]
    assert same(read(f"{imported}\n{example}", "three_js"), read(example))
    with pytest.raises(NotUnderstoodError, match=f"Line {imported.count(chr(10)) + 2}: shear"):
        read(f"{imported}\nshear(1);\n{example}", "three_js")


def test_an_import_takes_no_statement_with_it() -> None:
    example = BY_NAME["three_js"].examples[0]
    with pytest.raises(NotUnderstoodError, match="Line "):
        read(f"import {{\n  Mesh,\n  shear(1);\n}} from 'three';\n{example}", "three_js")


def test_a_value_by_name_is_refused_where_one_value_belongs() -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape("Line 2: f(…) needs one value, without a name")):
        only(Call("f", (), {"x": Number(1.0, 2)}, 2))
    with pytest.raises(NotUnderstoodError, match=re.escape("Line 2: f(…) needs one value, got 0")):
        only(Call("f", (), {}, 2))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_examples_of_a_form_are_claimed_by_it_and_read(form) -> None:
    assert form.examples
    assert form.source
    for text in form.examples:
        assert form.mark.search(text)
        assert same(read(text), read(text, form.name))


MARKS = ("(", "[", "{", "<", "- ", "let ", "a.", "a<", "f().", "/*", "\n", " ", "<a>", "1,", "a")
HOSTILE = ("\ud800", *(2_000 * mark for mark in MARKS))
"""What may stand anywhere in a text: half a surrogate, and more marks than Python's stack is deep."""


@pytest.mark.parametrize(("name", "hostile"), [(name, hostile) for name in NAMES for hostile in HOSTILE])
@pytest.mark.sampled(5, "random")
def test_hostile_texts_are_read_or_refused_with_a_sentence(name: str, hostile: str) -> None:
    example = BY_NAME[name].examples[0]
    for text in (hostile, f"{example}\n{hostile}x", example.replace(" ", f" {hostile} ", 1)):
        # Any other error than the sentence's fails here.
        with suppress(NotUnderstoodError):
            read(text, name)


def test_a_text_too_long_earns_one_sentence_from_all_forms() -> None:
    reading = read_text(500_000 * "1 ")
    with pytest.raises(NotUnderstoodError, match="has 1,000,000 characters; a pair has at most 200,000"):
        _ = reading.pair


def test_code_is_cut_no_further_than_it_is_read() -> None:
    text = "a.b.c = 1\n" + 19_000 * "p = f(1, 2)\n"
    assert len(Tokens(text[:MOST_CHARACTERS]).found) < 5_000
    first = next(statements(text[:MOST_CHARACTERS]))
    assert first == Assign("a.b.c", Number(1.0, 1), 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * (MOST_CHARACTERS + 1), "has 200,001 characters; a pair has at most 200,000"),
        ("(" * 1000, "more than 40 brackets stand inside each other"),
        ("f()" + ".g()" * 1000, "more than 100 calls stand in one chain"),
        (".a" * 1000 + "(1)", "is not understood"),
        ("a" + ".a" * 1000, "more than 100 names stand in one path"),
        ("a = 1 /* b = 2", "the comment /* is not closed"),
        ('{"a": 1, a: 2}', "a is given twice"),
        ("a = \ud800", "is not understood"),
        ("a = 1 / 0", "divided by zero"),
        ("a = f(3 / 2, 0)", "3 / 2 of whole numbers is 1 in C++, C#, Java and Rust"),
        ("let x: f32 = 1 / 2;", "1 / 2 of whole numbers is 0 in C++, C#, Java and Rust"),
        ("let mut x = 1 / 2;", "1 / 2 of whole numbers is 0"),
        ("let x = ColliderBuilder::ball(1 / 2);", "1 / 2 of whole numbers is 0"),
        ("let x = vector![1 / 2, 0.0, 0.0];", "1 / 2 of whole numbers is 0"),
        ("a = 2 * (1 / 4)", "1 / 4 of whole numbers is 0 in C++"),
        ("a = 010", "010 may be octal"),
        ("a = f(, 2, 4)", "a value is missing before a comma"),
        ("a = f(1,, 2)", "a value is missing before a comma"),
        ("a = [1, 2", "the bracket [ is not closed"),
        ("a = 1e400", "too large for double precision"),
        ("a = 'half", "is not understood"),
    ],
)
def test_code_that_is_none_earns_its_sentence(text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(why)):
        list(statements(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 1.0 / 2", 0.5),
        ("a = (3 + 1) / 2", 2.0),
        ("a = float(1) / 2", 0.5),
        ("a = -1 / 2f", -0.5),
        ("let a = 1 / 2", 0.5),
        ("b = [0]\na = 1 / 2", 0.5),
        ("const a: number = 1 / 2", 0.5),
    ],
)
def test_quotients_that_every_language_of_the_text_has(text: str, value: float) -> None:
    *_, statement = statements(text)
    assert isinstance(statement, Assign)
    assert statement.value == Number(value, text.count("\n") + 1)


def test_quotients_of_whole_numbers_are_real_where_the_form_says_so() -> None:
    assert next(statements("a = 1 / 2", real_quotients=True)) == Assign("a", Number(0.5, 1), 1)
