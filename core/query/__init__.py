"""All steps of all algorithms in a row."""
