"""A browser engine (Qt's, which is Chromium) in a process of its own: `browser.py ORDERS.json ANSWERS.json`.

Orders are lists of a verb and its arguments, carried out one after another in one page; the answers have a value for
each, and all that the page said on its console or asked for beside `data:`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QMarginsF, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QImage, QPageLayout, QPageSize
from PySide6.QtTest import QTest
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile, QWebEngineScript, QWebEngineUrlRequestInterceptor
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication

PATIENCE = 30_000
"""Milliseconds for one order, on a busy machine."""
SWIPES = 6
"""Events of a finger on its way."""
STILL = 3
"""Pictures that must be equal, one after the other."""
DRAWN = "document.fonts.ready.then(()=>requestAnimationFrame(()=>requestAnimationFrame(()=>{drawn=1})))"


ENGINE = {"QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_DISABLE_SANDBOX": "1"}
"""No window on anybody's screen; and root, as which tests may run, has no sandbox."""


class Requests(QWebEngineUrlRequestInterceptor):
    """Notes what is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def interceptRequest(self, info: Any) -> None:  # noqa: N802 (Qt's name)
        if info.requestUrl().scheme() != "data":
            self.seen.append(info.requestUrl().toString())


class Page(QWebEnginePage):
    """Notes what is said on the console."""

    def __init__(self, profile: QWebEngineProfile) -> None:
        super().__init__(profile)
        self.said: list[str] = []

    def javaScriptConsoleMessage(self, _level: Any, message: str, line: int, _source: str) -> None:  # noqa: N802
        self.said.append(f"{line}: {message}")


class Browser:
    """One window of 1280 by 800."""

    def __init__(self) -> None:
        self._profile, self.requests = QWebEngineProfile(), Requests()
        self._profile.setUrlRequestInterceptor(self.requests)
        self.page, self._view = Page(self._profile), QWebEngineView()
        self._view.setPage(self.page)
        self._view.resize(1280, 800)
        self._view.show()
        self._saved = QImage()

    def open(self, file: str, fragment: str = "") -> bool:
        """Loads a file; whether that went well."""
        url = QUrl.fromLocalFile(file)
        url.setFragment(fragment)
        # Within the page that is open a place would only be scrolled to.
        return self._load(QUrl("about:blank")) and self._load(url)

    def _load(self, url: QUrl) -> bool:
        def load(done: Callable[[Any], None]) -> None:
            self.page.loadFinished.connect(done, Qt.ConnectionType.SingleShotConnection)
            self.page.load(url)

        return bool(_waited(load))

    def reduce_motion(self) -> None:
        """From the next file on, whoever reads wants no motion."""
        script = QWebEngineScript()
        script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
        script.setWorldId(QWebEngineScript.ScriptWorldId.MainWorld)
        script.setSourceCode("window.matchMedia=wanted=>({matches:wanted.includes('reduced-motion: reduce')})")
        self.page.scripts().insert(script)

    def js(self, code: str) -> Any:
        """The value of an expression."""
        # Qt hands over texts, but no lists.
        return json.loads(_waited(lambda done: self.page.runJavaScript(f"JSON.stringify({code})??'null'", done)))

    def key(self, name: str) -> None:
        """Presses a key as a user does, and waits until the page has seen it."""
        before = self.js("window.keys=window.keys??(addEventListener('keyup',()=>{keys++}),0)")
        QTest.keyClick(self._view.focusProxy(), getattr(Qt.Key, f"Key_{name}"))
        self._until(lambda: self.js("keys") > before)

    def drag(self, x: int, y: int, to_x: int, to_y: int) -> None:
        """Drags with the left button, in pixels from the window's corner, and waits until the page has seen its end."""
        inside, left = self._view.focusProxy(), Qt.MouseButton.LeftButton
        with self._until_let_go():
            QTest.mousePress(inside, left, pos=QPoint(x, y))
            QTest.mouseMove(inside, QPoint((x + to_x) // 2, (y + to_y) // 2))
            QTest.mouseMove(inside, QPoint(to_x, to_y))
            QTest.mouseRelease(inside, left, pos=QPoint(to_x, to_y))

    def swipe(self, x: int, y: int, to_x: int, to_y: int) -> None:
        """Drags with a finger, as `drag` does with the mouse."""
        inside, screen = self._view.focusProxy(), QTest.createTouchDevice()
        with self._until_let_go():
            QTest.touchEvent(inside, screen).press(0, QPoint(x, y), inside).commit()
            for share in range(1, SWIPES + 1):
                _pause(20)
                there = QPoint(x + (to_x - x) * share // SWIPES, y + (to_y - y) * share // SWIPES)
                QTest.touchEvent(inside, screen).move(0, there, inside).commit()
            QTest.touchEvent(inside, screen).release(0, QPoint(to_x, to_y), inside).commit()

    @contextmanager
    def _until_let_go(self) -> Iterator[None]:
        """Waits until the page has seen the end of what is dragged meanwhile, by pointer or scrolling."""
        listened = "['pointerup','pointercancel'].forEach(end=>addEventListener(end,()=>{ups++}))"
        before = self.js(f"window.ups=window.ups??({listened},0)")
        yield
        self._until(lambda: self.js("ups") > before)
        self.frames()

    def frames(self) -> None:
        """Waits until the page has drawn what it has been told so far."""
        self.js("(drawn=0,requestAnimationFrame(()=>requestAnimationFrame(()=>{drawn=1})),0)")
        self._until(lambda: self.js("drawn"))

    def resize(self, width: int, height: int) -> None:
        """The window, in pixels."""
        self._view.resize(width, height)
        self._until(lambda: self.js("[innerWidth,innerHeight]") == [width, height])

    def picture(self, file: str) -> None:
        """What is seen, once it is drawn and stands still."""
        self.js(f"drawn=0,{DRAWN},0")
        self._until(lambda: self.js("drawn"))
        last, still = QImage(), 0
        # On a loaded machine the page before may stand for a while after this one says that it is drawn.
        for _ in range(PATIENCE // 60):
            now = self._view.grab().toImage()
            still, last = still + 1 if now == last else 0, now
            if still >= (STILL if now != self._saved else 10 * STILL):
                break
            _pause(60)
        self._saved = last
        last.save(file)

    def pdf(self, file: str) -> bool:
        """Prints on A4 across, with the margins that the page's style asks of a browser."""
        a4, unit = QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Unit.Millimeter
        paper = QPageLayout(a4, QPageLayout.Orientation.Landscape, QMarginsF(12, 12, 12, 12), unit)

        def print_it(done: Callable[[Any], None]) -> None:
            self.page.pdfPrintingFinished.connect(lambda _, well: done(well), Qt.ConnectionType.SingleShotConnection)
            self.page.printToPdf(file, paper)

        return bool(_waited(print_it))

    def _until(self, holds: Callable[[], Any]) -> None:
        for _ in range(PATIENCE // 10):
            if holds():
                return
            _pause(10)
        raise TimeoutError("the page did not answer")


def _waited(start: Callable[[Callable[[Any], None]], None]) -> Any:
    """What is handed to the function that `start` is given, in the event loop meanwhile."""
    loop, found = QEventLoop(), []

    def done(value: Any = None) -> None:
        found.append(value)
        loop.quit()

    QTimer.singleShot(PATIENCE, loop.quit)
    start(done)
    if not found:
        loop.exec()
    if not found:
        raise TimeoutError("the engine did not answer")
    return found[0]


def _pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def main(orders: Path, answers: Path) -> None:
    os.environ.update(ENGINE)
    application, browser, values = QApplication(sys.argv[:1]), Browser(), []
    for number, (verb, *arguments) in enumerate(json.loads(orders.read_text("utf-8"))):
        try:
            values.append(getattr(browser, verb)(*arguments))
        except TimeoutError as error:
            raise TimeoutError(f"order {number}, {verb} {arguments}: {error}") from None
    found = {"values": values, "console": browser.page.said, "requests": browser.requests.seen}
    answers.write_text(json.dumps(found), "utf-8")
    # In this order: the page before its profile, and that before the application.
    del browser.page, browser, application


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
