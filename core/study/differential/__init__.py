"""Differential testing: judges an engine's answers by the truth, hunts for wrong answers, and shrinks their scenes."""
