"""The Minkowski difference, built by hand."""
