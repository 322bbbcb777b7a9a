"""Other programs on the screen, for tests of what passes between programs: run with `python -m tests.app.x11_clients`.

silent-clipboard        owns the clipboard and never answers
strange-clipboard       owns the clipboard and answers with bytes that are no text
clipboard FILE          owns the clipboard and answers with the text of a file
parts-clipboard FILE    the same, part by part, as for very long texts
broken-clipboard FILE   the same, and stops after the first part
drag WINDOW FILE...     drops files on a window (its number) as a file manager does
drag-few WINDOW FILE... the same, offering no more than three types, as other sources do
"""

from __future__ import annotations

import os
import sys
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_ubyte, c_ulong, cast, string_at
from pathlib import Path
from typing import Any

from pyglet.libs.x11 import xlib

PART = 300
"""Bytes of a part; real programs send many more."""

ATOM, VERSION, DROP_AT = 4, 5, (640, 400)


class Client:
    """A window that is never shown, with a connection of its own."""

    def __init__(self) -> None:
        self.parent = os.getppid()
        self.display = xlib.XOpenDisplay(None)
        self.root = xlib.XDefaultRootWindow(self.display)
        self.window = xlib.XCreateSimpleWindow(self.display, self.root, 0, 0, 1, 1, 0, 0, 0)

    def atom(self, name: str) -> int:
        return int(xlib.XInternAtom(self.display, c_char_p(name.encode()), 0))

    def own(self, selection: str) -> None:
        xlib.XSetSelectionOwner(self.display, self.atom(selection), self.window, xlib.CurrentTime)
        xlib.XSync(self.display, 0)
        print("ready", flush=True)

    def requests(self) -> Any:
        """The requests for what this client owns, one after the other, as long as those who started it live."""
        event = xlib.XEvent()
        while os.getppid() == self.parent:
            if xlib.XCheckTypedWindowEvent(self.display, self.window, xlib.SelectionRequest, byref(event)):
                yield event.xselectionrequest
            time.sleep(0.01)

    def answer(self, request: Any, data: bytes) -> None:
        array = (c_ubyte * max(1, len(data))).from_buffer_copy(data or b"\0")
        xlib.XChangeProperty(
            self.display, request.requestor, request.property, request.target, 8, xlib.PropModeReplace, array, len(data)
        )
        self.notify(request)

    def notify(self, request: Any) -> None:
        reply = xlib.XEvent()
        reply.xselection.type = xlib.SelectionNotify
        for name in ("requestor", "selection", "target", "property", "time"):
            setattr(reply.xselection, name, getattr(request, name))
        xlib.XSendEvent(self.display, request.requestor, 0, 0, byref(reply))
        xlib.XFlush(self.display)

    def answer_in_parts(self, request: Any, data: bytes, most: int) -> None:
        """Hands over `data` in parts (INCR), `most` of them; the last is empty."""
        pieces = [data[k : k + PART] for k in range(0, len(data), PART)] + [b""]
        xlib.XSelectInput(self.display, request.requestor, xlib.PropertyChangeMask)
        size = (c_ulong * 1)(len(data))
        xlib.XChangeProperty(
            *(self.display, request.requestor, request.property, self.atom("INCR"), 32, xlib.PropModeReplace),
            *(cast(size, POINTER(c_ubyte)), 1),
        )
        self.notify(request)
        for piece in pieces[:most]:
            self.wait_until_taken(request)
            array = (c_ubyte * max(1, len(piece))).from_buffer_copy(piece or b"\0")
            xlib.XChangeProperty(
                *(self.display, request.requestor, request.property, request.target, 8, xlib.PropModeReplace),
                *(array, len(piece)),
            )
            xlib.XFlush(self.display)

    def wait_until_taken(self, request: Any) -> None:
        event = xlib.XEvent()
        while True:
            xlib.XWindowEvent(self.display, request.requestor, xlib.PropertyChangeMask, byref(event))
            if event.xproperty.atom == request.property and event.xproperty.state == xlib.PropertyDelete:
                return

    def pasted(self) -> str:
        clipboard, text = self.atom("CLIPBOARD"), self.atom("UTF8_STRING")
        xlib.XConvertSelection(self.display, clipboard, text, clipboard, self.window, xlib.CurrentTime)
        event = xlib.XEvent()
        while not xlib.XCheckTypedWindowEvent(self.display, self.window, xlib.SelectionNotify, byref(event)):
            time.sleep(0.01)
        kind, width, count, rest = c_ulong(), c_int(), c_ulong(), c_ulong()
        data = POINTER(c_ubyte)()
        xlib.XGetWindowProperty(
            *(self.display, self.window, clipboard, 0, 1 << 20, 0, text),
            *(byref(kind), byref(width), byref(count), byref(rest), byref(data)),
        )
        return string_at(data, count.value).decode()

    def tell(self, target: int, message: str, *words: int) -> None:
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.message_type = self.atom(message)
        event.xclient.window = target
        event.xclient.format = 32
        for number, word in enumerate((self.window, *words)):
            event.xclient.data.l[number] = word
        xlib.XSendEvent(self.display, target, 0, 0, byref(event))
        xlib.XFlush(self.display)

    def set_types(self, types: list[int]) -> None:
        array = (c_ulong * len(types))(*types)
        xlib.XChangeProperty(
            *(self.display, self.window, self.atom("XdndTypeList"), ATOM, 32, xlib.PropModeReplace),
            *(cast(array, POINTER(c_ubyte)), len(types)),
        )


def drag(client: Client, target: int, files: tuple[str, ...], *, few: bool) -> None:
    names = ("text/uri-list",) if few else ("UTF8_STRING", "text/plain", "text/html", "text/uri-list")
    types = [client.atom(name) for name in names]
    client.set_types(types)
    client.own("XdndSelection")
    x, y = DROP_AT
    client.tell(target, "XdndEnter", VERSION << 24 | (0 if few else 1), *(types[:3] if few else ()))
    client.tell(target, "XdndPosition", 0, x << 16 | y, 0, client.atom("XdndActionCopy"))
    time.sleep(0.2)
    client.tell(target, "XdndDrop", 0, 0)
    uris = "".join(f"{Path(file).absolute().as_uri()}\r\n" for file in files)
    for request in client.requests():
        client.answer(request, uris.encode())
        print("dropped", flush=True)


def main(what: str, *words: str) -> None:
    client = Client()
    if what.startswith("drag"):
        drag(client, int(words[0]), words[1:], few=what == "drag-few")
        return
    if what == "paste":
        print(client.pasted())
        return
    answers = {"clipboard": lambda: Path(words[0]).read_bytes(), "strange-clipboard": lambda: b"\xff\xfe{"}
    client.own("CLIPBOARD")
    for request in client.requests():
        if what in answers:
            client.answer(request, answers[what]())
        elif what in ("parts-clipboard", "broken-clipboard"):
            client.answer_in_parts(request, Path(words[0]).read_bytes(), 1 if what == "broken-clipboard" else 1 << 30)


if __name__ == "__main__":
    main(*sys.argv[1:])
