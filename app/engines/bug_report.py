"""Makes a bug report about an engine: the scene, a script that shows the fault, and a paragraph with its proof."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

from msgspec.structs import replace

from core.scene import Scene
from core.study.differential.answers import EngineAnswer
from core.study.differential.certificates import Certificate, certified
from core.study.differential.classes import Kind
from core.study.differential.hunt import is_concentric

from ..io.scene_file import write
from ..words.digits import full
from .asked import Judged, class_words
from .repro import CHECK, script
from .repro_calls import mjcf

KNOWN_REPORTS = CHECK.with_name("known.json")

PROOFS = {
    "separating plane": "A plane separates the bodies: its normal and both support values are in repro.py.",
    "shorter way out": "A direction is given along which B leaves A by a shorter move.",
    "wider gap": "A direction is given along which the gap is wider than the distance.",
    "normal by support values": "The support values along its normal prove less than its number.",
    "common point": "A point is given that lies inside both bodies.",
    "common point after the move": "After B is moved by the engine's own depth, the bodies still share a point.",
    "normal by points": "Two points of the bodies are given that are nearer along its normal than its number says.",
    "nearer points": "Two points of the bodies are given that are nearer than the distance.",
    "point outside": "A plane is given beyond which the body does not reach, and its point lies beyond it.",
    "point inside": "Its point, said to be on the surface, lies deep in the body.",
    "polytope": "A polytope inside A - B is given that holds a ball larger than the depth.",
}
NAMES_NOTE = "Names only to say what is compared; not affiliated."


def proof_of(judged: Judged) -> Certificate | None:
    """The certificate that proves the fault; None if there is none.

    If the bodies overlap and the answer is off by design, the certificate proves that its depth is not the true one.
    """
    found = judged.judgement
    if not isinstance(judged.answer, EngineAnswer) or found.kind is Kind.FAILED:
        return None
    if found.kind is Kind.DESIGN and judged.truth.separation < 0.0:
        found = replace(found, kind=Kind.DEPTH_LARGE if found.error < 0.0 else Kind.DEPTH_SMALL)
    return certified(judged.scene, judged.truth, judged.answer, found)


def can_be_reported(judged: Judged, certificate: Certificate | None) -> bool:
    """Whether the answer is a fault that a `certificate` proves, a failure, or off by design."""
    kind = judged.judgement.kind
    return kind in (Kind.FAILED, Kind.DESIGN) or (judged.judgement.is_fault and certificate is not None)


def known_report(judged: Judged) -> str | None:
    """The address of a known report about a similar fault; None if there is none in `known.json`."""
    shapes = Counter(body.shape.word for body in (judged.scene.a, judged.scene.b))
    for known in _known():
        alike = Counter(word for word in known["shapes"] if word) <= shapes
        alike = alike and (not known.get("concentric") or is_concentric(judged.scene))
        if alike and judged.entry.name in known["engines"] and judged.judgement.kind.value in known["classes"]:
            return str(known["reported"])
    return None


@cache
def _known() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(KNOWN_REPORTS.read_text("utf-8"))
    return found


def report(judged: Judged, certificate: Certificate | None) -> str:
    """The report's paragraph, as Markdown; with the proof in words, if there is a `certificate`."""
    entry, answer = judged.entry, judged.answer
    shapes = " and ".join(body.shape.word for body in (judged.scene.a, judged.scene.b))
    said = answer.signed if isinstance(answer, EngineAnswer) else None
    number = "gives no number" if said is None else f"says {said!r}"
    within = f", within {full(judged.truth.gap)}" if judged.truth.gap else ""
    known = known_report(judged)
    by_design = judged.judgement.kind is Kind.DESIGN
    new = f"Something like it is reported: {known}." if known else "We know of no report like it: it is new to us."
    sentences = [
        f"{entry.title} {judged.engine.version} {number} for the signed separation of a {shapes}.",
        f"The true one is {full(judged.truth.separation)}{within}.",
        f"Class: {class_words(judged)}.",
        *([PROOFS[certificate.kind]] if certificate is not None else []),
        "It is by design, and no fault." if by_design else new,
        f"`python repro.py` needs {entry.package} and numpy; its exit status is 0 if the fault shows, 1 if not.",
        "Separations are negative where the bodies overlap, directions run from A to B, lengths are in scene units.",
    ]
    return f"# {entry.title}, {shapes}: {judged.judgement.title}\n\n{' '.join(sentences)}\n\n{NAMES_NOTE}\n"


def files_of(judged: Judged, versions: str, picture: bytes | None, unshrunk: Scene | None = None) -> dict[str, bytes]:
    """The files of the bundle, bytes by name. `unshrunk`: the scene before it was shrunk.

    `versions`: the text of versions.txt; `picture`: the bytes of a PNG, or None for none. Raises NoScriptError for an
    engine or a shape without a script.
    """
    certificate = proof_of(judged)
    files = {
        "report.md": report(judged, certificate),
        "repro.py": script(judged, certificate),
        "scene.json": write(judged.scene),
        **({} if unshrunk is None else {"unshrunk.json": write(unshrunk)}),
        **({"model.xml": mjcf(judged.scene)} if judged.entry.module == "mujoco" else {}),
        "versions.txt": versions,
    }
    encoded = {name: text.encode("utf-8") for name, text in files.items()}
    return encoded if picture is None else encoded | {"picture.png": picture}
