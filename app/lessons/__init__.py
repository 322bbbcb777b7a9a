"""Lessons: files read into records, goals, solutions, their check, and a learner's progress. Knows no window."""
