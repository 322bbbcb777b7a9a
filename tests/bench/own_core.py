"""The hunt put to the core itself: its answers about B and A, turned back. None may be wrong.

tests/bench/run own-core [--questions 10000] [--seed 1]
"""

from __future__ import annotations

import argparse
from collections import Counter
from time import process_time

from core.study.differential.hunt import hunt
from tests.core.own_engine import OURS, SPACE, ask_ours


def main(arguments: list[str]) -> int:
    """Prints how many answers are in each class; exit status 1 if any is a fault."""
    parser = argparse.ArgumentParser(prog="tests/bench/run own-core")
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    start, counts, faults = process_time(), Counter[str](), 0
    for one in hunt(OURS, ask_ours, SPACE, seed=given.seed, most=given.questions):
        counts[one.kind] += 1
        faults += one.found is not None
    print(f"{given.questions} questions, {process_time() - start:.0f} s: {dict(counts)}, {faults} findings")
    return int(counts.total() != counts["agrees"])
