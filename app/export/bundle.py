"""Puts several files into one zip; the same files always give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of all files: the earliest that a zip can store."""
FILE_MODE = 0o100644 << 16
"""File attributes: a regular file that all users can read."""


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The bytes of a zip of `files`, a name with its data each, in their order."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = ZipInfo(name, EPOCH)
            entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, FILE_MODE, 3
            archive.writestr(entry, data)
    return out.getvalue()
