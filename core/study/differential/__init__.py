"""Differential testing: judges an engine's answers by the truth, hunts for wrong ones, and shrinks their scenes."""
