"""What changes the work (app/state/work.py), part by part; each is given those before it that it needs.

notices, keeping (the autosave), faults, preferences; background (the answers), motion, steps, quiz, cameras; edits,
files, pictures; safe_frame.
"""
