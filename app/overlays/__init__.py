"""Overlays: pure functions from what is known to what is drawn, one file per thing shown, in drawing order."""
