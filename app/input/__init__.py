"""The mouse in the viewport: picking, pointing, dragging, turning and resizing."""
