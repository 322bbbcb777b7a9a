"""The loop that the adapters share: what it checks before an engine is asked, and what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ADAPTER = Path(__file__).with_name("stand_in_adapter.py")


def body(kind: str = "box", position: tuple[float, ...] = (0.0, 0.0, 0.0), **more: Any) -> dict[str, Any]:
    sizes = {"box": {"size": [1, 1, 1]}, "sphere": {"radius": 1.0}, "capsule": {"radius": 1.0, "length": 1.0}}
    shape = {"type": kind, **sizes.get(kind, {}), **more.pop("shape", {})}
    return {"shape": shape, "position": list(position), **more}


def asked(*pairs: tuple[dict[str, Any], dict[str, Any]]) -> list[dict[str, Any]]:
    lines = [json.dumps({"id": n, "a": a, "b": b, "margin": "zero"}) for n, (a, b) in enumerate(pairs)]
    done = subprocess.run(
        [sys.executable, "-S", str(ADAPTER)], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_says_first_what_it_is() -> None:
    (ready,) = asked()
    pairs = [["box", "box"], ["box", "sphere"], ["sphere", "sphere"], ["sphere", "capsule"], ["capsule", "capsule"]]
    assert (ready["ready"], ready["version"], ready["precision"], ready["kind"]) == ("loop", "1", 64, "distance")
    assert ready["pairs"] == pairs
    assert ready["python"] == ".".join(map(str, sys.version_info[:3]))


def test_an_answer_is_one_line_whatever_the_engine_prints() -> None:
    _, found = asked((body(rotation=[2.0, 0.0, 0.0, 2.0]), body("sphere")))
    half = 0.5**0.5
    assert (found["id"], found["separation"], found["features"]) == (0, 1.0, "zero")
    # The rotation's first three numbers: its length is 1 now.
    assert max(abs(x - y) for x, y in zip(found["normal"], (half, 0.0, 0.0), strict=True)) < 1e-15
    assert max(abs(x - y) for x, y in zip(found["on_a"], (0.0, 1.0, 0.0), strict=True)) < 1e-15  # a quarter about z
    assert found["us"] > 0.0


def test_what_it_cannot_be_asked_is_named() -> None:
    cone, rounded = body("cone"), body("box", shape={"border_radius": 0.1})
    said = asked((cone, body()), (body(), cone), (body(), body("capsule")), (rounded, body()))[1:]
    assert [line["unsupported"] for line in said] == ["cone", "cone", "box and capsule", "rounded box"]


def test_numbers_that_are_none_do_not_reach_the_engine() -> None:
    nan, inf = float("nan"), float("inf")
    said = asked(
        (body(position=(nan, 0.0, 0.0)), body()),
        (body(), body("sphere", shape={"radius": inf})),
        (body(rotation=[0.0, 0.0, 0.0, 0.0]), body()),
    )[1:]
    assert [line["error"] for line in said] == [
        "ValueError: a has a number that is not finite",
        "ValueError: b has a number that is not finite",
        "ValueError: a.rotation must not be the zero quaternion",
    ]


def test_an_engines_exception_is_one_sentence_and_the_next_question_is_answered() -> None:
    _, one, two = asked((body(), body("sphere", shape={"radius": 11.0})), (body(), body()))
    assert one == {"id": 0, "error": "RuntimeError: two lines"}
    assert two["separation"] == 1.0


def test_a_process_whose_engine_does_not_return_ends_itself() -> None:
    lines = asked((body(), body("sphere", shape={"radius": 101.0})))
    assert len(lines) == 1, "the engine has answered, as it does after half a minute"
