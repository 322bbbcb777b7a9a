"""Experiments: answers side by side, a body led through zero, edge cases, random pairs."""
