"""Old place of `core.study.differential`; warns, and goes with the next release."""

from warnings import warn

warn("core.differential is core.study.differential now", DeprecationWarning, stacklevel=2)
