"""Lessons without a window: reads files into records, judges goals, plays solutions, checks files, keeps progress."""
