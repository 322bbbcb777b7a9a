"""A shape of every kind of space, by the name that files use, with numbers that no few digits tell."""

from __future__ import annotations

from core.shapes import Shape
from tests.shape_truths import TRUTHS

SHAPES: dict[str, Shape] = {truth.kind: truth.example for truth in TRUTHS.values() if "example" in vars(truth)}
