"""The commands without a window: `check`, pictures, films and handouts, and the answers in words and JSON."""
