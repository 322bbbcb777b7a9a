"""Experiments: answers side by side, B moved through touching, edge cases, random pairs."""
