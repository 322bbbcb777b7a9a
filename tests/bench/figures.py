"""Vector pictures of everything that can be on screen, beside the same pictures as pixels.

`.venv/bin/python -m tests.bench.figures [--quick] [--pictures FOLDER] [PART OF A NAME]...` takes all presets in print
and dark: the answer, a step of each phase, every overlay, every probe, questions open and settled. `--quick`: the
answers alone. It prints what is farthest off and largest; exit status 1 where an aim is missed, and `--pictures` keeps
those.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from app.draw.theme import theme_named
from app.overlays.globe import MAPS
from app.render import make_context
from app.state.view import Seen, View
from tests.figure_rig import Compared, compare
from tests.snapshot_kit.scenes import EVERYTHING, Known, Pictured, scenes

AIMS = {
    "SVG: mean difference of 255": 1.2,
    "SVG: % of the pixels off by more than 32": 0.25,
    # Pdfium and MuPDF alike lose up to 1 of 255 where one glass lies on another.
    "PDF: mean difference of 255": 1.5,
    "PDF: % of the pixels off by more than 32": 0.4,
    "SVG of polyhedra, kB": 130.0,
    "SVG with round bodies, kB": 500.0,
    "PDF, kB": 500.0,
    "SVG, seconds": 2.0,
    "PDF, seconds": 2.0,
}
ROUND = {"Sphere", "Capsule", "Cylinder", "Cone", "Ellipsoid", "Circle", "Rounded"}


class Shot(Struct, frozen=True):
    """A view of a scene by its name."""

    name: str
    seen: Seen


def shots(known: Known, theme: str, *, quick: bool) -> Iterator[Shot]:
    """What is looked at of a scene."""
    pictured = Pictured(known)
    colours, opened = theme_named(theme), pictured.opened
    answer = Seen(pictured.scene, pictured.analysis, opened, colours, sweep=pictured.sweep)
    yield Shot(f"{known.name}, {theme}", answer)
    if quick:
        return
    first = 0
    for phase, _, count in pictured.query.phases:
        place, first = first + count // 2, first + count
        step = replace(answer, query=pictured.query, place=place)
        yield Shot(f"{known.name}, {phase.name.lower()} {count // 2 + 1}, {theme}", step)
    if theme == "dark":
        return
    everything = replace(answer, view=replace(opened, shown=EVERYTHING, probe=None, free=None))
    yield Shot(f"{known.name}, every overlay", everything)
    yield Shot(f"{known.name}, large map", replace(answer, view=replace(opened, shown=opened.shown | MAPS)))
    for name, probe in pictured.probes():
        yield Shot(f"{known.name}, probe, {name}", replace(answer, view=replace(opened, probe=probe)))
    for number, question in enumerate(pictured.questions):
        for name, prediction in pictured.predictions(number, question):
            asked = pictured.standing(prediction, question)
            view = _asking(opened)
            step = replace(answer, view=view, asked=asked)
            if question.place is not None:
                step = replace(step, query=pictured.query, place=question.place)
            yield Shot(f"{known.name}, question {number + 1} {name}", step)


def _asking(view: View) -> View:
    return replace(view, probe=None, free=None)


def figures(shot: Shot, found: Compared) -> dict[str, float]:
    """What is held against the aims."""
    shapes = {type(body.shape).__name__ for body in (shot.seen.scene.a, shot.seen.scene.b)}
    flat = not shapes & ROUND and shot.seen.view.probe is None
    size = "SVG of polyhedra, kB" if flat else "SVG with round bodies, kB"
    return {
        "SVG: mean difference of 255": found.mean("svg"),
        "SVG: % of the pixels off by more than 32": found.far("svg"),
        "PDF: mean difference of 255": found.mean("pdf"),
        "PDF: % of the pixels off by more than 32": found.far("pdf"),
        size: len(found.svg_file) / 1000.0,
        "PDF, kB": len(found.pdf_file) / 1000.0,
        "SVG, seconds": found.svg_seconds,
        "PDF, seconds": found.pdf_seconds,
    }


def keep(folder: Path, shot: Shot, found: Compared) -> None:
    """The three pictures and both differences, four times as bright, one above the other."""
    rows = [found.gl, found.svg, found.pdf]
    rows += [np.minimum(4 * np.abs(found.gl.astype(int) - other), 255).astype(np.uint8) for other in rows[1:]]
    folder.mkdir(parents=True, exist_ok=True)
    name = shot.name.replace(", ", "_").replace(" ", "-")
    Image.fromarray(np.concatenate(rows)).save(folder / f"{name}.png")
    (folder / f"{name}.svg").write_bytes(found.svg_file)
    (folder / f"{name}.pdf").write_bytes(found.pdf_file)


def main(words: list[str]) -> int:
    """Compares; the exit status."""
    parser = argparse.ArgumentParser(prog="tests.bench.figures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PART OF A NAME")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    options = parser.parse_args(words)
    context, table, count = make_context(standalone=True), {name: [] for name in AIMS}, 0
    for known in scenes():
        if not known.preset or (options.names and not any(part in known.name for part in options.names)):
            continue
        for theme in ("print", "dark"):
            for shot in shots(known, theme, quick=options.quick):
                found = compare(shot.seen, context)
                count += 1
                told = figures(shot, found)
                for name, value in told.items():
                    table[name].append((value, shot.name))
                missed = [name for name, value in told.items() if value > AIMS[name]]
                if missed:
                    print(f"{shot.name}: {', '.join(f'{name} {told[name]:.3g}' for name in missed)}", flush=True)
                if options.pictures and (missed or options.names):
                    keep(options.pictures, shot, found)
    context.release()
    print(f"{count} pictures\n\n| figure | median | most | of | aim |\n|---|---:|---:|---|---:|")
    for name, rows in table.items():
        values = sorted(rows)
        if values:
            most, at = values[-1]
            print(f"| {name} | {values[len(values) // 2][0]:.3g} | {most:.3g} | {at} | {AIMS[name]:g} |")
    return int(any(value > AIMS[name] for name, rows in table.items() for value, _ in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
