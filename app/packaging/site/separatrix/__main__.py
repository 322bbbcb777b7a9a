"""`python -m separatrix`: the command line."""

import sys

from separatrix import main

sys.exit(main())
