"""Old place of `core.study.differential.certificates`."""

from ..study.differential.certificates import *  # noqa: F403
