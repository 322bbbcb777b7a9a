"""What the mouse does in the viewport: pick, point, drag, turn, resize."""
