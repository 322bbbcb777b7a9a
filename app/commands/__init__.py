"""The commands that menus, palette and keyboard share, a file for each group; and the dispatch of requests."""
