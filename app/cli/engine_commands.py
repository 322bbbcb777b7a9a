"""Parses the arguments of `separatrix engines`, `hunt`, `bundle` and `shrink` and runs the command."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Parser, add_form, conditions, engine_names, file_name


def _engines(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix engines",
        description="List the collision engines that are found here and in the interpreters of the settings, ask each "
        "ten pairs, and say how to get the others. Needs no display.",
    )
    parser.parse_args(words)
    from .engines import list_engines

    return list_engines()


def _hunt(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix hunt",
        description="Ask engines about many pairs, and keep each kind of wrong answer that can be proved, shrunk to "
        "few digits. Exit status 3 if something was found. Needs no display.",
    )
    parser.add_argument("--engines", type=engine_names, required=True, metavar="NAMES", help="as coal,mujoco")
    parser.add_argument("--seed", type=_count, default=1, metavar="N", help="1; the same pairs for the same number")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--questions", type=_count, metavar="N", help="of each engine; 1000 without --seconds")
    budget.add_argument("--seconds", type=_seconds, metavar="S", help="of wall time, for all engines together")
    parser.add_argument("--families", type=_families, default=(), metavar="NAMES", help="of pairs, as deep,thin; all")
    parser.add_argument("--around", type=file_name, metavar="SCENE", help="only pairs near this one")
    add_form(parser)
    parser.add_argument("--out", type=file_name, metavar="DIR", help="write a bundle of each finding there")
    parser.add_argument("--json", action="store_true", help="one JSON object a finding instead of text")
    parser.add_argument("--live", action="store_true", help="with --json: each finding at once too, and the progress")
    options = parser.parse_args(words)
    if options.around and options.families:
        parser.error("argument --around: not with --families")
    if options.live and not options.json:
        parser.error("argument --live: needs --json")
    from .hunt import Budget, OutputFormat, hunt_engines

    budget_of = Budget(options.questions, options.seconds)
    out = None if options.out is None else Path(options.out)
    near = None if options.around is None else (options.around, options.form or "")
    output_format = OutputFormat.LIVE if options.live else OutputFormat.JSON if options.json else OutputFormat.TEXT
    return hunt_engines(options.engines, options.seed, budget_of, options.families, near, out, output_format)


def _bundle(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix bundle",
        description="Ask an engine about a scene; if its answer is wrong, write a zip with a script of that engine and "
        "numpy that shows it. Needs no display.",
    )
    parser.add_argument(
        "scene", type=file_name, metavar="SCENE", help="scene, picture that carries one, or text of a pair"
    )
    add_form(parser)
    parser.add_argument("--engine", type=engine_names, required=True, metavar="NAME", help="as separatrix engines has")
    parser.add_argument("-o", "--output", type=file_name, required=True, metavar="OUT.zip", help="file to write")
    options = parser.parse_args(words)
    if len(options.engine) > 1:
        parser.error("argument --engine: one of them")
    from .bundle import bundle

    return bundle(options.scene, options.engine[0], Path(options.output), options.form or "")


def _shrink(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix shrink",
        description="Find a scene with few digits that still fails the conditions, or about which the engine is still "
        "wrong in the same way. Needs no display.",
    )
    parser.add_argument(
        "scene", type=file_name, metavar="SCENE", help="scene, picture that carries one, or text of a pair"
    )
    add_form(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--fail-on", type=conditions, metavar="CONDITIONS", help="as of check, but verdict-change")
    what.add_argument("--engine", type=engine_names, metavar="NAME", help="as separatrix engines has")
    parser.add_argument("-o", "--output", type=file_name, required=True, metavar="OUT.json", help="file to write")
    options = parser.parse_args(words)
    if options.engine and len(options.engine) > 1:
        parser.error("argument --engine: one of them")
    from .shrink import shrink

    engine = options.engine[0] if options.engine else None
    return shrink(options.scene, options.fail_on, engine, Path(options.output), options.form or "")


def _count(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 10**12):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, got {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, got {text!r}")
    return value


def _families(text: str) -> tuple[str, ...]:
    from core.study.differential.hunt import FAMILIES

    if unknown := [name for name in text.split(",") if name not in FAMILIES]:
        raise argparse.ArgumentTypeError(f"must be of {', '.join(FAMILIES)}; got {unknown[0]!r}")
    return tuple(text.split(","))


COMMANDS = {"engines": _engines, "hunt": _hunt, "bundle": _bundle, "shrink": _shrink}
