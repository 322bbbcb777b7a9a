"""Readers of texts with a pair of bodies, one file a form; `registry` has the table."""
