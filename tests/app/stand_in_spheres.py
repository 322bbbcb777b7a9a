"""An engine of spheres that is right, but for what `argv[1]` says of balls with one centre: crash, hang, or once.

`once`: it crashes the first three times, as the file `argv[2]` counts, and never again. Run by `test_hunt_command`.
"""

import json
import math
import os
import signal
import sys
import time
from pathlib import Path

NEAR = 1e-9


def deed() -> None:
    """What it does when it is asked about one centre."""
    if sys.argv[1] == "hang":
        time.sleep(60)
    if sys.argv[1] == "once":
        counter = Path(sys.argv[2])
        done = len(counter.read_text()) if counter.exists() else 0
        if done >= 3:
            return
        counter.write_text("x" * (done + 1))
    os.kill(os.getpid(), signal.SIGSEGV)


def main() -> None:
    ready = {"ready": "spheres", "version": "1", "python": "3", "precision": 64, "kind": "distance"}
    print(json.dumps(ready | {"pairs": [["sphere", "sphere"]]}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        a, b = asked["a"], asked["b"]
        if {a["shape"]["type"], b["shape"]["type"]} != {"sphere"}:
            print(json.dumps({"id": asked["id"], "unsupported": "box"}), flush=True)
            continue
        apart = math.dist(a["position"], b["position"])
        if apart < NEAR:
            deed()
        said = {"id": asked["id"], "separation": apart - a["shape"]["radius"] - b["shape"]["radius"], "us": 1.0}
        print(json.dumps(said), flush=True)


main()
