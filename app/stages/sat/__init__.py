"""The separating axis test."""
