"""`separatrix engines`: lists the engines found, their shapes, their answers to ten pairs, and how to get others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import cycle, islice
from statistics import median

import numpy as np

from core.analysis.brief import distance_of
from core.pair.pair import PairScale
from core.study.differential.answers import EngineAnswer, Failed, NotAsked

from ..engines.asked import EngineSession, Judged, class_words, engines_of
from ..engines.catalogue import ENGINES, EngineSpec, FoundEngine, found_engines
from ..engines.sample import sample_pair
from ..engines.workers import Ready, Worker
from ..state.settings import load_settings, settings_path
from ..words.digits import column_number
from .faults import Sentences
from .report import printable, vector

PAIRS = 10
SEED = 1
PRECISIONS = {32: "single", 64: "double"}


def list_engines() -> int:
    """Prints the list; returns 1 after a fault or if the settings or an interpreter cannot be used, else 0."""
    settings, fault = load_settings()
    found, refused = found_engines(settings.engine_pythons)
    for sentence in (*([fault] if fault else []), *refused):
        print(printable(sentence), file=sys.stderr)
    sentences = Sentences()
    for engine in found:
        with sentences.attempt(engine.entry.title):
            print("\n".join(_about(engine)))
    names = {engine.entry.name for engine in found}
    missing = [entry for entry in ENGINES if entry.name not in names]
    if missing:
        print("\n".join(_how_to_get(missing)))
    return 1 if fault or refused or sentences.any else 0


def engine_sessions(names: Sequence[str], stack: ExitStack) -> tuple[EngineSession, ...] | None:
    """The engines of these names, closed with `stack`; returns None, and prints why, if one is not found."""
    if not names:
        return ()
    settings, _ = load_settings()
    try:
        found = engines_of(names, settings.engine_pythons)
    except ValueError as error:
        print(printable(str(error)), file=sys.stderr)
        return None
    return tuple(stack.enter_context(EngineSession(one)) for one in found)


def engines_text(judged: Sequence[Judged]) -> str:
    """The other engines' answers, a line each: version, separation, normal, class, microseconds."""
    lines = ["  Other engines, beside the separation above"]
    for one in judged:
        name, words = f"{one.entry.title} {one.engine.version}".strip(), printable(class_words(one))
        said = one.answer
        if not isinstance(said, EngineAnswer):
            lines.append(f"  {name:<22}{'no answer':>14}  {words}")
            continue
        number_said = "no number" if said.signed is None else column_number(said.signed)
        normal = "no normal" if said.normal is None else vector(np.array(said.normal))
        took = f"  {said.us:.0f} µs" if said.us else ""
        lines.append(f"  {name:<22}{number_said:>14}  {normal}  {words}{took}")
    return "\n".join(lines) + "\n"


def _about(engine: FoundEngine) -> list[str]:
    """Lines about one engine: its version, its shapes, its answers to the sample."""
    entry = engine.entry
    worker = Worker(engine.entry.command(engine.python), entry.name)
    try:
        # The first question starts the worker, whether or not the engine knows the shapes.
        first = worker.answer(sample_pair(SEED, ("sphere", "sphere"), 0)).answer
        if worker.ready is None:
            why = first.words if isinstance(first, Failed | NotAsked) else "not ready"
            return [f"{entry.title} ({entry.name}): {printable(why)}"]
        return [*_described(entry, engine.python, worker.ready), f"  {_asked(worker, worker.ready.pairs)}"]
    finally:
        worker.close()


def _described(entry: EngineSpec, python: str, ready: Ready) -> list[str]:
    where = "" if python == sys.executable else f", {printable(python)}"
    shapes = list(dict.fromkeys(shape for pair in ready.pairs for shape in pair))
    every = {frozenset((a, b)) for a in shapes for b in shapes} - {frozenset(("halfspace",))}
    without = sorted(" and ".join(sorted(pair) * (3 - len(pair))) for pair in every - {*map(frozenset, ready.pairs)})
    return [
        f"{entry.title} ({entry.name}) {ready.version}: {ready.kind}, {PRECISIONS[ready.precision]} precision, "
        f"Python {ready.python}{where}",
        f"  {len(ready.pairs)} pairs of shapes: {', '.join(shapes)}"
        + (f"; not {', '.join(without)}" if without else ""),
    ]


def _asked(worker: Worker, pairs: Sequence[tuple[str, str]]) -> str:
    """One line on the engine's answers to PAIRS pairs of shapes, evenly chosen."""
    off, times, silent, missed, failed, not_asked = [], [], 0, 0, [], []
    chosen = list(islice(cycle(pairs[:: max(1, len(pairs) // PAIRS)]), PAIRS))
    for index, kinds in enumerate(chosen):
        scene = sample_pair(SEED, kinds, index)
        answer, true = worker.answer(scene).answer, distance_of(scene)
        if isinstance(answer, NotAsked):
            not_asked.append(answer.words)
            continue
        if not isinstance(answer, EngineAnswer):
            failed.append(answer.words if isinstance(answer, Failed) else f"no {answer.shape}")
            continue
        times.append(answer.us)
        if answer.signed is not None:
            off.append(abs(answer.signed - true.separation) / PairScale.of(scene.a, scene.b).largest_radius)
        elif bool(answer.contacts) != (true.separation <= 0.0):
            missed += 1
        else:
            silent += 1
    parts = [f"{len(off)} separations, at most {max(off):.0e} L off"] if off else []
    parts += [f"{silent} right verdicts without a number"] if silent else []
    parts += [f"{missed} wrong verdicts"] if missed else []
    parts += [f"{len(failed)} without an answer ({failed[0]})"] if failed else []
    parts += [f"{median(times) / 1000.0:.2g} ms each"] if times else []
    asked = f"asked about {PAIRS - len(not_asked)} pairs: {', '.join(parts)}"
    return f"{asked}; {len(not_asked)} not asked: {not_asked[0]}" if not_asked else asked


def _how_to_get(missing: Sequence[EngineSpec]) -> list[str]:
    packages: dict[str, EngineSpec] = {}
    for entry in missing:
        packages.setdefault(entry.package, entry)
    lines = [
        f"  pip install {entry.package:12}{entry.title}" + (f"; in {entry.own}" if entry.own else "")
        for entry in packages.values()
    ]
    return [
        "Not found:",
        *lines,
        'Name Pythons of their own in the settings, as in "engine_pythons": ["/path/to/python"]: '
        + printable(str(settings_path())),
    ]
