"""The panel of other engines: their answers about the pair, each with its class, and the vote."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, nan

from imgui_bundle import imgui

from core.geometry.triple import Triple
from core.scene import Scene
from core.study.differential.answers import Answer, EngineAnswer, Failed, NotAsked, Unsupported
from core.study.differential.classes import Judgement, Kind

from ..draw.draw_list import Rgba
from ..draw.theme import ENGINE_COLOURS
from ..state.ask import Ask
from ..state.engines import NO_ENGINE, EngineRow, EngineTable, Hunt, WrongPair
from ..state.panel_state import PanelState
from ..words.digits import only_rounding, percent, tabular
from ..words.digits import tolerance as bound_words
from .panel import BUNDLE, BUNDLE_TIP, SEARCH, SEARCH_TIP, Docked
from .rows import Button, Value, command, draw_more, draw_values
from .table import Column, TableRow, draw_table
from .text import em, explain, say
from .widgets import draw_progress, wrapped_selectable

HOW = "Click a row to draw that engine's normal, points and contacts in both panes, beside ours."
FOUND_TIP = "Click to open this pair. Dim: it is still to be shrunk to fewer digits."
SHARE_TOLD = 1e-4
"""The table shows the error of an answer of a class in CALM if it is at least this share of the true answer."""
TIME_EMS = 24.0
"""In a table narrower than this, in ems, the time is only in the row's details."""
NOTES = {
    "engine": "Each runs in a process of its own, while this panel is open.",
    "separation": "Negative: overlapping, by the depth. Dim: of an earlier pose.",
    "class": "Its class beside the true answer, with the share of it that it is off by. ≠ is a fault of that engine.",
    "time": "Of its own call, without the way there and back",
}
CALM = {
    Kind.AGREES: "Off by {error}{share}; at most {bound} is allowed.",
    Kind.MARGIN: "Off by {error}{share}; at most {bound} with its margin.",
    Kind.PRECISION: "Off by {error}{share}; single precision may lose {bound} here.",
}
RULES = CALM | {
    Kind.MISSED: "It says that they are apart, and they overlap by more than {tolerance}.",
    Kind.FALSE: "It says that they overlap, and they are apart by more than {tolerance}.",
    Kind.POINTS_OFF: "The number agrees. A point lies {off} off its surface; at most {bound} is allowed.",
    Kind.IMPRECISE: "The number agrees. The normal proves only {proves}.",
    Kind.WRONG: "The number agrees. The normal proves only {proves}.",
}
WORDLESS = (Kind.NOT_ASKED, Kind.UNSUPPORTED, Kind.FAILED)
"""Classes whose answer itself gives the reason."""
OFF = "Off by {error}{share}; at most {tolerance} is allowed."
"""The rule's text for a class that neither RULES nor WORDLESS has: the number is too large or too small."""


class EnginesPanel(Docked):
    """The docked panel: the table, the vote, the chosen engine's details, and the engines that are not installed."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the panel once there is data; sets `dialogs.engine_panel`, so that the engines are asked."""
        ui.dialogs.engine_panel = True
        table = ui.engine_table
        if table is None:
            # The engines are asked from the next frame on.
            return
        if table.detecting:
            say("Looking for engines …", ui.theme.dim_text)
        elif not table.rows:
            say(NO_ENGINE)
        else:
            say(vote_words(table, ui))
            _draw_table(table, ui)
            if imgui.button("Copy table"):
                ask.copy(as_text(table, ui.scene), "the engines' answers")
            explain("Copies every answer as CSV, with all digits.")
            _draw_jobs(table, ui, ask)
            row = table.row_of(ui.dialogs.engine)
            if row is None:
                say(HOW, ui.theme.dim_text)
            else:
                _draw_details(row, ui, ask)
        _draw_missing(table, ui)

    def unseen(self, ui: PanelState, ask: Ask, *, wanted: bool) -> None:  # noqa: ARG002 - as all docked panels
        """Stops asking while the panel is not visible."""
        ui.dialogs.engine_panel = False


def _draw_table(table: EngineTable, ui: PanelState) -> None:
    """Draws the table; a click on a row toggles the engine whose answer is drawn."""
    timed = imgui.get_content_region_avail().x >= TIME_EMS * em()
    widths = {"separation": "−0.0123456", "time": "00.00 ms"}
    titles = [title for title in NOTES if timed or title != "time"]
    columns = [Column(title, NOTES[title], widths.get(title, "")) for title in titles]
    clicked = draw_table("engines", columns, [_line(row, ui, timed=timed) for row in table.rows])
    if clicked:
        ui.dialogs.engine = "" if clicked == ui.dialogs.engine else clicked


def _line(row: EngineRow, ui: PanelState, *, timed: bool) -> TableRow:
    current, chosen = row.is_of(ui.scene), ui.dialogs.engine == row.name
    ink = _colour(row, ui) if current else ui.theme.dim_text
    cells = number_words(row.answer), class_words(row), *([_time_words(row.answer)] if timed else [])
    title = row.title, ENGINE_COLOURS[ui.theme.suits] if chosen else ui.theme.text
    return TableRow(row.name, (title, *((words, ink) for words in cells)), _whole_row(row, current=current), chosen)


def _draw_jobs(table: EngineTable, ui: PanelState, ask: Ask) -> None:
    """Draws the search near the pair with its findings, and the bundle of the chosen engine's answer."""
    row = table.row_of(ui.dialogs.engine)
    searching, said = (
        table.hunt is not None and not table.hunt.ending,
        row is not None and row.finite_answer is not None,
    )
    draw_more(
        [
            Button(SEARCH, command("engines.search"), SEARCH_TIP, not searching, small=False),
            Button(BUNDLE, command("engines.bundle"), BUNDLE_TIP, said and not table.bundling, small=False),
        ],
        ask,
    )
    if table.bundling:
        say("Making the bundle …", ui.theme.dim_text)
    if table.hunt is not None:
        imgui.separator_text("What breaks near here")
        _draw_hunt(table.hunt, ui, ask)


def _draw_hunt(hunt: Hunt, ui: PanelState, ask: Ask) -> None:
    if hunt.ending:
        say(hunt.ending)
    else:
        told = f"{hunt.title}: {hunt.asked} of {hunt.most}"
        if draw_progress(hunt.asked / max(1, hunt.most), told, ui.theme):
            ask.invoke("engines.stop")
    for found in hunt.found:
        words, ink = found_words(found), ui.theme.text if found.final else ui.theme.dim_text
        tip = FOUND_TIP + (f" Something like it is reported: {found.reported}" if found.reported else "")
        if wrapped_selectable(words, f"{found.engine} {found.number}", rgba=ink, tip=tip):
            ask.open_scene(found.scene, None, words)


def found_words(found: WrongPair) -> str:
    """A finding of the search in one line."""
    shapes = " and ".join(body.shape.word for body in (found.scene.a, found.scene.b))
    return f"{found.title}, {shapes}: {found.words}. {'Reported.' if found.reported else 'New to us.'}"


def vote_words(table: EngineTable, ui: PanelState) -> str:
    """The engines' vote and our verdict in a sentence, or that no engine has answered."""
    vote = table.vote(ui.scene, ui.analysis.verdict)
    if vote is None:
        return "No engine has answered about this pose yet."
    verdict, count, of = vote
    own = "so do we" if verdict is ui.analysis.verdict else f"we say {ui.analysis.verdict.value.lower()}"
    says = "says" if count == 1 else "say"
    return f"{count} of {of} {says} {verdict.value.lower()}{',' if own[0] == 's' else ';'} {own}."


def number_words(answer: Answer | None) -> str:
    """The answer's number for a cell of the table; for an answer without one whether it reports contacts.

    "" before there is an answer, `–` if the engine gave none.
    """
    if not isinstance(answer, EngineAnswer):
        return "" if answer is None else "–"
    number = answer.signed
    if number is None:
        return "contact" if answer.contacts else "no contact"
    return tabular(number) if isfinite(number) else str(number)


def class_words(row: EngineRow) -> str:
    """The class of the row's answer; for a missing answer its reason, or `…` before it is judged.

    A fault and an agreement have a mark, and a small error its share of the true answer, at least SHARE_TOLD.
    """
    if isinstance(row.answer, Unsupported):
        return f"no {row.answer.shape}"
    if isinstance(row.answer, NotAsked):
        return f"not asked: {row.answer.words}"
    if isinstance(row.answer, Failed):
        return row.answer.words
    if row.judgement is None:
        return "…"
    mark = "≠\u00a0" if row.judgement.is_fault else "✓\u00a0" if row.judgement.kind is Kind.AGREES else ""
    share = row.judgement.share if row.judgement.kind in CALM else 0.0
    return mark + row.judgement.kind.value + (f", {percent(share)}" if share >= SHARE_TOLD else "")


def rule_words(found: Judgement) -> str:
    """The rule that gives an answer its class, with numbers and bounds in scene units."""
    if found.rule is not None:
        said = found.rule.words.rstrip(".") + "."
    elif isfinite(found.error) or found.kind not in CALM:
        pattern = RULES.get(found.kind, "" if found.kind in WORDLESS else OFF)
        names = ("error", "bound", "tolerance", "off", "proves")
        values = {name: bound_words(getattr(found, name)) for name in names if f"{{{name}}}" in pattern}
        share = f", {percent(found.share)} of the answer" if isfinite(found.share) else ""
        said = pattern.format(**values, share=share)
    else:
        said = "It gives no number, and its verdict agrees."
    turned = " The normal points the other way." if found.opposite else ""
    return f"{said}{turned}" + (f" Judged by {found.by}." if found.by else "")


def as_text(table: EngineTable, scene: Scene) -> str:
    """All answers as CSV with all digits, a line for each engine."""
    lines = ["engine,version,current,separation,normal,on A,on B,contacts,margin,class,rule,µs,share"]
    for row in table.rows:
        said = row.answer if isinstance(row.answer, EngineAnswer) else None
        number = None if said is None else said.signed
        rule = "" if row.judgement is None else rule_words(row.judgement)
        cells = [row.title, "" if row.engine is None else row.engine.version, "yes" if row.is_of(scene) else "no"]
        cells += ["" if number is None else repr(number)]
        cells += ["" if at is None else _copied(at) for at in ((said.normal, said.on_a, said.on_b) if said else ())]
        cells += [""] * (7 - len(cells))
        cells += ["" if said is None else str(len(said.contacts)), _margin_words(row, scene), class_words(row), rule]
        share = nan if row.judgement is None else row.judgement.share
        cells += ["" if said is None else f"{said.us:g}", f"{share:.3g}" if isfinite(share) else ""]
        lines.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
    return "\n".join(lines) + "\n"


def _colour(row: EngineRow, ui: PanelState) -> Rgba:
    return ui.theme.overlap if row.judgement is not None and row.judgement.is_fault else ui.theme.text


def _time_words(answer: Answer | None) -> str:
    if not isinstance(answer, EngineAnswer) or not answer.us > 0.0:
        return ""
    time = float(f"{answer.us / 1000.0:.2g}")
    return f"{time:.0f} ms" if time >= 10.0 else f"{time:g} ms"


def _margin_words(row: EngineRow, scene: Scene) -> str:
    """The sum of the engine's margins of both bodies, in words."""
    margins = {} if row.engine is None else row.engine.margins
    both = (margins.get(body.shape.word, margins.get("", 0.0)) for body in (scene.a, scene.b))
    return bound_words(sum(both)) if margins else "none"


def _whole_row(row: EngineRow, *, current: bool) -> str:
    """The text of a row's tooltip, with all digits. `current`: the answer is about the pose shown."""
    if row.answer is None:
        return "It has not answered yet."
    number = row.answer.signed if isinstance(row.answer, EngineAnswer) else None
    lines = [class_words(row) if number is None else repr(number)]
    lines += [] if row.judgement is None else [rule_words(row.judgement)]
    lines += [] if current else ["Of an earlier pose."]
    return "\n".join(line for line in lines if line)


def _details(row: EngineRow, ui: PanelState) -> Iterator[Value]:
    """Yields the details of an engine's answer, a row each."""
    said, engine = row.answer, row.engine
    ink = ui.theme.text if row.is_of(ui.scene) else ui.theme.dim_text

    def value(name: str, note: str, shown: str, copied: str = "") -> Value:
        return Value(name, note, shown, copied or shown, f"{row.title}'s {name}", ink)

    if engine is not None and engine.version:
        yield value("version", "", engine.version)
    if isinstance(said, EngineAnswer):
        theirs, ours = said.signed, ui.analysis.separation
        yield value("theirs", NOTES["separation"], number_words(said), "" if theirs is None else repr(theirs))
        yield value("ours", "The true separation", tabular(ours), repr(ours))
        for name, note, at in (
            ("normal", "From A towards B", said.normal),
            ("on A", "Its point on A", said.on_a),
            ("on B", "Its point on B", said.on_b),
        ):
            yield value(name, note, "none") if at is None else value(name, note, _vector(at), _copied(at))
        points = "\n".join(_copied(contact.point) for contact in said.contacts)
        yield value("contacts", "Points of its manifold", str(len(said.contacts)) if said.contacts else "none", points)
    if row.scene is not None:
        margin = _margin_words(row, row.scene)
        yield value("margin", "How far its surfaces may stand off ours, both together", margin)
    if time := _time_words(said):
        yield value("time", NOTES["time"], time)


def _draw_details(row: EngineRow, ui: PanelState, ask: Ask) -> None:
    imgui.separator_text(row.title)
    current = row.is_of(ui.scene)
    if row.judgement is not None:
        say(
            f"{class_words(row)}. {rule_words(row.judgement)}".strip(),
            _colour(row, ui) if current else ui.theme.dim_text,
        )
    draw_values(_details(row, ui), ask)
    if row.noise.strip():
        say(f"It also wrote: {row.noise.strip()[-200:]}", ui.theme.dim_text)


def _draw_missing(table: EngineTable, ui: PanelState) -> None:
    for sentence in table.refused:
        say(sentence, ui.theme.overlap)
    if table.missing and not imgui.collapsing_header("Not installed"):
        return
    for title, how in table.missing:
        say(f"{title}: not installed. {how}", ui.theme.dim_text)


def _vector(at: Triple) -> str:
    if not all(map(isfinite, at)):
        return _copied(at)
    return ", ".join("≈ 0" if only_rounding(part) else tabular(part) for part in at)


def _copied(at: Triple) -> str:
    return ", ".join(map(repr, at))
