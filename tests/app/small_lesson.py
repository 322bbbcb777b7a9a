"""A lesson of a few short steps, for tests of what a lesson does."""

SMALL = """---
id: small
title: A small lesson
world: space
minutes: 1
---

## Push
> id: push
> scene: preset:skew-edges
> panes: world
> verdict: hidden
> focus: A.x
> goal: verdict(separated)
> solution: b.position = [4, 0, 0]

Push B out of A.

### Hint
To the right.

### Then
Apart by {distance}.

---

## Choose
> id: choose
> panels: axes
> goal: chose(yes)
> goal: moved(b) >= 0.5
> solution: choose yes; b.position = [5, 0, 0]

Is it far?

- (x) yes :: Yes
- ( ) no :: No :: Look again.

---

## Step
> id: step
> scene: preset:skew-edges
> timeline: gjk 1
> panels: step
> goal: step_at(gjk, stop)
> solution: step gjk stop

Go to the stop.

---

## Ask
> id: ask
> scene: preset:skew-edges
> ask: contacts
> goal: answered(contacts)
> solution: answer contacts

How many contacts?
"""
