"""The panel "Contacts over time": its table, its buttons and its chart, drawn without a window."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.panels.contact_times import EMPTY, as_text, caption, counts
from app.state.contact_times import ContactTimes
from app.state.panel_state import Dialogs, PanelState
from core.contact.policies.policy import ContactPolicy
from core.scene import Body, Scene
from core.shapes import Cone
from tests.core.contact.test_contact_tracking import GROUND, rolled

from .asked import asks, of
from .panel_rig import Rig, panel_state, rig
from .test_contact_times import counted

__all__ = ["rig"]

ROLLED = [rolled(degrees) for degrees in (0.0, -2.0, -10.0, -80.0, -88.0, -90.0)]


def state(times: ContactTimes | None) -> PanelState:
    scene = rolled(0.0) if times is None else times.scene
    return panel_state(scene, dialogs=Dialogs(docked=("contact_times",)), contact_times=times)


def told(rig: Rig, ui: PanelState) -> set[str]:
    rig.watch("text_unformatted", "text_disabled", "table_header", "separator_text", "invisible_button")
    rig.settle(ui)
    return set(rig.rects)


def test_in_sight_it_asks_to_be_counted(rig: Rig) -> None:
    ui = state(None)
    rig.settle(ui)
    assert ui.dialogs.meter_panel
    ui.dialogs.docked = ()
    rig.settle(ui)
    assert not ui.dialogs.meter_panel


@pytest.mark.parametrize("pages", [False, True])
def test_before_anything_is_counted_it_says_what_to_do(rig: Rig, pages: bool) -> None:
    times = counted(ROLLED[:1], pages=pages)
    words = told(rig, state(times))
    assert {EMPTY[pages], "tolerant", "exact", "Jolt", "ODE, FCL, Bullet", "4", "–"} <= words
    assert "##lives" not in words


def test_a_log_shows_sums_and_what_they_are_per_page(rig: Rig) -> None:
    times = counted(ROLLED)
    words = told(rig, state(times))
    assert "Sums over 5 pages compared with the one before; in brackets, the mean per page." in words
    assert {"6 (1.2)", "2 (0.4)", "0 (0)", "Contacts by id: tolerant", "5 pages ago", "now"} <= words
    exact = next(own for own in times.policies if own.policy is ContactPolicy.EXACT)
    assert counts(exact, times, brackets=False) == ("2", "2", "0")


def test_a_drag_shows_the_last_second(rig: Rig) -> None:
    times = counted(ROLLED, pages=False)
    words = told(rig, state(times))
    assert {caption(times, brackets=False), "6", "2", "−0.1 s"} <= words
    assert "last second" in caption(times, brackets=False)


def test_the_buttons_clear_and_copy(rig: Rig) -> None:
    times = counted(ROLLED)
    ui = state(times)
    rig.settle(ui)
    assert of("invoke", rig.click(ui, "Clear")) == [asks.invoke("contact_times.clear")]
    (copied,) = of("copy", rig.click(ui, "Copy table"))
    rows = list(csv.DictReader(StringIO(copied.text)))
    assert [row["policy"] for row in rows] == [own.policy.value for own in times.policies]
    assert rows[0] == {
        "policy": "tolerant",
        "contacts": "4",
        "births": "6",
        "deaths": "6",
        "jumps": "0",
        "frames": "5",
        "births/s": "",
        "deaths/s": "",
        "jumps/s": "",
    }
    live = next(csv.DictReader(StringIO(as_text(counted(ROLLED, pages=False)))))
    assert (live["births"], live["births/s"]) == ("6", "6")


def test_a_click_on_a_policy_shows_its_contacts(rig: Rig) -> None:
    ui = state(counted(ROLLED))
    rig.settle(ui)
    (tuned,) = of("tune", rig.click(ui, "##exact"))
    assert tuned.settings.preference is ContactPolicy.EXACT
    assert not of("tune", rig.click(ui, "##tolerant"))


def test_policies_that_took_turns_are_told(rig: Rig) -> None:
    allowed = iter([True, False] * 100)
    words = told(rig, state(counted(ROLLED, within=lambda: next(allowed))))
    assert any(word.startswith("The other policies take turns") for word in words)


def test_shapes_that_a_policy_does_not_know_are_told(rig: Rig) -> None:
    times = counted(Scene(GROUND, Body(Cone(0.5, 1.0), (x, 0.49, 0.0))) for x in (0.0, 0.1))
    assert "none" in told(rig, state(times))


def test_the_pointer_on_a_life_tells_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    times = counted(ROLLED)
    # One of the rolling edge's two, which is made to jump once.
    run = next(run for run in times.shown.alive if run.start == 0.0)
    jumping = tuple(replace(it, jumps=(2.0,)) if it is run else it for it in times.shown.alive)
    own = replace(times.shown, alive=jumping)
    times = replace(times, policies=(own, *times.policies[1:]))
    ui = state(times)
    shown: list[str] = []
    monkeypatch.setattr("app.panels.contact_times.tell_beside", shown.append)
    told(rig, ui)
    left, top, right, bottom = rig.rects["##lives"][0]
    imgui.get_io().add_mouse_pos_event(left + 0.3 * (right - left), top + 0.25 * (run.slot + 0.5) * (bottom - top))
    rig.settle(ui)
    assert shown
    assert shown[-1] == f"c{'₀₁₂₃₄'[run.id]}: born 5 pages ago, still there.\nJumps: 1"
