"""The driver that is loaded beside the imports: what is asked of the system, and that nothing of it need be there."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from types import SimpleNamespace

import pytest

from app.platform import early_graphics
from app.platform.early_graphics import SONAMES, EarlyGraphics

DISPLAY, INPUT_METHOD = 4711, 1147


class Function:
    """One of a library: it notes its name, and answers."""

    restype: object = None

    def __init__(self, called: list[str], name: str, answer: int | None) -> None:
        self._called, self._name, self._answer = called, name, answer

    def __call__(self, *_: object) -> int | None:
        self._called.append(self._name)
        return self._answer


class Library:
    """Stands for libX11 and libGL; XOpenDisplay answers with `display`."""

    def __init__(self, called: list[str], display: int | None) -> None:
        for name in ("XInitThreads", "XDefaultScreen", "XCloseDisplay", "XSetLocaleModifiers", "glXChooseFBConfig"):
            setattr(self, name, Function(called, name, 0))
        self.XOpenDisplay = Function(called, "XOpenDisplay", display)
        self.XOpenIM = Function(called, "XOpenIM", INPUT_METHOD)


@pytest.fixture
def on_linux(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes.util, "find_library", ctypes.util.find_library)
    monkeypatch.setenv("DISPLAY", ":1")
    return monkeypatch


@pytest.mark.parametrize("display", [DISPLAY, None])
def test_a_connection_of_its_own_asks_for_a_configuration_and_is_closed(
    on_linux: pytest.MonkeyPatch, display: int | None
) -> None:
    called: list[str] = []
    library = Library(called, display)
    on_linux.setattr(ctypes, "CDLL", lambda _: library)
    graphics = EarlyGraphics()
    graphics.ready()
    asked = ["XDefaultScreen", "glXChooseFBConfig", "XSetLocaleModifiers", "XOpenIM"] if display else []
    assert called == ["XInitThreads", "XOpenDisplay", *asked], "XInitThreads before anything else of Xlib"
    graphics.close()
    graphics.close()
    assert called.count("XCloseDisplay") == bool(display)


@pytest.mark.parametrize("takes", [True, False])
def test_pyglet_goes_on_with_the_connection_and_the_input_method(on_linux: pytest.MonkeyPatch, takes: bool) -> None:
    called: list[str] = []
    library = Library(called, DISPLAY)
    on_linux.setattr(ctypes, "CDLL", lambda _: library)
    opened = SimpleNamespace(restype=ctypes.POINTER(ctypes.c_char))
    xlib = SimpleNamespace(XOpenDisplay=opened, XIM=ctypes.POINTER(ctypes.c_short))
    on_linux.setitem(sys.modules, "pyglet.libs.x11", SimpleNamespace(xlib=xlib))
    graphics = EarlyGraphics()
    made = graphics.hand_over(lambda: SimpleNamespace(_display=xlib.XOpenDisplay(None) if takes else object()))
    assert xlib.XOpenDisplay is opened, "whoever asks next has a connection of its own"
    if takes:
        assert ctypes.cast(made._display, ctypes.c_void_p).value == DISPLAY
        assert ctypes.cast(made._x_im, ctypes.c_void_p).value == INPUT_METHOD
    graphics.close()
    assert called.count("XCloseDisplay") == (not takes), "what is handed over is not closed"


def test_without_a_connection_pyglet_makes_its_own(on_linux: pytest.MonkeyPatch) -> None:
    on_linux.delenv("DISPLAY")
    assert EarlyGraphics().hand_over(lambda: "its own") == "its own"


def test_without_the_libraries_the_start_goes_on(on_linux: pytest.MonkeyPatch) -> None:
    def none(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    on_linux.setattr(ctypes, "CDLL", none)
    on_linux.setattr(early_graphics, "_find_library", lambda name: f"lib{name}.found")
    graphics = EarlyGraphics()
    graphics.ready()
    graphics.close()
    assert ctypes.util.find_library("GL") == "libGL.found", "what has another name here is searched for"
    assert ctypes.util.find_library("avcodec") == "libavcodec.found"


def test_what_is_there_is_known_without_a_search(on_linux: pytest.MonkeyPatch) -> None:
    on_linux.setattr(ctypes, "CDLL", lambda name: name)
    on_linux.setattr(early_graphics, "_find_library", lambda _: pytest.fail("searched"))
    EarlyGraphics().close()
    assert {name: ctypes.util.find_library(name) for name in SONAMES} == SONAMES


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_nothing_is_done(on_linux: pytest.MonkeyPatch, platform: str) -> None:
    find = ctypes.util.find_library
    on_linux.setattr(sys, "platform", platform)
    on_linux.setattr(ctypes, "CDLL", lambda _: pytest.fail("loaded"))
    graphics = EarlyGraphics()
    graphics.ready()
    graphics.close()
    assert ctypes.util.find_library is find


def test_without_a_display_no_driver_is_loaded(on_linux: pytest.MonkeyPatch) -> None:
    on_linux.delenv("DISPLAY")
    on_linux.setattr(ctypes, "CDLL", lambda _: pytest.fail("loaded"))
    graphics = EarlyGraphics()
    graphics.ready()
    graphics.close()
