"""What changes the work (app/state/work.py), part by part; each is given those before it that it needs.

notices, keeping (autosave, preferences), faults; background (the answers), playback (motion, steps), quiz; of all these
(parts) the cameras, edits, files and pictures.
"""
