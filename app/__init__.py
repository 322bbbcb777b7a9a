"""The program round the core: input, view, overlays, layout, renderer and panels.

What a start does not need is imported inside the function that first needs it; tests/test_architecture.py says which.
"""

import os

# Before numpy loads it: OpenBLAS would share out even the small products of a frame over threads that then spin, and
# take the processor from software GL. Twice the frames a second, and nothing here multiplies matrices large enough.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
