"""The commands that menu, palette and keyboard share, a file for each group; and who carries out what is asked."""
