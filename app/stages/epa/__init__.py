"""The expanding polytope algorithm."""
