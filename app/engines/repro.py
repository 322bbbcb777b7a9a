"""Writes the script of a bug report: it asks one engine about one pair and checks the certificate.

The script needs that engine and numpy. It contains the functions of `assets/repro/certificate.py` that it needs.
"""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path
from pprint import pformat
from typing import Any

import msgspec

from core.study.differential.certificates import Certificate, Direction, PointsProof
from core.study.differential.classes import Kind

from ..io.scene_file import to_tree
from .asked import Judged, class_words
from .repro_call import UPRIGHT, EngineCall
from .repro_calls import call_of

CHECK = Path(__file__).resolve().parents[2] / "assets" / "repro" / "certificate.py"

LINE_CHARACTERS = 110

NORM = "norm = np.linalg.norm"

PLACES = """(axes_a, at_a), (axes_b, at_b) = pose(A), pose(B)
place_a, place_b = {a}, {b}"""
TO_Z = "(axes_{0} @ ((1, 0, 0), (0, 0, 1), (0, -1, 0)), at_{0})"
"""The pose of a shape of revolution, whose axis is y in a scene, for an engine with the axis z."""

QUATERNION = """def quaternion(axes):  # (w, x, y, z) of a rotation
    (a, b, c), (d, e, f), (g, h, i) = axes
    top, rest = (a + e + i, h - f, c - g, d - b), ((a - e - i, b + d, c + g), (b + d, e - a - i, f + h))
    table = np.array([top, *([p, *q] for p, q in zip(top[1:], (*rest, (c + g, f + h, i - a - e))))])
    return np.linalg.eigh(table)[1][:, -1]
"""

PROVED = {
    "separating plane": ("a plane separates the bodies by", "d is not None and d < -T and proved > T"),
    "shorter way out": ("B is out after a move of no more than", "d is not None and proved > d + T"),
    "wider gap": ("a plane proves a gap of", "d is not None and proved > d + T"),
    "normal by support values": ("the engine's own normal proves", "d is not None and proved < d - T"),
}
"""For each kind of Direction: its proof in words, and the condition of the fault as Python text."""

POINT = {
    "common point": ("np.zeros(3)", "(d is None or d > T) and inside_a + inside_b > T"),
    "common point after the move": (
        "np.subtract(on_a, on_b) if normal is None else -d * normal / norm(normal)",
        "d is not None and d < 0 and inside_a + inside_b > T",
    ),
    "normal by points": (
        "np.zeros(3)",
        "d is not None and normal is not None and normal @ (on_b - on_a) / norm(normal) - inside_a - inside_b < d - T",
    ),
    "nearer points": ("np.zeros(3)", "d is not None and norm(on_b - on_a) - inside_a - inside_b < d - T"),
}
"""For each kind of PointsProof: the move of B, and the condition of the fault, both as Python text."""

OTHER_MOVE = """if norm(np.subtract(move, {move!r})) > T:  # directions tie, the engine took another
    held = lambda p: min(inside(A["shape"], (p - at_a) @ axes_a), inside(B["shape"], (p - move - at_b) @ axes_b))
    rng = np.random.default_rng(1)
    for step in norm(move) * 0.997 ** np.arange(3000):
        on_A = on_B = max(on_A, on_A + step * rng.normal(size=3), key=held)"""


def script(judged: Judged, certificate: Certificate | None) -> str:
    """The script for a fault, an answer off by design, or a failure.

    `certificate`: the proof that the script checks; None compares with the true separation. Raises as
    `call_of`.
    """
    call = call_of(judged.entry.name, judged.scene)
    asks = "\n\n".join([*_needed(("pose",)), _asks(judged, call)])
    if judged.judgement.kind is Kind.FAILED:
        start = f"{_head(judged)}\n{_imports(call, 'subprocess', 'sys')}\n\n{NORM}"
        return f"{start}\nif len(sys.argv) == 1:{_CHILD}\n\n{_bodies(judged)}\n\n{asks}\n\n{FAILED}"
    shown = f'print("{judged.entry.title}: separation", d, "normal", normal)'
    proof = _proof(judged, certificate, touches=call.touches)
    parts = [_bodies(judged), proof[0], asks, shown, proof[1], _end(judged)]
    return f"{_head(judged)}\n{_imports(call, 'sys')}\n\n{NORM}\n" + "\n\n".join(parts)


FAILED = """said = [x for row in (d, normal, on_a, on_b) if row is not None for x in np.ravel(row)]
print("It says", said)
sys.exit(0 if np.isfinite(said).all() else 3)
"""
_CHILD = """
    try:
        done = subprocess.run([sys.executable, __file__, "ask"], timeout=5).returncode
    except subprocess.TimeoutExpired:
        done = "no answer in 5 s"
    print("It ended with", done, "- 0 is well, 3 a number that is not finite, below 0 a signal.")
    sys.exit(1 if done in (0, 1) else 0)"""


def _head(judged: Judged) -> str:
    shapes = " and ".join(body.shape.word for body in (judged.scene.a, judged.scene.b))
    entry, version = judged.entry, judged.engine.version
    lines = [
        f'"""{entry.title} {version}, {shapes}: {class_words(judged)}.',
        "",
        f"pip install {entry.package}=={version} numpy. Exit status 0: the fault shows; 1: it does not. Shapes of",
        "revolution stand along y, rotations are (w, x, y, z), separations negative where the bodies overlap.",
        '"""',
    ]
    return "\n".join(lines) + "\n"


def _imports(call: EngineCall, *library: str) -> str:
    return "\n".join([*(f"import {name}" for name in library), "", call.imports, "import numpy as np"])


def _bodies(judged: Judged) -> str:
    tree = to_tree(judged.scene)
    rows = [f"{name} = {pformat(tree[name.lower()], width=LINE_CHARACTERS, sort_dicts=False)}" for name in "AB"]
    return "\n".join([*rows, f"T = {judged.judgement.tolerance!r}  # how far off a number may be"])


def _asks(judged: Judged, call: EngineCall) -> str:
    bodies = (("a", judged.scene.a), ("b", judged.scene.b))
    turned = {
        name: TO_Z.format(name) if call.upright and body.shape.word in UPRIGHT else f"(axes_{name}, at_{name})"
        for name, body in bodies
    }
    needed = [QUATERNION] if "quaternion(" in call.lines else []
    return "\n\n".join([*needed, f"{PLACES.format(**turned)}\n{call.lines}"])


def _proof(judged: Judged, certificate: Certificate | None, *, touches: bool) -> tuple[str, str]:
    """The definitions that the proof needs, and the lines that set `shows`. `touches`: as in EngineCall."""
    if certificate is None:
        true = f'print("The separation is", {judged.truth.separation!r})'
        return "", f"{true}\nshows = d is None or abs(d - {judged.truth.separation!r}) > T"
    read: dict[str, Any] = json.loads(msgspec.json.encode(certificate))
    tree = to_tree(judged.scene)
    kinds = [tree[name]["shape"]["type"] for name in "ab"]
    hulls = ("points",) if {"hull", "polygon"} & {*kinds} else ()
    if isinstance(certificate, Direction):
        words, condition = PROVED[certificate.kind]
        condition = condition.replace("d is not None and d < -T", "touches") if touches else condition
        own = certificate.kind == "normal by support values"
        n = "normal / norm(normal)" if own else f"np.array({list(certificate.normal)!r})"
        lines = [f"n = {n}", "proved = -reach(B, -n) - reach(A, n)  # a bound of the separation, by the direction n"]
        said = [f'print("Certificate, {words}", abs(proved))', f"shows = {condition}"]
        return _table(kinds, (*hulls, "reach")), "\n".join(lines + said)
    if isinstance(certificate, PointsProof):
        move, condition = POINT[certificate.kind]
        condition = condition.replace("(d is None or d > T)", "not touches") if touches else condition
        lines = [
            f"on_A, on_B = np.array({read['on_a']!r}), np.array({read['on_b']!r})  # a point of A and one of B",
            f"move = {move}  # of B, that should end the overlap" if "move" in certificate.kind else f"move = {move}",
            *([OTHER_MOVE.format(move=read["move"])] if "move" in certificate.kind and not hulls else []),
            f"weights_a = {read['weights_a']!r}",
            f"weights_b = {read['weights_b']!r}",
            'inside_a = inside(A["shape"], (on_A - at_a) @ axes_a, weights_a)  # a ball about it that A holds',
            'inside_b = inside(B["shape"], (on_B - move - at_b) @ axes_b, weights_b)',
            'print("Certificate:", on_A, "is in A by", inside_a, "and", on_B, "after the move in B by", inside_b)',
            f"shows = {condition.replace('on_b - on_a', 'on_B - on_A')} and min(inside_a, inside_b) >= -0.01 * T",
        ]
        return _table(kinds, ("points", "inside")), "\n".join(lines)
    rows = "None if row is None else [float(x) for x in row] for row in (normal, on_a, on_b)"
    said = [
        f"said = dict(zip(('normal', 'on_a', 'on_b'), ({rows})), separation=d)",
        f"certificate = {pformat(read, width=LINE_CHARACTERS, compact=True)}",
        "scene = {'a': A, 'b': B}",
        "shows = refutes({'scene': scene, 'answer': said, 'certificate': certificate, 'tolerance': T})",
        f'print("Certificate, {certificate.kind}:", "it holds" if shows else "it is refused")',
    ]
    return _table(kinds, ("points", "reach", "inside", "refutes")), "\n".join(said)


def _end(judged: Judged) -> str:
    by_design = judged.judgement.kind is Kind.DESIGN
    showing = f"This is {class_words(judged)}." if by_design else "The fault shows."
    return f'print({showing!r} if shows else "It does not show.")\nsys.exit(0 if shows else 1)\n'


def _table(kinds: list[str], names: tuple[str, ...]) -> str:
    """The source of certificate.py's functions `names`, after its table with the rows of these kinds of shape."""
    rows = _rows()
    table = "\n".join(f'    "{kind}": {rows[kind]},' for kind in dict.fromkeys(kinds))
    comment = "  # how far it reaches along a unit d; the radius of a ball about x that it holds"
    found = [f"REACH_AND_INSIDE = {{{comment}\n{table}\n}}", *_needed(names)]
    return "\n\n".join([_source("WAYS"), *found] if "inside" in names else found)


def _needed(names: tuple[str, ...]) -> list[str]:
    return [_source(name) for name in names]


@cache
def _parsed() -> tuple[str, ast.Module]:
    text = CHECK.read_text("utf-8")
    return text, ast.parse(text)


def _source(name: str) -> str:
    """The source of a function or constant of certificate.py. Raises KeyError for another name."""
    text, tree = _parsed()
    for node in tree.body:
        named = getattr(node, "name", None) or ast.unparse(getattr(node, "targets", [ast.Constant(0)])[0])
        if named == name:
            return (ast.get_source_segment(text, node) or "") + ("\n" if isinstance(node, ast.FunctionDef) else "")
    raise KeyError(name)


def _rows() -> dict[str, str]:
    """The source of each shape's row in certificate.py's table. A polygon has a hull's row, a circle a sphere's."""
    text, tree = _parsed()
    (table,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "REACH_AND_INSIDE"
    )
    assert isinstance(table, ast.Dict)
    rows = {
        ast.literal_eval(key): ast.get_source_segment(text, value) or ""
        for key, value in zip(table.keys, table.values, strict=True)
        if key is not None
    }
    return rows | {"circle": rows["sphere"], "polygon": rows["hull"]}
