"""The contact manifold."""
