"""Texts that are made to break a reader: each is a pair or earns one sentence, in a time that its length allows."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.forms.form import NotUnderstoodError, ReadPair
from app.forms.numbers import ROTATIONS, SIZES, Conventions, numbers_alone, read_numbers
from app.forms.registry import read_text
from core.geometry import quaternion

from ..conftest import ROOT
from .patience import PATIENCE

WORDS = (
    "A B box capsule hull plane size radius halfHeight pos quat matrix points center convexRadius x y z w X O v s"
    " ( ) [ ] { } , ; : = ' 0 1 -1 0.5 1e-3 1e300 0 0 0 1 nan inf 1.#IND 1e999 é − #7 m[0] <geom type= <robot> vec3"
)
SOUP = st.lists(st.sampled_from([*WORDS.split(), '"', "\n"]), max_size=80).map(" ".join)
FIGURES = "0 1 -1 0.5 1e300 -1e300 1e-300 0.6 0.8 | , ("
NUMBERS = st.lists(st.sampled_from([*FIGURES.split(), "\n"]), max_size=44).map(" ".join)


def assert_is_sound(pair: ReadPair) -> None:
    for body in (pair.scene.a, pair.scene.b):
        assert np.isfinite((*body.position, *body.rotation)).all()
        assert quaternion.norm(body.rotation) == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(SOUP | st.text(max_size=200))
@pytest.mark.nightly("commands")
def test_any_text_is_a_pair_or_one_clear_sentence(text: str) -> None:
    reading = read_text(text)
    for pair in reading.pairs.values():
        assert_is_sound(pair)
    if not reading.pairs:
        with pytest.raises(NotUnderstoodError) as refusal:
            _ = reading.pair
        assert len(str(refusal.value).splitlines()) == 1


@settings(max_examples=300, deadline=None)
@given(NUMBERS, st.sampled_from([*SIZES]), st.sampled_from([*SIZES]), st.sampled_from([*ROTATIONS]), st.booleans())
@pytest.mark.nightly("commands")
def test_any_numbers_are_a_pair_or_one_clear_sentence(text: str, a: str, b: str, rotation: str, caps: bool) -> None:
    assert numbers_alone(text) or not any(digit in text for digit in "01")
    sentence = "one"
    try:
        assert_is_sound(read_numbers(text, Conventions(a, b, rotation=rotation, caps=caps, z_up=caps)))
    except NotUnderstoodError as refusal:
        sentence = str(refusal)
    assert len(sentence.splitlines()) == 1


LONG = ("(", "a", "a.", "1", "1.1.", '"', "a\n", "<!--", "1, ", "[", "{}", " ", "\n", "import ", "<?x ?>", "[[1,")


@pytest.mark.nightly("commands")
def test_a_long_text_ends() -> None:
    """In a process with a limit: each of these would keep a reader busy for hours that looks at every part again."""
    program = f"""
from app.forms.registry import read_text
for part in {LONG!r}:
    for begin in ("", "size 1 ", "<a>"):
        read_text(begin + part * (190_000 // len(part)))
    print(repr(part))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout.splitlines(), done.stderr) == ([repr(part) for part in LONG], "")
