"""The program's state: document, view, settings, playback and questions. Most of it is immutable records."""
