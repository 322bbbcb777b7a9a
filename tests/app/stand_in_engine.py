"""An engine that does what it is told: B's radius says what. Run by `tests/app/test_engine_workers.py`."""

import json
import os
import signal
import sys
import time

from stand_in_modes import CRASH, EXIT, GARBAGE, HALF, HALF_EXIT, LEAVE, NOISE, NOT_FINITE, OTHER_ID, SLEEP, SLOW


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main() -> None:
    version = sys.argv[1] if len(sys.argv) > 1 else "1"
    pairs = [["sphere", "sphere"], ["box", "sphere"]]
    ready = {"ready": "stand-in", "version": version, "python": "3", "precision": 64, "kind": "distance"}
    say(json.dumps(ready | {"pairs": pairs}) + "\n")
    for line in sys.stdin:
        asked = json.loads(line)
        told = round(asked["b"]["shape"]["radius"])
        answer = json.dumps({"id": asked["id"], "separation": float(os.getpid()), "us": 1.0})
        if told == SLEEP:
            time.sleep(60)
        elif told == EXIT:
            sys.exit(3)
        elif told == CRASH:
            os.kill(os.getpid(), signal.SIGSEGV)
        elif told == GARBAGE:
            say("Segment 12\n")
        elif told in (HALF, HALF_EXIT):
            say(answer[:9])
            if told == HALF_EXIT:
                sys.exit(0)
        elif told == OTHER_ID:
            say(json.dumps({"id": -1, "separation": 1.0}) + "\n")
        elif told == NOT_FINITE:
            say(json.dumps({"id": asked["id"], "separation": float("nan")}) + "\n")
        else:
            if told == NOISE:
                sys.stderr.write("x" * 10_000 + "the end")
                sys.stderr.flush()
            if told == SLOW:
                time.sleep(0.3)
            say(answer + "\n")
            if told == LEAVE:
                sys.exit(0)


main()
