"""Old place of `core.study.differential.answers`."""

from ..study.differential.answers import *  # noqa: F403
