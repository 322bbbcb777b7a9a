"""No number of the core that decides something comes in, or changes its name, without a test or a reason."""

from __future__ import annotations

from tests.core.geometry.tolerances.constants import A_TENTH, TEN_TIMES, constants
from tests.core.geometry.tolerances.table import TABLE


def test_every_number_is_in_the_table() -> None:
    assert sorted(constants()) == sorted(TABLE)


def test_whatever_is_not_caught_has_a_reason() -> None:
    for key, entry in TABLE.items():
        assert set(entry.caught) <= {TEN_TIMES, A_TENTH}, key
        assert bool(entry.why) == (len(entry.caught) < 2), key
