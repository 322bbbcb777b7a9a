"""All steps of all algorithms about a pair, in one sequence, and a sentence for each."""
