"""Answers in words, for panels and pictures."""
