"""What every test stands on: software GL, a home of its own, a virtual screen, and failing scenes kept as files."""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from PIL import Image, ImageGrab

from core.scene import Scene

ROOT = Path(__file__).resolve().parent.parent
FAILURES = ROOT / ".cache" / "failures"

pytest_plugins = ("tests.selection",)

# The same pixels on every machine, and no window on the screen of whoever runs the tests. Set before GL is loaded.
os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
if sys.platform == "linux":  # elsewhere pyglet draws in windows alone
    os.environ["PYGLET_HEADLESS"] = "1"
# The same pixels without threads for them: every core has a worker of its own, and they cost a sixth more.
os.environ["LP_NUM_THREADS"] = "0"
# As the program's window sets them; here a test may import pyglet first.
os.environ["PYGLET_DEBUG_GL"] = os.environ["PYGLET_SHADOW_WINDOW"] = "0"

# The same examples in every run, and none too slow for a busy machine: what fails once fails again.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for one folder after another. A number of our own: pytest's looks through all the folders so far."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def fresh_home(
    homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """Where settings, recent files and autosaves go in place of the user's own. No folder yet, as most need none.

    The program survives its own faults; a test in which one is reported fails, unless it asks for `fault_log`.
    """
    path = next(homes)
    monkeypatch.setenv("SEPARATRIX_HOME", str(path))
    yield path
    log = path / "fault.txt"
    if "fault_log" not in request.fixturenames and log.exists():
        pytest.fail(f"a fault of the program:\n{log.read_text('utf-8')}", pytrace=False)


@pytest.fixture
def fault_log(fresh_home: Path) -> Iterator[Path]:
    """The file of the program's faults, for a test that means one: there must be one."""
    log = fresh_home / "fault.txt"
    yield log
    assert log.exists(), "the fault that was meant has not been reported"


@pytest.fixture
def home(fresh_home: Path) -> Path:
    """The same as a folder that is there."""
    fresh_home.mkdir()
    return fresh_home


@dataclass(frozen=True)
class Screen:
    """A virtual X screen of 1280x800: `env` makes a child process open its windows there."""

    display: str
    env: dict[str, str]

    def xdotool(self, *arguments: str | int) -> str:
        """Drive the mouse and the keyboard from outside; returns what xdotool prints."""
        command = ["xdotool", *(str(argument) for argument in arguments)]
        return subprocess.run(command, env=self.env, check=True, capture_output=True, text=True, timeout=120).stdout

    def picture(self) -> Image.Image:
        """What stands on the screen."""
        return ImageGrab.grab(xdisplay=self.display)


@pytest.fixture(scope="session")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """An Xvfb on a free display for the whole run."""
    if not shutil.which("Xvfb"):
        pytest.skip("needs Xvfb")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    # Else it begins anew whenever its last client goes, and who comes meanwhile is sent away.
    command += ["-noreset"]
    with (tmp_path_factory.mktemp("xvfb") / "log").open("wb") as log:
        server = subprocess.Popen(command, pass_fds=[writing], stdout=log, stderr=log)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()  # Xvfb writes it once it takes connections
        try:
            assert number, "Xvfb did not start"
            env = os.environ | {"DISPLAY": f":{number}", "LC_ALL": "C.UTF-8"}  # titles have letters beyond ASCII
            for name in ("PYGLET_HEADLESS", "WAYLAND_DISPLAY", "XAUTHORITY"):
                env.pop(name, None)
            yield Screen(f":{number}", env)
        finally:
            server.terminate()
            server.wait(timeout=120)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests that stay to the end: Python need not look through them for rubbish time and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a screen, so that `-m "not xvfb"` leaves it out."""
    for item in items:
        if "screen" in getattr(item, "fixturenames", ()):
            item.add_marker("xvfb")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """With `-n auto`: none for a file or two, done before workers are ready, nor where prints are asked for (-s)."""
    files = config.args_source is config.ArgsSource.ARGS and all(".py" in argument for argument in config.args)
    return 0 if (files and len(config.args) <= 2) or config.getoption("capture") == "no" else None


def _scene_in(error: pytest.ExceptionInfo[BaseException]) -> Scene | None:
    """The scene at work where the test failed: the innermost local variable that is one."""
    for entry in reversed(error.traceback):
        for value in entry.frame.f_locals.values():
            if isinstance(value, Scene):
                return value
    return None


def _keep(scene: Scene, test: str) -> str:
    """Write the scene to a file that the program opens; says where."""
    from app.io.scene_file import save

    FAILURES.mkdir(parents=True, exist_ok=True)
    path = FAILURES / (re.sub(r"\W+", "-", test).strip("-") + ".json")
    try:
        save(path, scene)
    except ValueError as refusal:  # a test may be about the very numbers that no file holds
        return f"not kept: {refusal}"
    return f"app/run {path}   (keep it in tests/scenes once it is mended)"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Save the scene of a failing test, random ones above all, as a file that the program opens."""
    report = yield
    if report.failed and call.excinfo is not None:
        scene = _scene_in(call.excinfo)
        if scene is not None:
            report.sections.append(("Failing scene", _keep(scene, item.nodeid)))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last line names the engines that were not there to be asked."""
    skipped = {report.nodeid for report in terminalreporter.stats.get("skipped", ())}
    about = (node.partition("[")[2].rstrip("]") for node in skipped if "test_engine_adapters" in node)
    names = sorted({name for name in about if name})
    if names:
        terminalreporter.write_line(f"engines that were not asked, as they are not installed: {', '.join(names)}")
