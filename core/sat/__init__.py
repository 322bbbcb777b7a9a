"""The separating axis test, in space and in the plane."""
