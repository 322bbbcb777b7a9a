"""The parser of every command, and types of arguments that several commands use.

Each type raises ArgumentTypeError for a text that it refuses.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

FEWEST_CORNERS = 4
"""The fewest corners of a hull that has an inside."""

if TYPE_CHECKING:
    from .outcomes import Conditions

MOST_JOBS = 256
"""The most processes that `check` runs at once."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are a sentence and a line that names `--help`, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Prints the sentence and exits with status 2."""
        if message.endswith(": expected one argument"):
            # argparse takes "-40,20" for an option.
            message += f", or {message.split(':')[0].split()[-1]}=VALUE for a value that begins with -"
        self.exit(2, f"{self.prog}: error: {message}\n`{self.prog} --help` has every option.\n")


def file_name(text: str) -> str:
    """Reads a file's name. Raises ArgumentTypeError if it is empty."""
    # An empty name comes from an unset variable of a script; as a path it would mean the current folder.
    if not text:
        raise argparse.ArgumentTypeError("must be a file's name, got an empty one")
    return text


def corner_count(text: str) -> int:
    """Reads the most corners that a simplified hull may have.

    Raises ArgumentTypeError unless it is at least FEWEST_CORNERS.
    """
    if not text.isascii() or not text.isdigit() or int(text) < FEWEST_CORNERS:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least {FEWEST_CORNERS}, got {text}")
    return int(text)


def engine_names(text: str) -> tuple[str, ...]:
    """Reads engines' names, separated by commas. Raises ArgumentTypeError for an unknown name."""
    from ..engines.asked import known_name

    try:
        return tuple(known_name(name) for name in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def form_name(text: str) -> str:
    """Reads the name of a form of text. Raises ArgumentTypeError for an unknown name."""
    from ..forms.registry import BY_NAME

    if text not in BY_NAME:
        raise argparse.ArgumentTypeError(f"must be the name of a form: {', '.join(BY_NAME)}; got {text!r}")
    return text


def add_form(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--form` of commands that read a scene or a text."""
    parser.add_argument("--form", type=form_name, metavar="NAME", help="read a text as this form, as bullet")


def conditions(text: str) -> Conditions:
    """Reads the conditions of `check --fail-on`. Raises ArgumentTypeError for others."""
    from .outcomes import Conditions

    try:
        return Conditions.of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def step_list(text: str) -> str:
    """Reads a list of steps, in the form of `--steps`. Raises ArgumentTypeError for other text."""
    from ..state.named_steps import read_steps

    try:
        read_steps(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def jobs(text: str) -> int:
    """Reads the number of processes to run at once. Raises ArgumentTypeError unless it is from 1 to MOST_JOBS."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_JOBS):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_JOBS}, got {text!r}")
    return int(text)
