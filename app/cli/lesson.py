"""`separatrix lesson`: checks lesson files, and writes the skeleton of a new one. Needs no display."""

from __future__ import annotations

import sys
from pathlib import Path

from ..lessons.check import check_file
from ..lessons.shelf import shelf
from ..storage.files import reason_of, refuse_device, write_atomic
from ..words.axis_words import listed
from .faults import FaultGuard

SKELETON = """---
<!-- id: progress is kept under it. world: plane or space. Also: order, needs, author, licence. -->
id: my-lesson
title: My lesson
world: plane
minutes: 5
teaches: gap, separating axis
---

<!-- A step begins with ## and a title of at most 32 characters. Its keys stand directly below. -->
## Look first
> id: look
> scene: apart
> panes: world
> verdict: hidden
> goal: chose(yes)
> solution: choose yes

Say here what to look at, in at most 40 words. A word in double brackets, as [[gap]], shows its meaning.
Is there a gap between the bodies?

<!-- Exactly one option has an x. Every other one says why not. -->
- (x) yes :: Yes
- ( ) no :: No :: Say here why this is wrong.

### Then
This appears when the goal is met, in at most 45 words.

---

<!-- scene: keep goes on with the scene that the learner left. -->
## Do something
> id: drag
> scene: keep
> goal: verdict(overlapping)
> solution: b.position = [0.8, 0.3]

Drag B until the bodies overlap. The check plays the solution and so proves that the goal can be reached.

### Hint
Hints come one at a time.

### Then
They overlap by {depth}. A number in braces is the one of the moment.

---

<!-- scene: preset:ID shows a scene of the gallery. timeline: PHASE NUMBER opens the timeline. -->
## Step through
> id: step
> scene: preset:skew-edges
> timeline: gjk 1
> goal: step_at(gjk, stop)
> solution: step gjk stop

Press → until GJK stops.

### Then
This is the end of the skeleton. assets/guide/lessons.md has every key and every goal.

```scene apart
{"separatrix": 1, "dimension": 2, "name": "Two triangles",
 "a": {"shape": {"type": "polygon", "points": [[-1, -0.6], [1, -0.6], [0, 1]]}, "position": [0, 0]},
 "b": {"shape": {"type": "polygon", "points": [[-0.7, 0.5], [-0.2, -0.7], [0.9, 0.4]]}, "position": [2, 0.5]}}
```
"""
"""A lesson of three steps that passes the check."""


def check_lessons(files: list[str]) -> int:
    """Checks each file and prints its faults as FILE:LINE: …; returns 1 if one is refused or a fault occurs, else 0."""
    status = 0
    for file in files:
        with FaultGuard(file) as attempt:
            reading = check_file(Path(file))
        if attempt.fault:
            status = _refused(attempt.fault)
            continue
        for fault in reading.faults:
            print(fault.text(file), file=sys.stderr)
        if reading.lesson is None:
            status = 1
        else:
            steps = len(reading.lesson.steps)
            print(f"{file}: {reading.lesson.title}, {steps} step{'' if steps == 1 else 's'}, all goals are reached")
    return status


def write_skeleton(file: str) -> int:
    """Writes SKELETON to a new file; refuses a name that exists. Returns the exit status."""
    path = Path(file)
    try:
        refuse_device(path)
        if path.exists():
            return _refused(f"{file}: there is a file already; give a new name")
        write_atomic(path, SKELETON.encode())
    except OSError as error:
        return _refused(f"{file}: {reason_of(error)}")
    print(f"{file}: written; change it, then check it with: separatrix lesson {file}")
    return 0


def lesson_to_open(name: str) -> Path | None:
    """The lesson's file, found by file name or by number on the shelf.

    A file by name is checked, and the result printed. Returns None, and prints why, if there is none or it fails the
    check.
    """
    path = Path(name)
    if name.isascii() and name.isdigit() and not path.exists():
        orders = [lesson.order for lesson in shelf()]
        if int(name[:9]) not in orders:
            _refused(f"there is no lesson {name}: there are {listed([str(order) for order in orders])}")
            return None
        return Path(next(lesson.file for lesson in shelf() if lesson.order == int(name)))
    if check_lessons([name]):
        return None
    return path


def _refused(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1
