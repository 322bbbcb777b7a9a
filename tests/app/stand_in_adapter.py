"""An adapter over the shared loop, whose engine prints, hangs or says what it was asked. Run by test_engine_loop."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "app" / "engines" / "adapters"))

import protocol_loop
from protocol_loop import answer, pairs_of, serve

protocol_loop.HANG_SECONDS = 0.5


def ask(a, b, margin):
    print("an engine that prints")
    if b.kind == "sphere" and b.shape["radius"] > 100.0:
        time.sleep(30)
    if b.kind == "sphere" and b.shape["radius"] > 10.0:
        raise RuntimeError("two\nlines")
    return answer(1.0, a.rotation[:3], a.world((1.0, 0.0, 0.0)), features=margin)


serve("loop", "1", ask, pairs_of(("box", "sphere", "capsule"), but=[("box", "capsule")]))
