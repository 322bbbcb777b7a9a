"""What the stand-in engine can be told to do, by B's radius."""

ANSWER, SLEEP, EXIT, CRASH, GARBAGE, HALF, HALF_EXIT, OTHER_ID, NOT_FINITE, NOISE, SLOW, LEAVE = range(1, 13)
