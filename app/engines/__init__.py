"""Asks other collision engines about a pair, each in a process of its own, and writes bug reports about them."""
