"""Common work on files: folders, atomic writes, bounded reads, strict JSON."""
