"""The commands that menu, palette and keyboard share, one file for each group, and the carrying out of requests."""
