"""One file for each thing that can be shown of an answer, and what they draw with."""
