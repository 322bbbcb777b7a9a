"""Properties of two bodies that every method uses: scale, cores, support maps, candidate axes, the Gauss map."""
