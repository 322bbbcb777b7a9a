"""The methods for bodies in motion."""
