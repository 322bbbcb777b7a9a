"""The program round the core: input, view, overlays, layout, renderer and panels.

A module that the start does not need is imported inside the function that first needs it; the test
tests/test_architecture.py lists them.
"""

import os

# Set before numpy loads OpenBLAS, which would split even the small products of a frame over threads that then spin and
# take the processor from software GL. One thread gives twice the frames a second, and no matrix here needs more.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
