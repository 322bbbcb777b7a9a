"""What `steps --json` says of every scene of a log, a line each: `python -m tests.faults.told LOG`."""

from __future__ import annotations

import io
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from app.cli.steps import steps


def main(log: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.json"
        for line in Path(log).read_text("utf-8").splitlines():
            file.write_text(line, "utf-8")
            with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
                steps(str(file), as_json=True, sub_steps=True)
            print(said.getvalue().replace("\n", " "))


if __name__ == "__main__":
    main(sys.argv[1])
