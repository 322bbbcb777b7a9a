"""What runs without a window: `check`, `render`, and the answers in words and JSON."""
