"""Helpers for the records of the library's answers: old names kept for one release, and conversion to plain values."""

from __future__ import annotations

from typing import Any
from warnings import warn

import msgspec
import numpy as np


def old_name(new: str) -> property:
    """Returns a property that reads the attribute `new`, and warns that its own name is old."""

    def read(answer: object) -> Any:
        warn(f"the name is {new} now, the old one goes with the next release", DeprecationWarning, stacklevel=2)
        return getattr(answer, new)

    return property(read, doc=f"Old name of `{new}`; warns.")


def plain(value: object) -> Any:
    """Converts a record to the types of JSON: dicts, lists, strings, numbers, bools and None.

    Arrays become lists without -0.0, enumeration members their values, and numbers that are not finite None. Raises
    TypeError for an object that has no such form.
    """
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=_listed))


def _listed(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        values = np.asarray(value)
        return (values + values.dtype.type(0)).tolist()  # no -0.0
    raise TypeError(f"no plain form of {type(value).__name__}")
