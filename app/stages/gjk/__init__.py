"""The algorithm of Gilbert, Johnson and Keerthi."""
