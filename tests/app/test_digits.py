"""Numbers as they are read: by the kind of place, by the setting, and never another number than was meant."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import inf, nan, nextafter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.words import digits
from app.words.digits import Digits, written_with
from core.scene import Body, Scene
from core.shapes import Sphere
from core.verdict import Sentence

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.sampled_from((1, 2, 3, 4, 6, 17))
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.fixture(autouse=True)
def bodies_of_size_1() -> Iterator[None]:
    with digits.written_of(Scene(Body(Sphere(1.0)), Body(Sphere(0.5)))):
        yield


def read(words: str) -> Decimal:
    """What a reader takes the words for: the number, or the one in brackets behind `≈ 0`."""
    bracketed = words.replace("≈ 0 (", "").rstrip(")")
    mantissa, _, power = bracketed.partition(" × 10")
    return Decimal(mantissa.replace("−", "-") + (f"e{power.translate(LOWERED)}" if power else ""))


def half_unit(value: float, count: int) -> Decimal:
    """Half a unit in the last of `count` significant digits of a number."""
    return Decimal(5).scaleb(Decimal(value).adjusted() - count)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.0, "−2"),
        (0.3131199, "0.313"),
        (0.3135001, "0.314"),
        (-0.25, "−0.25"),
        (12345.6, "12300"),
        (99949.0, "99900"),
        (99950.1, "1 × 10⁵"),
        (1e5, "1 × 10⁵"),
        (-123456.0, "−1.23 × 10⁵"),
        (1e-4, "0.0001"),
        (0.00099996, "0.001"),
        (9.994e-5, "9.99 × 10⁻⁵"),
        (3.2e-7, "3.2 × 10⁻⁷"),
        (4.4e-17, "≈ 0 (4e−17)"),
        (-4.4e-17, "≈ 0 (−4e−17)"),
        (1e-12, "1 × 10⁻¹²"),
        (9.9e-13, "≈ 0 (1e−12)"),
        (1e300, "1 × 10³⁰⁰"),
        (5e-324, "≈ 0 (5e−324)"),
        (nan, "–"),
        (inf, "∞"),
        (-inf, "−∞"),
    ],
)
def test_a_number_in_a_picture_or_a_sentence_has_three_digits(value, words):
    assert digits.plain(value) == words


@pytest.mark.parametrize(
    ("setting", "place", "words"),
    [
        (Digits.DESCRIBED, digits.plain, "0.333"),
        (Digits.DESCRIBED, digits.term, "0.3333"),
        (Digits.DESCRIBED, digits.tabular, "0.333333"),
        (Digits.DESCRIBED, digits.column_number, "+0.333333"),
        (Digits.SIX, digits.plain, "0.333333"),
        (Digits.SIX, digits.term, "0.333333"),
        (Digits.SIX, digits.tabular, "0.333333"),
        (Digits.FULL, digits.plain, "0.33333333333333331"),
        (Digits.FULL, digits.term, "0.33333333333333331"),
        (Digits.FULL, digits.tabular, "0.33333333333333331"),
        (Digits.FULL, digits.column_number, "+0.33333333333333331"),
        (Digits.FULL, digits.signed, "+0.33333333333333331"),
        (Digits.FULL, digits.instant, "0.33333333333333331"),
        (Digits.FULL, digits.tolerance, "0.33333333333333331"),
    ],
)
def test_the_setting_raises_every_kind_of_place(setting, place, words):
    with written_with(setting):
        assert place(1.0 / 3.0) == words
    assert digits.digits_shown() is Digits.DESCRIBED


def test_zeros_stay_in_columns_alone():
    assert [digits.column_number(v) for v in (0.25, -1.0, 0.0, 3.2e-7)] == ["+0.250000", "−1.00000", "0", "+3.20000e−7"]
    assert [digits.tabular(v) for v in (0.25, -1.0, 0.0)] == ["0.25", "−1", "0"]


def test_a_power_in_a_column_is_short_for_every_number_of_digits():
    assert [digits.column_number(123456.0, count) for count in (6, 5, 2)] == ["+123456", "+1.2346e5", "+1.2e5"]
    assert digits.column_number(-99996.0, 4) == "−1.000e5"


def test_two_numbers_shown_together_have_a_fourth_digit_where_three_say_the_same():
    assert digits.told_together(0.31312, 0.31331) == ("0.3131", "0.3133")
    assert digits.told_together(0.313, 0.4) == ("0.313", "0.4")
    assert digits.told_together(0.25, 0.25) == ("0.25", "0.25")
    assert digits.told_together(0.31312, 0.31331, -1.0) == ("0.3131", "0.3133", "−1")
    assert digits.told_together(0.31312, 0.31331, sign=True) == ("+0.3131", "+0.3133")
    assert digits.told_together(1e-17, 1.4e-17) == ("≈ 0 (1e−17)", "≈ 0 (1e−17)")


def test_a_number_between_bounds_shows_no_digit_in_which_they_differ():
    assert digits.shared_digits(0.31312, 0.31331) == "0.313"
    assert digits.shared_digits(0.523, 0.531) == "0.5"
    assert digits.shared_digits(0.4, 0.9) == "0.4 to 0.9"
    assert digits.shared_digits(0.31351, 0.31349) == "0.31"
    with written_with(Digits.FULL):
        assert digits.shared_digits(0.31312, 0.31331) == "0.313"


@pytest.mark.parametrize(
    ("degrees", "words"),
    [
        (34.4, "34°"),
        (-90.0, "−90°"),
        (2.0, "2°"),
        (1.96, "2°"),
        (1.94, "1.9°"),
        (1.0, "1°"),
        (0.32, "0.3°"),
        (0.0, "0°"),
        (-0.0, "0°"),
        (nan, "–°"),
        (0.023, "0.02°"),
        (-3e-07, "−3 × 10⁻⁷°"),
    ],
)
def test_angles_are_whole_degrees_and_tenths_below_two(degrees, words):
    assert digits.in_degrees(degrees) == words


def test_no_other_time_reads_as_the_end():
    assert digits.instant(1.0) == "1"
    assert digits.instant(0.99961) == "0.9996"
    assert digits.instant(nextafter(1.0, 0.0)) == "0.9999999999999999"
    assert digits.instant(0.0) == "0"
    assert digits.instant(0.42237) == "0.422"


@given(NUMBERS, COUNTS)
def test_it_reads_back_within_half_a_unit_of_the_last_digit_with_its_sign(value, count):
    seen = read(digits.written(value, count))
    if value == 0.0:
        assert seen == 0
        return
    assert abs(seen - Decimal(value)) <= half_unit(value, count)
    assert seen
    assert seen.is_signed() == (value < 0.0)


@given(NUMBERS, NUMBERS, COUNTS)
def test_of_two_numbers_the_larger_never_reads_as_the_smaller(first, second, count):
    low, high = sorted((first, second))
    assert read(digits.written(low, count)) <= read(digits.written(high, count))


@given(NUMBERS)
def test_zero_alone_reads_as_zero(value):
    for place in (digits.plain, digits.signed, digits.tolerance, digits.term, digits.tabular, digits.column_number):
        words = place(value)
        assert (words == "0") == (value == 0.0)
        assert "-" not in words
    assert (digits.in_degrees(value) == "0°") == (value == 0.0)


@given(NUMBERS)
def test_all_digits_name_the_double(value):
    assert float(digits.full(value)) == value
    with written_with(Digits.FULL):
        assert float(read(digits.plain(value))) == value


@given(NUMBERS.filter(bool), st.floats(0.0, 1.0))
def test_a_number_between_bounds_is_within_a_unit_of_both(lower, width):
    upper = lower + abs(lower) * width
    words = digits.shared_digits(lower, upper)
    if " to " in words:
        # No digit that both have says which of them it is.
        assert digits.written(lower, 1) != digits.written(upper, 1)
        return
    count = max(1, len(words.partition(" × ")[0].replace("−", "").replace(".", "").strip("0")))
    for bound in (lower, upper):
        assert digits.written(bound, count) == words


@pytest.mark.parametrize(
    ("setting", "text", "numbers", "words"),
    [
        (Digits.DESCRIBED, "EPA is off by {:.2g}.", (2.345678e-7,), "EPA is off by 2.35 × 10⁻⁷."),
        (Digits.SIX, "EPA is off by {:.2g}.", (2.3456789e-7,), "EPA is off by 2.34568 × 10⁻⁷."),
        (
            Digits.DESCRIBED,
            "{:.3g}° off, along it {:.6g}.",
            (1.2345, -2 / 3),
            "1.2° off, along it −0.667.",
        ),
        (Digits.DESCRIBED, "A says {:.17g}, B says {:.17g}.", (0.1, -0.2), "A says 0.1, B says −0.2."),
        (Digits.DESCRIBED, "A says {:.17g}, B says {:.17g}.", (-0.1, -0.1000009), "A says −0.1, B says −0.100001."),
        (Digits.DESCRIBED, "A says {:.17g}, B says {:.17g}.", (1e-17, 2e-17), "A says 1 × 10⁻¹⁷, B says 2 × 10⁻¹⁷."),
        (Digits.DESCRIBED, "The same number.", (), "The same number."),
    ],
)
def test_a_sentence_of_the_core_has_the_digits_that_its_numbers_need(setting, text, numbers, words):
    with written_with(setting):
        assert digits.sentence_text(Sentence(text, numbers)) == words


def test_the_core_writes_a_sentence_with_its_own_digits():
    both = Sentence("Off by {:.2g}", (2.345678e-7,)) + Sentence(": {:.4g} apart.", (0.25,))
    with written_with(Digits.FULL):
        assert str(both) == "Off by 2.3e-07: 0.25 apart."


@pytest.mark.parametrize(("size", "value", "words"), [(1e30, 1217.0, "1000"), (1e17, -2.0, "−2"), (1e15, 0.04, "0.04")])
def test_beside_a_huge_body_whole_units_are_rounding_and_read_as_numbers(size: float, value: float, words: str) -> None:
    with digits.written_of(Scene(Body(Sphere(size)), Body(Sphere(1.0)))):
        assert digits.plain(value) == f"≈ 0 ({words})"


@pytest.mark.parametrize("size", [2.0**-30, 1.0, 2.0**30])
def test_what_is_only_rounding_goes_by_the_size_of_the_bodies(size: float) -> None:
    # Two balls, the larger of radius `size`; times are of a motion from 0 to 1 whatever the bodies' size.
    scene = Scene(Body(Sphere(0.5 * size)), Body(Sphere(size), position=(3.0 * size, 0.0, 0.0)))
    with digits.written_of(scene):
        for share, rounds in ((0.9e-12, True), (1.1e-12, False), (0.3, False)):
            for sign in (1.0, -1.0):
                value = sign * share * size
                assert digits.plain(value).startswith("≈ 0") == digits.only_rounding(value) == rounds
                assert digits.signed(value).startswith("+") == (sign > 0.0 and not rounds)
        assert digits.instant(1e-9) == "1 × 10⁻⁹"
        assert digits.instant(1e-13) == "≈ 0 (1e−13)"
        assert not digits.only_rounding(0.0)
    assert digits.only_rounding(0.9e-12)


@given(st.lists(st.floats(), max_size=9), st.sampled_from((*Digits, 1, 2, 5)))
@example([123456.0, 99999.7, 999999.6, 1e-4, 9.9999999e-5, -0.0, nan, -inf, 5e-13], Digits.SIX)
@example([9.996, 99.6, 0.9996, 12.0], 1)
def test_many_at_once_are_written_as_one_by_one(values, setting):
    with written_with(setting):
        assert digits.plains(values) == [digits.plain(value) for value in values]


USUAL = st.floats(1e-4, 1e5) | st.floats(-1e5, -1e-4)


@given(
    st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[USUAL] * k), min_size=1)), st.sampled_from((*Digits, 1, 5))
)
@example([(0.99999999, 12.0), (-5.0, -99999.4)], Digits.SIX)
@example([(0.99999999, 99999.6), (-5.0, 1.0)], Digits.SIX)
@example([(1e-4, 0.0), (-5.0, nan), (inf, 9.9999999e-5)], Digits.SIX)
@example([(nan,), (1.0,)], Digits.FULL)
@example([(1.0,), (nan,)], Digits.FULL)
def test_a_table_is_aligned_to_the_right_and_no_wider_than_it_must_be(rows, setting):
    heads = ("separation", "A", "B", "C")[: len(rows[0])]
    with written_with(setting):
        words = [heads, *[[digits.column_number(value) for value in row] for row in rows]]
        lines = digits.aligned_columns(np.array(rows), heads)
    assert [line.split() for line in lines] == [list(row) for row in words]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    assert lines == ["  ".join(map(str.rjust, row, widths)) for row in words]
