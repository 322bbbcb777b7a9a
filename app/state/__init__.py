"""What the program remembers: document, view, settings, playback and questions, as immutable records."""
