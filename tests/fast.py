"""Which tests a change reaches, nearest first: `python -m tests.fast` prints them as arguments of pytest.

A change is what differs from origin/main where there is one, else what is not committed, else the last commit. It
reaches who imports it, and so on; what is no Python reaches what the table says. Each room has one test in any case.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

REACHED = {
    "shaders/": ("test_renderer", "test_export", "test_window_headless"),
    "assets/scenes/": ("test_presets", "test_course", "test_snapshots"),
    "assets/cases/": ("test_analysis", "test_presets"),
    "assets/lessons/": ("test_lessons_shipped", "test_lesson_file", "test_lessons_by_keyboard"),
    "assets/decks/": ("test_lecture", "test_deck"),
    "assets/fonts/": ("test_text", "test_symbols", "test_system_font"),
    "assets/repro/": ("test_repro_scripts", "test_bundle"),
    "assets/": ("test_presets", "test_bundle", "test_desktop", "test_check_in_ci"),
    "tests/scenes/": ("test_snapshots", "test_corpus_found"),
    "tests/snapshots/screens/": ("test_window_sizes",),
    "tests/snapshots/": ("test_snapshots",),
    "app/packaging/": ("test_set_up", "test_packaging"),
    "pyproject.toml": ("test_architecture", "test_packaging"),
    "requirements.lock": ("test_set_up",),
    "": ("test_architecture", "test_readme", "test_citations"),
}
"""By the beginning of a file's path the tests of what is no module; the first that fits counts, the last fits all."""
