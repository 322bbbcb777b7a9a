"""The table of export options: each row in the command line, the refusals, the dialogs, the settings and the guide."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui
from PIL import Image

from app.__main__ import USAGE, main
from app.cli.export import parsed
from app.export.film_file import FORMATS
from app.io.scene_file import load
from app.packaging.option_guide import PAGE, table, with_table
from app.panels.export_fields import draw_options
from app.state import option as kinds
from app.state.export_options import CONFLICTS, DEFAULTS, OPTIONS, ExportOptions, option_name
from app.state.export_shown import PreviewImage
from app.state.option import ALL_ENDINGS, FILM_ENDINGS, PRODUCTS, OptionGroup, for_files
from app.state.panel_state import Dialogs
from app.state.settings import Settings, load_settings, save_settings
from app.storage.carried import OPENED_FILMS as OPENED
from app.storage.files import png_bytes

from .asked import of
from .command_rig import GOOD, ROOT, SCENES
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]

LESSON = str(ROOT / "assets" / "lessons" / "01-one-gap-is-proof.md")
Told = pytest.CaptureFixture[str]


def sample(name: str) -> tuple[list[str], Any]:
    """Words of the command line that give the option, and its value then."""
    kind = OPTIONS[name].kind
    match kind:
        case kinds.FlagKind():
            return [option_name(name)], True
        case kinds.NumberKind():
            # No default, which would stand in the record even if the value were lost.
            value: Any = kind.most if kind.least == DEFAULTS[name] else kind.least
            value = round(value) if kind.whole else value
        case kinds.LengthKind():
            value = kind.most
        case kinds.ChoiceKind():
            value = list(kind.titles)[1]
        case _:
            value = {
                kinds.SizeKind: (33, 44),
                kinds.AspectKind: 16 / 9,
                kinds.TextKind: "Some words",
                kinds.CameraKind: (10.0, -20.5, 7.0),
                kinds.OverlaysKind: frozenset({"normals" if name == "show" else "grid"}),
                kinds.NameKind: "somewhere",
                kinds.FormKind: "bullet",
                kinds.StepPlaceKind: "gjk:2",
                kinds.StepsKind: "1,2",
                kinds.RenamesKind: (("A.v4", "$a_4$"), ("B", "Q")),
                kinds.MovesKind: (("A.v4", (3.0, -2.5)), ("B", (0.0, 1.0))),
            }[type(kind)]
    return [option_name(name), value if isinstance(value, str) else kind.formatted(value)], value


def test_a_ratio_as_text_is_the_same_ratio() -> None:
    kind = kinds.AspectKind()
    assert [kind.formatted(value) for value in (16 / 9, 1.0, 3.141593)] == ["16:9", "1:1", "3.141593"]
    for text in ("0.333333", "9.999999", "1001:1003", "12345.678901:54321.098765", "8192:7919.5"):
        value = kind.read(text)
        assert kind.read(kind.formatted(value)) == pytest.approx(value, abs=1e-9)


UNFIT = {
    kinds.SizeKind: "0x40",
    kinds.AspectKind: "16:0",
    kinds.ChoiceKind: "nonsense",
    kinds.TextKind: "\u6f22",
    kinds.CameraKind: "10",
    kinds.OverlaysKind: "nonsense",
    kinds.NameKind: "",
    kinds.StepPlaceKind: "1.5",
    kinds.StepsKind: "3-x",
    kinds.FormKind: "havok",
    kinds.RenamesKind: "A.v4",
    kinds.MovesKind: "A.v4=3",
}


def beyond(name: str) -> list[str]:
    """Values that an option refuses."""
    kind = OPTIONS[name].kind
    match kind:
        case kinds.FlagKind():
            return []
        case kinds.NumberKind():
            return [f"{kind.least - 1:g}", f"{kind.most + 1:g}", "x", *(["2.5"] if kind.whole else ["nan"])]
        case kinds.LengthKind():
            return [f"{kind.most + 1:g}mm", "9"]
    return [UNFIT[type(kind)]]


def with_needs(name: str, ending: str) -> list[str]:
    """An option with all that it needs, in such a file."""
    need = OPTIONS[name].needs
    words = sample(name)[0] + (sample(need)[0] if need else [])
    if ending in FILM_ENDINGS and name not in ("steps", "times", "turn"):
        words += ["--turn"] if name in ("step", "fps") else ["--steps"]
    return words if ending else [*words, *([] if name == "frames" else ["--frames", "somewhere"])]


def scene_and_file(ending: str) -> list[str]:
    return [str(GOOD), *(["-o", f"out{ending}"] if ending else [])]


def refused(told: Told, verb: str, *words: str) -> str:
    """The sentence of a usage error."""
    with pytest.raises(SystemExit) as ended:
        parsed(verb, list(words))
    assert ended.value.code == 2
    return told.readouterr().err.splitlines()[0].partition("error: ")[2]


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_taken_by_its_products_and_refused_by_the_others_with_a_sentence(capsys: Told, name: str) -> None:
    words, value = sample(name)
    for verb, endings in PRODUCTS.items():
        for ending, command in product(endings, (verb, "render")):
            given = with_needs(name, ending)
            if ending in OPTIONS[name].takes and not OPTIONS[name].kind.unfit(value, ending):
                assert getattr(parsed(command, [*scene_and_file(ending), *given]).options, name) == value
            elif ending or command != "picture":
                said = refused(capsys, command, *scene_and_file(ending), *given)
                assert f"{option_name(name)} {'' if ending in OPTIONS[name].takes else 'is for '}" in said
                assert for_files(OPTIONS[name].takes) in said or ending in OPTIONS[name].takes
    ending = OPTIONS[name].takes[0]
    for unfit in beyond(name):
        said = refused(capsys, "render", *scene_and_file(ending), option_name(name), unfit)
        assert said.startswith(f"argument {option_name(name)}: ")
        assert OPTIONS[name].kind.usage().wanted in said or isinstance(OPTIONS[name].kind, kinds.TextKind)
    if need := OPTIONS[name].needs:
        assert (
            refused(capsys, "render", *scene_and_file(ending), *words)
            == f"{option_name(name)} goes with {option_name(need)}"
        )


@pytest.mark.parametrize("conflict", CONFLICTS, ids=lambda conflict: f"{conflict.first}-{conflict.second}")
def test_what_does_not_go_together_is_refused_with_both_names(capsys: Told, conflict: kinds.Conflict) -> None:
    second, _, value = conflict.second.partition("=")
    for ending in set(OPTIONS[conflict.first].takes) & set(OPTIONS[second].takes):
        words = [*sample(conflict.first)[0], *([option_name(second), value] if value else sample(second)[0])]
        words += sample("crop")[0] if "margin" in (conflict.first, second) else []
        words += sample("width")[0] if "height" in (conflict.first, second) else []
        words += [] if ending or "frames" in (conflict.first, second) else ["--frames", "somewhere"]
        if ending in conflict.unless:
            parsed("render", [*scene_and_file(ending), *words])
        else:
            said = refused(capsys, "render", *scene_and_file(ending), *words)
            assert {option_name(conflict.first), option_name(second)} <= set(said.replace(":", "").split())


@pytest.mark.parametrize(("verb", "endings"), [*PRODUCTS.items(), ("render", ALL_ENDINGS)])
def test_help_lists_what_a_verb_takes_with_limits_and_defaults_and_nothing_else(
    capsys: Told, verb: str, endings: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit):
        parsed(verb, ["--help"])
    said = " ".join(capsys.readouterr().out.split())
    for name, option in OPTIONS.items():
        assert (f" {option_name(name)} " in said.replace("]", " ")) == bool(set(endings) & set(option.takes)), name
        if set(endings) & set(option.takes):
            assert option.kind.usage().limits in said


OF_RENDER = (
    "--size --scale --transparent --theme --palette --step --width --font --dpi --digits --crop --margin --text "
    "--panes --camera --view --show --hide --hatch --legend --caption --alt --label --columns --steps --slow --times "
    "--turn --seconds-per-step --fps --loop --quality --frames"
)


def test_every_option_that_render_ever_took_is_still_there() -> None:
    assert set(OF_RENDER.split()) <= {option_name(name) for name in OPTIONS}
    parsed("render", [str(GOOD), "--output", "a.png", "--trans", "--step=gjk:3", "--width", "3.3in", "--font", "7pt"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["-o", "a.apng", "--steps"], "argument -o/--output: APNG is not written any more: .webp is as exact and smal"),
        (["-o", "a.png", "--thumbnail"], "--thumbnail is not there any more: --size 352x220 --panes world --text none"),
    ],
)
def test_what_was_cut_is_refused_with_what_to_use_instead(capsys: Told, words: list[str], why: str) -> None:
    assert refused(capsys, "render", str(GOOD), *words).startswith(why)


def test_an_apng_that_was_made_once_opens_as_its_scene(tmp_path: Path) -> None:
    path, scene = tmp_path / "film.apng", GOOD.read_text("utf-8")
    plain = png_bytes(Image.new("RGB", (8, 8)), scene)
    Image.new("RGB", (8, 8)).save(path, "PNG", save_all=True, append_images=[Image.new("RGB", (8, 8), "red")])
    animated, end = path.read_bytes(), plain.index(b"IDAT") - 4
    path.write_bytes(plain[:end] + animated[33:])
    assert b"acTL" in path.read_bytes()
    assert load(path).scene == load(GOOD).scene
    assert path.suffix in OPENED


def test_verbs_are_those_of_the_files_and_films_those_that_can_be_made() -> None:
    assert set(FORMATS) == {ending for ending in FILM_ENDINGS if ending}
    assert sorted(ALL_ENDINGS) == sorted(each for endings in PRODUCTS.values() for each in endings)


@pytest.mark.parametrize("name", OPTIONS)
def test_what_is_chosen_outlives_the_run(tmp_path: Path, name: str) -> None:
    chosen = ExportOptions().having(**{name: sample(name)[1]})
    settings = Settings(picture_options=chosen, film_options=chosen)
    assert save_settings(settings, tmp_path / "settings.json") is None
    assert load_settings(tmp_path / "settings.json") == (settings, None)


@pytest.mark.parametrize("name", [name for name, row in OPTIONS.items() if isinstance(row.kind, kinds.NumberKind)])
def test_kept_choices_are_checked(tmp_path: Path, name: str) -> None:
    most = OPTIONS[name].kind.most
    (tmp_path / "settings.json").write_text(json.dumps({"picture_options": {name: most + 1}}))
    settings, why = load_settings(tmp_path / "settings.json")
    assert settings == Settings()
    assert f"picture_options.{name}: must be a" in why


BEFORE = {"size": [0, 0], "scale": 3, "theme": None, "on_paper": False, "width": 120.0, "font": 9.0, "crop": True}
BEFORE |= {"camera": None, "yaw": 30.0, "pitch": -10.0, "distance": 0.0, "view_file": "", "steps": "", "columns": 4}


@pytest.mark.parametrize(
    ("kept", "chosen"),
    [
        ({}, {}),
        ({"on_paper": True}, {"width": 120.0, "font": 9.0}),
        ({"size": [800, 600]}, {"size": (800, 600)}),
        ({"camera": "turned"}, {"camera": (30.0, -10.0)}),
        ({"camera": "turned", "distance": 9.0}, {"camera": (30.0, -10.0, 9.0)}),
        ({"camera": "file", "view_file": "a.json"}, {"view": "a.json"}),
        ({"palette": "print-safe", "show": ["normals"]}, {"palette": "print-safe", "show": frozenset({"normals"})}),
    ],
)
def test_settings_of_earlier_versions_are_read(
    tmp_path: Path, kept: dict[str, object], chosen: dict[str, object]
) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"theme": "light", "picture": BEFORE | kept}))
    settings, why = load_settings(tmp_path / "settings.json")
    assert why is None
    assert settings.picture_options == ExportOptions(scale=3.0, crop=True, columns=4).having(**chosen)


def field_of(name: str) -> str:
    """What is drawn for an option: a box to tick first, or the first of what is offered."""
    option = OPTIONS[name]
    match option.kind:
        case kinds.OverlaysKind():
            return "As in the window"
        case kinds.SizeKind():
            return "Viewport"
        case kinds.NumberKind(offers=offers) if offers and len(offers) + (DEFAULTS[name] is None) <= 4:
            return next(iter(offers.values()))
    return option.tick or option.label


def drawn(rig: Rig, options: ExportOptions, ending: str) -> set[str]:
    """The fields of all options of such a file, each by its label."""
    rig.rects.clear()
    imgui.new_frame()
    imgui.begin("Fields")
    assert draw_options(options, panel_state(), ending, {}) == options
    imgui.end()
    imgui.render()
    return set(rig.rects)


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.label])
def test_an_option_has_a_field_where_it_means_something_and_only_there(rig: Rig, name: str) -> None:
    rig.watch("input_double", "slider_int", "input_int2")
    (takes, *_), need = OPTIONS[name].takes, OPTIONS[name].needs
    needed = ExportOptions().having(**({need: sample(need)[1]} if need else {}))
    for chosen in (needed, needed.having(**{name: sample(name)[1]})):
        assert {field_of(name), OPTIONS[name].label} & drawn(rig, chosen, takes)
    others = [ending for ending in ALL_ENDINGS if ending not in OPTIONS[name].takes]
    assert not any(field_of(name) in drawn(rig, needed, ending) for ending in others)
    if need:
        assert field_of(name) not in drawn(rig, ExportOptions(), takes)


@pytest.mark.parametrize("product", ["picture", "film"])
def test_a_dialog_asks_for_what_was_chosen_without_what_means_nothing(rig: Rig, product: str) -> None:
    chosen = ExportOptions(
        text="none", legend=True, margin=9.0, columns=5, theme="print", loop=1, quality=80, size=(320, 200), scale=3.0
    )
    ui = panel_state(
        dialogs=Dialogs(screenshot=product == "picture", film=product == "film"),
        preview=PreviewImage((640, 400), np.zeros((4, 6, 4), np.uint8)),
        settings=Settings(picture_options=chosen, film_options=chosen),
    )
    rig.settle(ui)
    asked = rig.click(ui, "Take picture" if product == "picture" else "Make film")
    (request,) = of("take_picture" if product == "picture" else "make_film", asked)
    both = {"theme": "print", "size": (320, 200), "scale": 3.0}
    assert request.options == ExportOptions(**both, **({"text": "none"} if product == "picture" else {"loop": 1}))


def test_the_guide_has_the_table() -> None:
    """Where this fails: `.venv/bin/python -m app.packaging.option_guide`."""
    text = PAGE.read_text("utf-8")
    assert with_table(text) == text
    assert table() in text
    assert all(f"`{option_name(name)}" in text for name in OPTIONS)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([str(GOOD), "-o", "a.png", "--show", "grid", "--hide", "grid"], "--show and --hide both name grid"),
        ([str(GOOD), "-o", "a.png", "--size", "30000x9", "--scale", "2"], "the picture must be at most 32768 pixels"),
        ([str(GOOD), "-o", "a.png", "--width", "1m"], "argument --width: must be a length"),
        ([str(GOOD), "-o", "a.png", "--width", "2000mm", "--dpi", "600"], "the picture must be at most 32768 pixels"),
        ([str(GOOD), "-o", "a.svg", "--turn", "--crop"], "--turn is for films, not for .svg"),
        ([str(GOOD), "-o", "a.gif"], "a film of a scene shows its --steps, its motion at --times N, or a --turn round"),
        (["a.jsonl", "-o", "a.gif", "--turn"], "--turn is for a scene; the film of a log shows its scenes one after"),
        (["a.jsonl", "-o", "a.gif", "--step", "3"], "--step is for a scene; the film of a log shows its scenes"),
        ([LESSON, "-o", "a.html", "--slow"], f"--slow is for a scene; {LESSON} has its own pages"),
        ([str(GOOD), "-o", "a.gif", "--turn", "--fps", "60"], "--fps must be at most 50 a second for .gif, got 60"),
        ([str(GOOD), "-o", "a.png", "--text", "outlines"], "--text outlines is for .svg and .pdf, not for .png"),
        ([str(GOOD)], "the following arguments are required: -o/--output"),
    ],
)
def test_nonsense_about_values_and_files_is_refused(capsys: Told, words: list[str], why: str) -> None:
    assert refused(capsys, "render", *words).startswith(why)


@pytest.mark.parametrize(("verb", "ending"), [("picture", ".gif"), ("film", ".png"), ("handout", ".svg")])
def test_a_verb_says_which_other_one_makes_such_a_file(capsys: Told, verb: str, ending: str) -> None:
    other = next(name for name, endings in PRODUCTS.items() if ending in endings)
    assert refused(capsys, verb, str(GOOD), "-o", f"a{ending}").endswith(f"; separatrix {other} makes that")


@pytest.mark.parametrize(("verb", "name"), [("picture", "a.svg"), ("film", "a.gif"), ("handout", "a.html")])
def test_a_verb_makes_what_render_makes_by_the_ending(tmp_path: Path, verb: str, name: str) -> None:
    scene, made = SCENES / "flat-round-corner.json", []
    more = ["--size", "60x40", *([] if verb == "picture" else ["--steps", "1-2"])]
    for command in (verb, "render"):
        (tmp_path / command).mkdir()
        assert main([command, str(scene), "-o", str(tmp_path / command / name), *more]) == 0
        made.append((tmp_path / command / name).read_bytes())
    assert made[0] == made[1]


def test_the_usage_of_the_program_and_the_guide_name_each_verb_with_its_endings() -> None:
    for text, (verb, endings) in product((USAGE, PAGE.with_name("commands.md").read_text("utf-8")), PRODUCTS.items()):
        assert re.search(rf"separatrix {verb} \S+ -o OUT{re.escape('|'.join(filter(None, endings)))} ", text)


def test_groups_have_rows() -> None:
    assert {option.group for option in OPTIONS.values()} == set(OptionGroup)
