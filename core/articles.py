"""Old place of `core.study.articles`; warns, and goes with the next release."""

from warnings import warn

from .study.articles import *  # noqa: F403
from .study.articles import ArticleValue as Answer  # noqa: F401

warn("core.articles is core.study.articles now", DeprecationWarning, stacklevel=2)
