"""Every deliberate fault still stands where its table says: code that moves takes its faults along."""

from __future__ import annotations

import pytest

from .faults.core import CORE
from .faults.table import FAULTS, Fault
from .sources import ROOT


@pytest.mark.parametrize("fault", [*CORE, *FAULTS], ids=lambda fault: fault.why)
def test_what_a_fault_changes_stands_once_in_its_file(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text("utf-8").count(fault.old) == 1
    assert fault.new != fault.old
