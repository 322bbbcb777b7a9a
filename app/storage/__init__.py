"""Files (folders, atomic writes, bounded reads, strict JSON), the clipboard, free memory, a check of the machine."""
