"""Writes to the clipboard of Windows by the system's functions, as no library of the program copies pictures."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from time import sleep

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    BUSY = (0.01, 0.05, 0.2, 0.5)
    """Seconds between tries to open the clipboard while another program has it open."""
    _MOVEABLE, _MESSAGES_ONLY = 2, wintypes.HWND(-3)

    def put(formats: Mapping[int | str, bytes]) -> None:
        """Replaces the clipboard's contents. `formats`: data by format number, or by the name of a format to register.

        Raises OSError if another program keeps the clipboard open, or if memory is short. Opening the clipboard needs a
        window of the calling thread, so an invisible one is made.
        https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-openclipboard
        """
        user, _ = _libraries()
        window = user.CreateWindowExW(0, "STATIC", None, 0, 0, 0, 0, 0, _MESSAGES_ONLY, None, None, None)
        try:
            _open(window)
            try:
                user.EmptyClipboard()
                for kind, data in formats.items():
                    _set(user.RegisterClipboardFormatW(kind) if isinstance(kind, str) else kind, data)
            finally:
                user.CloseClipboard()
        finally:
            user.DestroyWindow(window)

    def _libraries() -> tuple[ctypes.WinDLL, ctypes.WinDLL]:
        """Returns user32 and kernel32, as objects of this module alone: their argument types affect no other code."""
        user, kernel = (ctypes.WinDLL(name, use_last_error=True) for name in ("user32", "kernel32"))
        whole, pointer = ctypes.c_int, ctypes.c_void_p
        text = wintypes.LPCWSTR
        place = (whole, whole, whole, whole)
        user.CreateWindowExW.argtypes = (wintypes.DWORD, text, text, wintypes.DWORD, *place, *[pointer] * 4)
        user.CreateWindowExW.restype = wintypes.HWND
        user.OpenClipboard.argtypes = user.DestroyWindow.argtypes = (wintypes.HWND,)
        user.RegisterClipboardFormatW.argtypes = (text,)
        user.SetClipboardData.argtypes, user.SetClipboardData.restype = (wintypes.UINT, pointer), pointer
        kernel.GlobalAlloc.argtypes, kernel.GlobalAlloc.restype = (wintypes.UINT, ctypes.c_size_t), pointer
        kernel.GlobalLock.argtypes, kernel.GlobalLock.restype = (pointer,), pointer
        kernel.GlobalUnlock.argtypes = kernel.GlobalFree.argtypes = (pointer,)
        return user, kernel

    def _open(window: int | None) -> None:
        user, _ = _libraries()
        for pause in (*BUSY, 0.0):
            if user.OpenClipboard(window):
                return
            error = ctypes.get_last_error()
            sleep(pause)
        raise ctypes.WinError(error)

    def _set(kind: int, data: bytes) -> None:
        user, kernel = _libraries()
        memory = kernel.GlobalAlloc(_MOVEABLE, len(data))
        if not memory:
            raise ctypes.WinError(ctypes.get_last_error())
        ctypes.memmove(kernel.GlobalLock(memory), data, len(data))
        kernel.GlobalUnlock(memory)
        if not user.SetClipboardData(kind, memory):  # after success the clipboard owns the memory
            error = ctypes.get_last_error()
            kernel.GlobalFree(memory)
            raise ctypes.WinError(error)
