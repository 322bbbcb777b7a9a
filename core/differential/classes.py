"""Old place of `core.study.differential.classes`."""

from ..study.differential.classes import *  # noqa: F403
