"""Old place of `core.study.differential`; warns, and goes with the next release."""

import sys
from warnings import warn

from .study.differential import answers, certificates, classes

warn("core.differential is core.study.differential now", DeprecationWarning, stacklevel=2)
# The same modules under their old names too: loaded again, `core.differential.answers` would have other classes.
sys.modules[f"{__name__}.answers"] = answers
sys.modules[f"{__name__}.certificates"] = certificates
sys.modules[f"{__name__}.classes"] = classes
