"""What changes the state: files, cameras, steps, motion, questions and work in the background."""
