"""The controllers, which change the work (app/state/work.py); each is given the earlier ones that it needs.

In order: notices, autosaves, preferences, faults; background (the answers), playback (motion, steps), quiz. The
cameras, edits, files and pictures get all of these in one record, `Services`.
"""
