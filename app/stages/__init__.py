"""What the program knows of each algorithm, a folder each: its words, its picture and its listing."""
