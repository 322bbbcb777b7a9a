"""Contact points: clipping, manifolds, their reduction and the policies of other engines."""
