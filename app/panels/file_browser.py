"""Dialogs to open and save: the desktop's dialog if there is one, else a small browser.

The browser can be used by keyboard alone: typing gives a name or a path, and to open also filters, arrows choose, Enter
opens a folder or takes a file, Backspace in the empty field goes up, Escape closes. The desktop's dialog is polled
without waiting.
"""

from __future__ import annotations

import re
from pathlib import Path

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from ..controllers.files import OPENABLE
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..storage.files import readable
from .native_dialog import FILTERS, NativeDialog, native_dialogs_exist
from .text import em, explain, say
from .widgets import FLOATING, button_width, centred, enter_pressed


class Entry(Struct, frozen=True):
    """A folder or file of the listing."""

    path: Path
    is_folder: bool


class Listing(Struct, frozen=True):
    """The entries of a folder, folders first; `fault`: the reason, in words, if the folder cannot be read.

    `stamp`: the folder's `folder_stamp` when the listing was read.
    """

    folder: Path
    entries: tuple[Entry, ...]
    fault: str = ""
    stamp: int = 0


def is_folder(path: Path) -> bool:
    """Whether the path is a folder; False if it cannot be read or is not valid."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def exists(path: Path) -> bool:
    """Whether the path is a file or folder; False if it cannot be read or is not valid."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def folder_stamp(folder: Path) -> int:
    """When an entry of the folder was last created or deleted, in nanoseconds; 0 if the folder cannot be read."""
    try:
        return folder.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def list_folder(folder: Path, *, everything: bool = False) -> Listing:
    """The folders, and then the files that the program opens (or `everything`), without hidden ones, by name.

    If the folder cannot be listed, the listing is empty and says why.
    """
    stamp = folder_stamp(folder)
    try:
        children = sorted(folder.iterdir(), key=lambda p: p.name.lower())
    except OSError as fault:
        return Listing(folder, (), f"{readable(folder)} cannot be listed: {fault.strerror or fault}.", stamp)
    entries = [Entry(child, is_folder(child)) for child in children if not child.name.startswith(".")]
    kept = [e for e in entries if e.is_folder or everything or e.path.suffix.lower() in OPENABLE]
    return Listing(folder, tuple(sorted(kept, key=lambda e: not e.is_folder)), stamp=stamp)


def matching(listing: Listing, typed: str) -> tuple[Entry, ...]:
    """The entries whose name contains the typed text, ignoring case; all entries unless the text filters."""
    wanted = typed.strip().lower()
    return tuple(e for e in listing.entries if wanted in e.path.name.lower()) if filters(typed) else listing.entries


def filters(typed: str) -> bool:
    """Whether a typed text filters names: it is neither empty nor a path."""
    wanted = typed.strip()
    return bool(wanted) and "/" not in wanted and wanted not in (".", "..", "~")


def resolved(folder: Path, typed: str) -> Path:
    """The path that `typed` means inside `folder`: absolute, relative, or from the home folder with `~`."""
    path = Path(typed.strip())
    try:
        path = path.expanduser()
    except RuntimeError:
        # No such user: a file that is really called `~name`.
        path = Path(typed.strip())
    return Path(folder, path)


def with_suffix(path: Path, suffix: str = ".json") -> Path:
    """The path with the ending `suffix` added if it has another: a scene saved as `.jsonl` would be read as a log.

    Raises ValueError for a path without a name, such as the root.
    """
    return path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")


def folders(recent: tuple[Path, ...], document: Path | None) -> tuple[Path, ...]:
    """The folders at the left: those of the document's and recent files, home, and the working directory; at most 8."""
    found: list[Path] = []
    for folder in (*([document.parent] if document else []), *(p.parent for p in recent), Path.home(), Path.cwd()):
        if folder not in found and len(found) < 8:
            found.append(folder)
    return tuple(found)


def suggested_name(ui: PanelState) -> str:
    """The suggested file name: the present file's with the new ending, else made from the scene's or the deck's name.

    A bundle's name is made from the engine and the present file, else from the engine and the scene.
    """
    suffix, path = suffix_of(ui), present_file(ui)
    if suffix == ".zip":
        name = ui.document.scene.name if path is None else path.stem
        return "-".join(re.findall(r"[a-z0-9]+", f"{ui.dialogs.engine} {name}".lower())) + suffix
    if path is not None:
        return readable(path.with_suffix(suffix).name)
    title = ui.document.scene.name if suffix != ".jsonl" else "" if ui.deck is None else ui.deck.name
    return ("-".join(re.findall(r"[a-z0-9]+", title.lower())) or "scene") + suffix


def suffix_of(ui: PanelState) -> str:
    """The ending of the file to save: a lesson's, a deck's, a bundle's or a scene's."""
    dialogs = ui.dialogs
    return ".md" if dialogs.lesson else ".jsonl" if dialogs.deck else ".zip" if dialogs.bundle else ".json"


def present_file(ui: PanelState) -> Path | None:
    """The deck's file if a deck is to be saved, else the document's; None if it has none."""
    if ui.dialogs.deck:
        return None if ui.deck is None else ui.deck.path
    return ui.document.path


class FileBrowser:
    """The dialog to open and save; it keeps the last folder for the next time."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._typed = ""
        self._chosen = -1
        self._reveal = False
        self._everything = False
        self._overwrite: Path | None = None
        self._listing: Listing | None = None
        self._saving: bool | None = None
        self._native: NativeDialog | None = None
        self._suffix = ".json"

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the dialog while `open`, `save`, `lesson`, `deck` or `bundle` of `ui.dialogs` is true.

        It asks with the chosen path, and then clears these five.
        """
        dialogs = ui.dialogs
        saving = True if dialogs.naming else False if dialogs.open else None
        self._suffix = suffix_of(ui)
        appearing = saving is not None and saving != self._saving
        self._saving = saving
        if appearing:
            if self._folder is None or not is_folder(self._folder):
                present = present_file(ui)
                self._folder = present.parent if present is not None else Path.cwd()
            self._typed = suggested_name(ui) if saving else ""
            self._chosen, self._overwrite, self._listing = -1, None, None
            if native_dialogs_exist():
                self._native = NativeDialog(self._filter if saving else None, self._folder / self._typed)
                ui.dialogs.waiting = True
        if self._native is not None:
            self._poll_native(ui, ask)
        elif saving is not None:
            self._draw_window(ui, appearing, ask)

    @property
    def _filter(self) -> list[str]:
        """The filter for the desktop's dialog."""
        return FILTERS[self._suffix]

    def _poll_native(self, ui: PanelState, ask: Ask) -> None:
        assert self._native is not None
        if self._saving is None:
            self._native.close()
            answered, path, saving = True, None, False
        else:
            answered, path = self._native.poll()
            saving = self._saving
        if not answered:
            return
        self._native = None
        ui.dialogs.waiting = False
        target = with_suffix(path, self._suffix) if path is not None and saving else path
        if target is not None and target != path and exists(target):
            # The desktop's dialog asked about the typed name, not about the name with the ending added.
            self._overwrite = target
            return
        if target is not None:
            self._finish(ui, target, ask)
        self._close(ui)

    def _close(self, ui: PanelState) -> None:
        dialogs = ui.dialogs
        dialogs.open = dialogs.save = dialogs.lesson = dialogs.deck = dialogs.bundle = False
        self._saving = None

    def _finish(self, ui: PanelState, path: Path, ask: Ask) -> None:
        saving = {".json": ask.save, ".md": ask.write_lesson, ".jsonl": ask.save_deck, ".zip": ask.make_bundle}
        (saving[self._suffix] if self._saving else ask.open)(path)
        self._folder = path.parent
        self._close(ui)

    def _draw_window(self, ui: PanelState, appearing: bool, ask: Ask) -> None:
        centred(46.0, 32.0)
        if appearing:
            imgui.set_next_window_focus()
        what = {".md": "New lesson", ".jsonl": "Save deck", ".zip": "Make a bundle"}.get(self._suffix, "Save scene")
        title = f"{what if self._saving else 'Open'}###files"
        shown, still_open = imgui.begin(title, True, FLOATING | imgui.WindowFlags_.no_saved_settings)
        if shown and self._overwrite is not None:
            say(f"{_label(self._overwrite)} exists already. Replace it?")
            say(readable(self._overwrite.parent), ui.theme.dim_text)
            if imgui.button("Replace"):
                self._finish(ui, self._overwrite, ask)
            imgui.same_line()
            if imgui.button("Keep it") or imgui.is_key_pressed(imgui.Key.escape, False):
                self._overwrite = None
        elif shown:
            self._draw_browser(ui, appearing, ask)
        imgui.end()
        if not still_open:
            self._close(ui)

    def _draw_browser(self, ui: PanelState, appearing: bool, ask: Ask) -> None:
        assert self._folder is not None
        self._draw_path()
        line = imgui.get_frame_height_with_spacing()
        below = 2.0 * line + (line if self._fault() else 0.0)
        height = max(5.0 * em(), imgui.get_content_region_avail().y - below)
        side = min(11.0 * em(), 0.3 * imgui.get_content_region_avail().x)
        if imgui.begin_child("##places", ImVec2(side, height)):
            for k, place in enumerate(folders(ui.recent, present_file(ui))):
                name = "Home" if place == Path.home() else _label(place)
                if imgui.selectable(f"{name}##place{k}", place == self._folder)[0]:
                    self._go(place)
                explain(readable(place))
        imgui.end_child()
        imgui.same_line()
        listing = self._current_listing()
        ui.dialogs.names = "".join((str(listing.folder), *(entry.path.name for entry in listing.entries)))
        entries = matching(listing, "" if self._saving else self._typed)
        taken = None
        if imgui.begin_child("##entries", ImVec2(0.0, height), imgui.ChildFlags_.borders):
            taken = self._draw_entries(entries)
        imgui.end_child()
        if self._fault():
            say(self._fault(), ui.theme.overlap)
        if self._draw_name_field(appearing, entries) and taken is None:
            taken = self._entered(entries)
        if imgui.button("Save" if self._saving else "Open"):
            taken = self._entered(entries)
        imgui.same_line()
        if imgui.button("Cancel"):
            self._close(ui)
        imgui.same_line()
        changed, self._everything = imgui.checkbox("All files", self._everything)
        if changed:
            self._listing = None
        if taken is None:
            return
        if is_folder(taken):
            self._go(taken.resolve())
            return
        target = with_suffix(taken, self._suffix) if self._saving else taken
        if self._saving and exists(target) and target != present_file(ui):
            self._overwrite = target
        else:
            self._finish(ui, target, ask)

    def _fault(self) -> str:
        return self._current_listing().fault

    def _current_listing(self) -> Listing:
        """The listing of the folder, read again when an entry was created or deleted."""
        assert self._folder is not None
        known = self._listing
        if known is None or known.folder != self._folder or known.stamp != folder_stamp(self._folder):
            known = self._listing = list_folder(self._folder, everything=self._everything)
        return known

    def _go(self, folder: Path) -> None:
        self._folder, self._chosen, self._listing = folder, -1, None
        if not self._saving:
            self._typed = ""

    def _draw_path(self) -> None:
        """Draws the folder's path as buttons, one for each level; the first levels are left out if they do not fit."""
        assert self._folder is not None
        levels = [*reversed(self._folder.parents), self._folder]
        spacing = imgui.get_style().item_spacing.x
        room = imgui.get_content_region_avail().x
        first = len(levels) - 1
        used = button_width(_label(levels[-1])) + spacing
        while first > 0 and used + button_width(_label(levels[first - 1])) + spacing <= room:
            first -= 1
            used += button_width(_label(levels[first])) + spacing
        for k, level in enumerate(levels[first:]):
            if k:
                imgui.same_line()
            if imgui.button(f"{_label(level)}##level{k}"):
                self._go(level)
            explain(readable(level))

    def _draw_entries(self, entries: tuple[Entry, ...]) -> Path | None:
        """Draws the listing; returns the entry that was double clicked, else None."""
        taken = None
        if not entries:
            imgui.text_disabled("Nothing here that can be opened." if not self._fault() else "")
        for k, entry in enumerate(entries):
            label = f"{_label(entry.path)}/" if entry.is_folder else _label(entry.path)
            flags = imgui.SelectableFlags_.allow_double_click
            if imgui.selectable(f"{label}##entry{k}", k == self._chosen, flags)[0]:
                self._chosen = k
                if self._saving and not entry.is_folder:
                    self._typed = _label(entry.path)
                if imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
                    taken = entry.path
            if self._reveal and k == self._chosen:
                imgui.set_scroll_here_y()
        self._reveal = False
        return taken

    def _draw_name_field(self, appearing: bool, entries: tuple[Entry, ...]) -> bool:
        """Draws the field for name, filter or path; returns whether Enter was pressed.

        It handles the arrows and Backspace too.
        """
        if appearing:
            imgui.set_keyboard_focus_here()
        hint = "File name" if self._saving else "Type to search, or a path"
        imgui.set_next_item_width(-1.0)
        before = self._typed
        changed, self._typed = imgui.input_text_with_hint("##name", hint, self._typed)
        focused = imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows)
        if changed:
            self._chosen = -1
        step = int(imgui.is_key_pressed(imgui.Key.down_arrow)) - int(imgui.is_key_pressed(imgui.Key.up_arrow))
        if focused and step and entries:
            self._reveal = True
            self._chosen = (
                (self._chosen + step) % len(entries) if self._chosen >= 0 else (0 if step > 0 else -1) % len(entries)
            )
            if self._saving and not entries[self._chosen].is_folder:
                self._typed = _label(entries[self._chosen].path)
        if focused and not before and imgui.is_key_pressed(imgui.Key.backspace, False) and self._folder is not None:
            self._go(self._folder.parent)
        return focused and not appearing and enter_pressed()

    def _entered(self, entries: tuple[Entry, ...]) -> Path | None:
        """The path that Enter takes: of the chosen entry, else the typed path; None if neither is given.

        To open, a typed text that filters and is no existing path means the only entry whose name contains it. Any
        other path may not exist.
        """
        assert self._folder is not None
        if 0 <= self._chosen < len(entries):
            return entries[self._chosen].path
        if self._typed.strip():
            path = resolved(self._folder, self._typed)
            if self._saving or exists(path) or len(entries) != 1 or not filters(self._typed):
                return path
            return entries[0].path
        return None


def _label(path: Path) -> str:
    """The last part of a path as drawable text."""
    return readable(path.name or "/")
