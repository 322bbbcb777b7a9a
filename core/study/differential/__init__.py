"""Differential testing: an engine's answer judged beside the truth, the hunt for wrong ones, and shrinking."""
