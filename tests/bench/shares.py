"""How often each engine agrees: the share of every class, by engine and by pair of shapes.

    tests/bench/run shares [--poses 200] [--seed 1] [--margin default|zero] [ENGINE]...

All engines that are installed, and those of the interpreters that the variable ENGINE_PYTHONS names, are asked the
same pairs (`app/engines/sample.py`), each also with A and B exchanged. It prints markdown: a table by engine, one by
pair of shapes, and below them where exchanging changed more than it may, and each normal that points the other way
with what proves it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import isfinite

from app.engines.catalogue import found_engines
from app.engines.sample import sample_pair
from app.engines.workers import Worker
from core import Scene
from core.analysis.brief import distance_of
from core.study.differential.answers import Answer, Engine, EngineAnswer, Failed, NotAsked, Unsupported
from core.study.differential.certificates import certified
from core.study.differential.classes import FAULTS, Judgement, Kind, Truth, judge
from core.study.differential.hunt import Ask
from core.study.lab.random_pair import FLAT_MAKERS, MAKERS

Kinds = tuple[str, str]
PAIRS: tuple[Kinds, ...] = tuple(
    pair
    for makers in (MAKERS, FLAT_MAKERS)
    for pair in combinations_with_replacement(makers, 2)
    if pair != ("halfspace", "halfspace")
)
MOST_TOLD = 5
"""Examples told of one engine and pair of shapes."""


@dataclass
class Tally:
    """What an engine's answers were: `counts` by pair of shapes and class; `told`: sentences by pair of shapes.

    `swapped`: answers that were not the same with A and B exchanged. `not_asked`: poses that were not put to it, which
    are in no class, by pair of shapes and why.
    """

    engine: Engine
    counts: dict[Kinds, Counter[Kind]] = field(default_factory=dict)
    told: dict[Kinds, list[str]] = field(default_factory=dict)
    swapped: int = 0
    not_asked: dict[Kinds, Counter[str]] = field(default_factory=dict)

    @property
    def total(self) -> Counter[Kind]:
        """Of the pairs that it can be asked about."""
        return sum((one for one in self.counts.values() if set(one) != {Kind.UNSUPPORTED}), Counter[Kind]())

    def tell(self, kinds: Kinds, sentence: str) -> None:
        """Keeps a sentence."""
        self.told.setdefault(kinds, []).append(sentence)


def tallies(engines: Sequence[tuple[Engine, Ask]], pairs: Iterable[Kinds], poses: int, seed: int) -> list[Tally]:
    """Asks all engines at once about every pair, and about the pair with A and B exchanged."""
    found = [Tally(engine) for engine, _ in engines]
    with ThreadPoolExecutor(len(found)) as pool:
        for kinds in pairs:
            going = list(range(len(found)))
            for index in range(poses):
                scene = sample_pair(seed, kinds, index)
                truth = Truth.of(distance_of(scene))
                asked = {k: pool.submit(_both, engines[k][1], scene) for k in going}
                for k, future in asked.items():
                    answers = future.result()
                    _add(found[k], kinds, index, scene, truth, answers)
                    if isinstance(answers[0], Unsupported):
                        going.remove(k)
            print(f"{' and '.join(kinds)}…", file=sys.stderr, flush=True)
    return found


def _both(ask: Ask, scene: Scene) -> tuple[Answer, Answer]:
    return ask(scene), ask(scene.swapped())


def _add(tally: Tally, kinds: Kinds, index: int, scene: Scene, truth: Truth, said: tuple[Answer, Answer]) -> None:
    """Counts the first answer, and compares the other one with it."""
    answer, exchanged = said
    if isinstance(answer, NotAsked):
        tally.not_asked.setdefault(kinds, Counter())[answer.words] += 1
        return
    found = judge(scene, truth, tally.engine, answer)
    tally.counts.setdefault(kinds, Counter())[found.kind] += 1
    if isinstance(answer, Failed):
        tally.tell(kinds, f"{found.kind} at {index}: {answer.words}")
    elif found.kind in FAULTS:
        tally.tell(kinds, f"{found.kind} at {index}: {found.error:+.3g}, severity {found.severity:.3g} L")
    if found.opposite and isinstance(answer, EngineAnswer):
        proof = certified(scene, truth, answer, found)
        tally.tell(kinds, f"points the other way at {index}, proved by: {proof}")
    if isinstance(exchanged, NotAsked):
        return
    other = exchanged.swapped() if isinstance(exchanged, EngineAnswer) else exchanged
    if why := differs(found, judge(scene, truth, tally.engine, other)):
        tally.swapped += 1
        tally.tell(kinds, f"exchanged at {index}: {why}")


def differs(one: Judgement, other: Judgement) -> str:
    """How two answers to the same question differ by more than twice what each may be off by; "" if they do not.

    Two normals are the same where both prove the same. Answers that only lie on either side of a bound do not differ.
    """
    beside = ""
    for what, x, y in (
        ("the number", one.error, other.error),
        ("what the normal proves", one.proves, other.proves),
    ):
        if isfinite(x) != isfinite(y):
            beside = f"one answer lacks {what}"
        elif isfinite(x) and abs(x - y) > 2.0 * max(one.bound, one.tolerance):
            beside = f"{what} changes by {y - x:+.3g}"
        if beside:
            break
    if one.kind is not other.kind and (beside or not isfinite(one.error)):
        return f"{one.kind} becomes {other.kind}" + (f", {beside}" if beside else "")
    return beside


def by_engine(found: Sequence[Tally]) -> str:
    """A markdown table: a row an engine, a column a class that occurs, in percent of what it was asked."""
    kinds = [kind for kind in Kind if any(tally.total[kind] for tally in found)]
    rows = [f"| engine | version | pairs of shapes | asked | {' | '.join(kinds)} | exchanged |"]
    rows.append(f"|---|---|{'---:|' * (len(kinds) + 3)}")
    for tally in found:
        total = tally.total
        asked = total.total()
        shapes = sum(set(one) != {Kind.UNSUPPORTED} for one in tally.counts.values())
        shares = [_share(count, asked) for count in (*(total[kind] for kind in kinds), tally.swapped)]
        rows.append(f"| {' | '.join((tally.engine.name, tally.engine.version, str(shapes), str(asked), *shares))} |")
    return "\n".join(rows)


def by_pair(found: Sequence[Tally]) -> str:
    """A markdown table: a row a pair of shapes, a column an engine: all classes but "agrees", in percent."""
    rows = [f"| shapes | {' | '.join(tally.engine.name for tally in found)} |", f"|---|{'---|' * len(found)}"]
    for kinds in {kinds: None for tally in found for kinds in tally.counts}:
        cells = [_cell(tally.counts.get(kinds, Counter())) for tally in found]
        if any(cell != "–" for cell in cells):
            rows.append(f"| {' and '.join(kinds)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(counts: Counter[Kind]) -> str:
    if set(counts) <= {Kind.UNSUPPORTED}:
        return "–"
    asked = counts.total()
    return ", ".join(f"{_share(counts[kind], asked)} {kind}" for kind in Kind if counts[kind] and kind != Kind.AGREES)


def _share(count: int, of: int) -> str:
    return "" if not count else f"{100.0 * count / of:.3g}"


def told(found: Sequence[Tally]) -> Iterator[str]:
    """What was kept, a line each, `MOST_TOLD` of an engine and pair of shapes."""
    for tally in found:
        name = tally.engine.name
        for kinds, reasons in tally.not_asked.items():
            yield from (f"- {name}, {' and '.join(kinds)}: {count} not asked: {why}" for why, count in reasons.items())
        for kinds, sentences in tally.told.items():
            more = len(sentences) - MOST_TOLD
            yield from (f"- {name}, {' and '.join(kinds)}: {sentence}" for sentence in sentences[:MOST_TOLD])
            if more > 0:
                yield f"- {name}, {' and '.join(kinds)}: {more} more"


def main(arguments: list[str]) -> int:
    """Prints the tables; 2 if an engine that was named is not there."""
    parser = argparse.ArgumentParser(prog="tests/bench/run shares")
    parser.add_argument("engines", nargs="*")
    parser.add_argument("--poses", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--margin", choices=("zero", "default"), default="default")
    given = parser.parse_args(arguments)
    pythons = [python for python in os.environ.get("ENGINE_PYTHONS", "").split(os.pathsep) if python]
    entries = {one.entry.name: one for one in found_engines(pythons)[0]}
    if missing := [name for name in given.engines if name not in entries]:
        print(f"not installed: {', '.join(missing)}; there are {', '.join(entries)}", file=sys.stderr)
        return 2
    chosen = [entries[name] for name in given.engines or entries]
    workers = [Worker(one.entry.command(one.python), one.entry.name) for one in chosen]

    def asking(worker: Worker) -> Ask:
        return lambda scene: worker.answer(scene, given.margin).answer

    try:
        engines = []
        for one, worker in zip(chosen, workers, strict=True):
            # One after another, so that none of the first questions waits for a processor.
            worker.answer(sample_pair(given.seed, PAIRS[0], 0))
            version = "" if worker.ready is None else worker.ready.version
            engines.append((one.entry.engine(version), asking(worker)))
        found = tallies(engines, PAIRS, given.poses, given.seed)
    finally:
        for worker in workers:
            worker.close()
    print("\n\n".join((by_engine(found), by_pair(found), "\n".join(told(found)))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
