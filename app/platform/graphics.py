"""Prints the description of GL, or "!" and an error: `python -m app.platform.graphics window|pictures`.

It runs in a separate process, as a driver may crash.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from ..render.context import make_context, renderer_words

        if sys.argv[1:] == ["window"]:
            from .window import open_window

            window = open_window(visible=False)
        sys.stdout.write(renderer_words(make_context(standalone=sys.argv[1:] != ["window"])))
    except Exception as error:
        sys.stdout.write(f"!{type(error).__name__}: {error}".splitlines()[0])
