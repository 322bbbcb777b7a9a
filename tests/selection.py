"""Which tests a run takes: all but the nightly ones, or these as well, or one part of them; and when it stops.

    @pytest.mark.nightly("windows")      only with --all or --part windows
    @pytest.mark.sampled(5, "scenes")    of its parameters every fifth in each run, the others with --all or that part
    for _ in range(some(200)):           a quarter of the random examples, all of them with --all or --part random

`.ci/run` runs the parts in turn, one a commit; nothing is left out of all three.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parent / "core"
PARTS = ("random", "scenes", "commands", "pictures", "windows")
"""Random families in full; every scene's pictures, and every kernel; processes, other engines, packages, files of a
grammar; films, handouts and vectors in browsers; windows that are driven for long."""
RANDOM = PARTS[0]
LEFT_OUT = "the time was up"
SHARE = 4

_whole = True


def some(count: int) -> int:
    """How many random examples a run takes where all are `count`: a quarter. Outside of pytest all."""
    return count if _whole else -(-count // SHARE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="the nightly tests as well")
    parser.addoption("--part", metavar="PART", help=f"of the nightly tests one part: {', '.join(PARTS)}, or a number")
    parser.addoption("--until", type=float, metavar="TIME", help="begin no test after this time, seconds of the epoch")


def pytest_configure(config: pytest.Config) -> None:
    global _whole
    part = config.getoption("part")
    if part is not None and part not in PARTS and not part.isdigit():
        raise pytest.UsageError(f"--part: must be {', '.join(PARTS)} or a number, got {part!r}")
    _whole = config.getoption("all") or (part is not None and part_named(part) == RANDOM)


def part_named(word: str) -> str:
    """A part by its name or by any number: 0 is the first, and after the last comes the first again."""
    return PARTS[int(word) % len(PARTS)] if word.isdigit() else word


def part_of(item: pytest.Item, place: int) -> str | None:
    """The nightly part of a test, at `place` among those of its function; None where each run has it."""
    nightly, sampled = item.get_closest_marker("nightly"), item.get_closest_marker("sampled")
    if nightly is None and (sampled is None or place % sampled.args[0] == 0):
        return None
    part = nightly.args[0] if nightly is not None else sampled.args[1]
    assert part in PARTS, f"{item.nodeid} is of no part: {part}"
    return str(part)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("all"):
        return
    wanted = None if config.getoption("part") is None else part_named(config.getoption("part"))
    places: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        function = item.nodeid.partition("[")[0]
        part = part_of(item, places[function])
        places[function] += 1
        # What a run has of the core with a share of its examples is tried with all of them.
        chosen = part == wanted or (wanted == RANDOM and part is None and CORE in item.path.parents)
        (kept if chosen else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that is asked for by its name runs also when the time is up."""
    until = item.config.getoption("until")
    if until is not None and time.time() > until and item.nodeid.partition("[")[0] not in item.config.args:
        pytest.skip(LEFT_OUT)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was left out when the time was up, by file."""
    skipped = terminalreporter.stats.get("skipped", ())
    late = Counter(one.nodeid.partition("::")[0] for one in skipped if LEFT_OUT in str(one.longrepr))
    if late:
        told = ", ".join(f"{file} ({count})" for file, count in late.items())
        terminalreporter.write_line(f"left out, as the time was up: {late.total()} tests of {told}")
