"""How the command line ends: on closed pipes and ctrl-C, over long logs, and on a terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from .command_rig import GOOD, ROOT, line, objects_of, run, start


def test_a_reader_that_goes_away_ends_it_without_a_word() -> None:
    process = start("check", "--json", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    for _ in range(20):
        process.stdin.write(line())
    process.stdin.close()
    assert process.wait(timeout=120) == 141
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_it_without_a_word() -> None:
    process = start("check", "--json", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line() * 2)
    process.stdin.flush()
    # Standard input is read two lines ahead; the answers come at once all the same.
    for _ in range(2):
        assert process.stdout.readline().startswith("{")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, "")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.slow
@pytest.mark.nightly("commands")
def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    # The high-water mark of the process itself: resource's figure starts with that of whoever forked it.
    script = (
        "import sys, pathlib\nfrom app.__main__ import main\n"
        f"main(['check', '--json', {str(log)!r}])\n"
        "print(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0], file=sys.stderr)"
    )
    peaks = []
    for count in (20, 2000):
        log.write_text((" " * 10_000 + line()) * count)
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
        peaks.append(int(done.stderr))
    assert peaks[1] - peaks[0] < 5_000  # kB; the second log has 20 MB


LONG_LOG = line() * 1000 + "broken\n" + line() * 1000


@pytest.mark.skipif(os.name == "nt", reason="a terminal of one's own")
@pytest.mark.slow
def test_a_long_log_shows_on_a_terminal_how_far_it_is(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(LONG_LOG)
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "app", "check", "--json", str(log)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        answers = process.communicate(timeout=120)[0]
    shown = ""
    with suppress(OSError):  # the end of what a terminal holds, which gives a part at a time
        while part := os.read(ours, 100_000):
            shown += part.decode()
    os.close(ours)
    assert len(answers.splitlines()) == 2001
    assert re.search(r"\[#+\.+\]  ?\d+ %, [\d,]+ scenes", shown)
    assert shown.endswith("\r\x1b[K")
    assert objects_of(answers)[1000]["error"].startswith(str(log) + ":1001")


@pytest.mark.skipif(os.name == "nt", reason="a terminal of one's own")
@pytest.mark.slow
@pytest.mark.parametrize("until", ["%", "writing", ""], ids=["drawn", "written", "whole"])
def test_a_large_picture_shows_on_a_terminal_how_far_it_is_and_ctrl_c_leaves_nothing(
    tmp_path: Path, until: str
) -> None:
    out = tmp_path / "a.png"
    ours, theirs = os.openpty()
    words = ["picture", str(GOOD), "-o", str(out), "--size", "4000x3000" if until else "1200x900"]
    shown, sent = "", False
    with start(*words, stderr=theirs) as process:
        os.close(theirs)
        with suppress(OSError):  # the program has ended
            while part := os.read(ours, 100_000):
                shown += part.decode()
                if until and until in shown and not sent:
                    process.send_signal(signal.SIGINT)
                    sent = True
    os.close(ours)
    assert process.returncode == (130 if until else 0)
    assert re.match(rf"\r\x1b\[K{re.escape(str(out))}: \d+ %\r\x1b\[K", shown)
    assert shown.endswith("writing\r\x1b[K" if until != "%" else " %\r\x1b[K")
    assert [path.name for path in tmp_path.iterdir()] == ([] if until else ["a.png"])


@pytest.mark.slow
@pytest.mark.nightly("commands")
def test_a_long_log_is_silent_where_no_terminal_is(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(LONG_LOG)
    done = run("check", "--json", log)
    assert len(done.stdout.splitlines()) == 2001
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="closes standard output as a shell does")
@pytest.mark.parametrize("command", ["check", "steps"])
def test_closed_output_is_told_and_never_ends_well(command: str) -> None:
    words = [sys.executable, "-m", "app", command, str(GOOD)]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (1, "separatrix: nothing could be said: standard output is closed\n")
