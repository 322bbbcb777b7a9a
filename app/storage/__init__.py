"""What lies under every file: folders, whole writes, bounded reads, strict JSON."""
