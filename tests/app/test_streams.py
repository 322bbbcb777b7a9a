"""What is printed can be read: UTF-8 in files and pipes, stand-ins in ASCII on a terminal that lacks the signs."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.cli.streams import ERRORS

from .command_rig import GOOD, ROOT, line

POOR = {"LC_ALL": "C", "PYTHONUTF8": "0"}
"""A Linux whose streams are ASCII."""


def environment(**more: str) -> dict[str, str]:
    left_out = ("PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LC_CTYPE", "LANG")
    return {key: value for key, value in os.environ.items() if key not in left_out} | more


def run(*words: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "app", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, env=environment(**more), capture_output=True, timeout=120)


@pytest.mark.parametrize(
    "words", [("check", GOOD, "--steps"), ("steps", GOOD), ("--help",)], ids=["check", "steps", "help"]
)
def test_a_pipe_gets_utf_8_whatever_the_locale(words: tuple[str | Path, ...]) -> None:
    poor, rich = run(*words, **POOR), run(*words, LC_ALL="C.UTF-8")
    assert (poor.returncode, poor.stdout, poor.stderr) == (0, rich.stdout, b"")
    assert "\\u" not in poor.stdout.decode("utf-8")


def test_standard_error_is_utf_8_as_well(tmp_path: Path) -> None:
    bad = tmp_path / "größer.json"
    bad.write_text(line().replace('"type": "box"', '"type": "büx"'), encoding="utf-8")
    done = run("check", bad, **POOR)
    assert done.returncode == 1
    assert 'got "büx"' in done.stderr.decode("utf-8")


def test_what_pythonioencoding_asks_for_is_kept() -> None:
    done = run("check", GOOD, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "A.z x B.y   -0.313120" in done.stdout.decode("ascii")


@pytest.mark.skipif(os.name == "nt", reason="a terminal of one's own")
def test_a_terminal_of_ascii_gets_stand_ins() -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "app", "check", "--brief", "--fail-on", "depth:0", str(GOOD)]
    with subprocess.Popen(command, cwd=ROOT, env=environment(**POOR), stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while b"failed" not in shown:
            shown += os.read(ours, 10_000)
    os.close(ours)
    assert process.returncode == 3
    assert "OVERLAPPING      -0.313120  Two boxes" in shown.decode("ascii")


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("kind", "read"), [(io.TextIOWrapper, "utf-8"), (Terminal, "cp1252")])
def test_windows_code_page_is_for_terminals_alone(
    kind: type[io.TextIOWrapper], read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    out, err = (kind(io.BytesIO(), "cp1252") for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["check", str(GOOD), "--fail-on", "depth:1e-9"]) == 3
    for stream in (out, err):
        stream.flush()
    said, told = (stream.buffer.getvalue().decode(read) for stream in (out, err))  # type: ignore[attr-defined]
    minus = "−" if read == "utf-8" else "-"
    assert f"A.z × B.y   {minus}0.313120" in said
    assert "depth 0.31312, more than 1 × 10⁻⁹" in told or "depth 0.31312, more than 1 × 10^-9" in told
    assert "\\" not in said + told


def test_a_stream_of_ones_own_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["check", "--brief", str(GOOD)]) == 0
    assert "−0.313120" in out.getvalue()


@pytest.mark.skipif(os.name == "nt", reason="closes standard error as a shell does")
def test_sentences_do_not_mix_with_the_answers_where_standard_error_is_closed(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "app", "check", "--json", "--brief", str(GOOD), str(tmp_path / "none.json")]
    done = subprocess.run(["sh", "-c", 'exec "$@" 2>&-', "sh", *words], cwd=ROOT, capture_output=True, timeout=120)
    assert done.returncode == 1
    assert ["error" in json.loads(text) for text in done.stdout.splitlines()] == [False, True]


@pytest.mark.parametrize(
    ("text", "stand_in"),
    [
        ("A − B × 10⁻¹² ± 2°", "A - B x 10^-12 +/- 2 deg"),
        ("n·w ≤ x² → v₀′", "n*w <= x^2 -> v0'"),
        ("Größe 日 \udcff", "Grosse \\u65e5 \\udcff".replace("Grosse", "Gro\\xdfe")),
    ],
)
def test_stand_ins(text: str, stand_in: str) -> None:
    assert text.encode("ascii", ERRORS).decode() == stand_in


def test_an_exponent_is_one_where_a_code_page_has_a_part_of_it() -> None:
    assert "10⁻²³ x²".encode("cp1252", ERRORS).decode("cp1252") == "10^-23 x²"
