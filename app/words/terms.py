"""The nouns for space and for the plane, chosen by a scene's dimension."""

from __future__ import annotations

import re

from msgspec import Struct


class Terms(Struct, frozen=True):
    """The words of one dimension, singular and in lower case.

    `face`: a part of the boundary that gives SAT an axis. `plane`: separates two bodies. `solid`: grows in EPA.
    `content`: volume or area. `simplex`: the largest one, which can enclose the origin. `axes`: names of the world's
    axes.
    """

    face: str
    plane: str
    solid: str
    content: str
    simplex: str
    axes: tuple[str, ...]

    def worded(self, text: str) -> str:
        """A text about space with this dimension's words."""
        return _WORDS.sub(self._own, text)

    def _own(self, found: re.Match[str]) -> str:
        article, word, plural = found.groups()
        own: str = getattr(self, _FIELDS[word])
        if article:
            article = "an " if own[0] in "aeiou" else "a "
        return f"{article}{own}{plural}"


_FIELDS = {"face": "face", "plane": "plane", "polytope": "solid", "volume": "content", "tetrahedron": "simplex"}
_WORDS = re.compile(rf"(\ban? |\b)({'|'.join(_FIELDS)})(s?)\b")

TERMS = {
    3: Terms("face", "plane", "polytope", "volume", "tetrahedron", ("x", "y", "z")),
    2: Terms("edge", "line", "polygon", "area", "triangle", ("x", "y")),
}
"""The words by dimension."""


def terms_of(dimension: int) -> Terms:
    """The words of scenes of this dimension, 2 or 3."""
    return TERMS[dimension]
