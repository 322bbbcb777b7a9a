"""Readers and writers of texts with a pair of bodies, one file for each form. `registry` has the list of forms."""
