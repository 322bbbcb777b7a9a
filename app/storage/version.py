"""Which version of the program this is."""

from __future__ import annotations

from .resources import resource


def version() -> str:
    """As pyproject.toml says in a working tree, else as the installed package does."""
    # Imported only when asked for: it is a twentieth of the start.
    import tomllib
    from importlib import metadata

    project = resource("pyproject.toml")
    if project.is_file():
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    return metadata.version("separatrix")
