"""The program's state: document, view, settings, playback and questions, most of it immutable records."""
