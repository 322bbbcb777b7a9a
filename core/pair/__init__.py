"""What every method asks of two bodies: scale, cores, support maps, candidate axes, the Gauss map."""
