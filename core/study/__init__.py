"""Around the answers: published mistakes, edge cases, and what other engines say. Nothing of the core imports it."""
