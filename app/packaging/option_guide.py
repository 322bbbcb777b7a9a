"""Writes the table of export options in assets/guide/pictures.md: `.venv/bin/python -m app.packaging.option_guide`.

The table is between the two lines BEGIN and END there.
"""

from __future__ import annotations

from ..state.export_options import CONFLICTS, OPTIONS, option_name, usual
from ..state.option import for_files
from ..storage.files import resource

PAGE = resource("assets", "guide") / "pictures.md"
BEGIN, END = "<!-- options: written by app.packaging.option_guide -->\n", "<!-- end of options -->\n"


def table() -> str:
    """The Markdown table: a row for each option, in the order of OPTIONS."""
    rows = [f"| {_form(name)} | {_help(name)} | {usual(name)} | {_takes(name)} |" for name in OPTIONS]
    return "\n".join(["| option | | default | for |", "|---|---|---|---|", *rows, ""])


def _form(name: str) -> str:
    option = OPTIONS[name]
    form = option.kind.usage().form if option.bare is None else f"[{option.kind.usage().form}]"
    return f"`{option_name(name)} {form}".replace("|", "\\|").strip() + "`"


def _help(name: str) -> str:
    option = OPTIONS[name]
    seconds = [each.second.partition("=") for each in CONFLICTS if each.first == name]
    others = [f"{option_name(second)} {value}".rstrip() for second, _, value in seconds]
    return "; ".join(
        filter(
            None,
            (
                ", ".join(filter(None, (option.help, option.kind.usage().limits))),
                f"with `{option_name(option.needs)}`" if option.needs else "",
                f"not with {' or '.join(f'`{other}`' for other in others)}" if others else "",
            ),
        )
    )


def _takes(name: str) -> str:
    return for_files(OPTIONS[name].takes)


def with_table(text: str) -> str:
    """The page's text, which has the lines BEGIN and END, with the table between them replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
