"""A small lesson that is right in every way, and what makes others of it."""

from __future__ import annotations

from app.lessons.check import check_lesson
from app.lessons.faults import LessonFaults
from app.lessons.lesson_file import parse_lesson, read_lesson
from app.lessons.situation import Situation, opening_situation
from app.state.lesson import Lesson

LESSON = """---
id: small
title: A small lesson
world: plane
minutes: 5
teaches: gap, way out
---

## First
> id: first
> scene: apart
> verdict: hidden
> goal: chose(yes)
> solution: choose yes

Is there a [[gap]] between them? See [B](body:b).

- (x) yes :: Yes
- ( ) no :: No :: Look once more.

### Then
They are {distance} apart.

---

## Second
> id: second
> goal: verdict(overlapping)
> goal: depth >= 0.1
> solution: b.position = [0.8, 0.2]

Drag B into A.

### Hint
To the left.

### Almost
Go on.

```scene apart
{"separatrix": 1, "dimension": 2, "name": "Two squares",
 "a": {"shape": {"type": "polygon", "points": [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]},
       "position": [0, 0]},
 "b": {"shape": {"type": "polygon", "points": [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]},
       "position": [2, 0.2]}}
```
"""


def small(*changes: tuple[str, str]) -> str:
    """The lesson with some of its text replaced."""
    text = LESSON
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def faults_of(text: str, *, shipped: bool = False) -> list[str]:
    """Everything that reading and checking find wrong, as told."""
    reading, faults = parse_lesson(text, "x"), LessonFaults()
    faults.found.extend(reading.faults)
    if reading.lesson is not None:
        check_lesson(reading.lesson, faults, shipped=shipped)
    return [fault.text("x") for fault in faults.in_order]


def lesson(*changes: tuple[str, str]) -> Lesson:
    """The lesson, changed, read."""
    return read_lesson(small(*changes), "x")


def beginning(text: str, step: int = 0) -> Situation:
    """What is seen as a step of a lesson opens; the scene before it is that of the lesson's first scene."""
    read = read_lesson(text, "x")
    return opening_situation(read, read.steps[step], next(iter(read.scenes.values())).scene)
