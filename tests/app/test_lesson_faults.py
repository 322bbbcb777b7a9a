"""For each rule of the format of lessons a wrong file, with its line and what was expected."""

from __future__ import annotations

import pytest

from .lesson_samples import faults_of, small

FAULTS = {
    "no front matter": (
        [("---\nid", "id")],
        "x:1: a lesson must begin with --- and lines of key: value, ended by another ---",
    ),
    "front line": ([("minutes: 5", "minutes 5")], "x:5: the front matter must have one key: value a line"),
    "front key": ([("world: plane", "worlds: plane")], "x:4: the key must be one of id, title, order, world"),
    "front twice": ([("minutes: 5", "minutes: 5\nminutes: 6")], "x:6: the key minutes stands twice"),
    "front missing": ([("minutes: 5\n", "")], "x:1: the front matter needs the key minutes"),
    "id": ([("id: small", "id: Small lesson")], "x:2: id: must be 1 to 40 small letters, digits and hyphens"),
    "title": ([("A small lesson", "A " * 30)], "x:3: title: must have at most 40 characters, got 59"),
    "world": ([("world: plane", "world: flat")], "x:4: world: must be plane or space, got 'flat'"),
    "minutes": ([("minutes: 5", "minutes: 31")], "x:5: minutes: must be a whole number from 1 to 30, got '31'"),
    "needs": ([("teaches: gap", "needs: One Gap\nteaches: gap")], "x:6: needs: must be 1 to 40 small letters"),
    "teaches": (
        [("teaches: gap,", "teaches: gapp,")],
        "x:6: teaches: must be a term of the glossary, got 'gapp'; near to it are gap",
    ),
    "no title": ([("## First", "First")], "x:9: a step must begin with ## and its title, got 'First'"),
    "long title": ([("## First", "## " + "F" * 33)], "x:9: a step's title must have 1 to 32 characters, got 33"),
    "no separator": (
        [("---\n\n## Second", "## Second")],
        "a new step must stand behind a line with --- alone, got '## Second'",
    ),
    "no id": ([("> id: first\n", "")], "x:9: a step needs an id, as > id: first-gap"),
    "same id": ([("> id: second", "> id: first")], "x:26: the id first is that of the step at line 9 already"),
    "key": ([("> verdict:", "> verdikt:")], "x:12: the key must be one of id, scene, if, panes"),
    "key twice": (
        [("> verdict: hidden", "> verdict: hidden\n> verdict: word")],
        "x:13: the key verdict stands twice in this step",
    ),
    "key form": ([("> verdict: hidden", "> hidden")], "x:12: a key must be written as > key: value, got '> hidden'"),
    "key below": (
        [("Is there", "Is there\n> panes: world")],
        "x:17: a step's keys must stand directly below its title",
    ),
    "no text": ([("Drag B into A.", "")], "x:26: a step needs a text below its keys"),
    "no solution": ([("> solution: choose yes\n", "")], "x:13: a step with a goal needs a solution"),
    "panes": (
        [("> verdict: hidden", "> panes: left")],
        "x:12: panes: must be one of both, world, difference, overlaid; got 'left'",
    ),
    "panels": ([("> verdict: hidden", "> panels: axis")], "x:12: panels: must be one of axes, pairs, step, words"),
    "overlays": ([("> verdict: hidden", "> overlays: +nothing")], "x:12: overlays: must be one of grid, bodies"),
    "overlays form": (
        [("> verdict: hidden", "> overlays: gauss")],
        "x:12: overlays: must be a list such as +gauss -axes",
    ),
    "labels": ([("> verdict: hidden", "> labels: -names")], "x:12: labels: must be one of titles, world-axes"),
    "labels form": (
        [("> verdict: hidden", "> labels: +bounds")],
        "x:12: labels: must be a list such as -vertex-names -bounds",
    ),
    "axes": ([("> verdict: hidden", "> axes: all")], "x:12: axes: must be one of focused, fan, cage; got 'all'"),
    "family": ([("> verdict: hidden", "> axes: family:edges")], "x:12: axes: must be one of face of A, face of B"),
    "verdict": (
        [("> verdict: hidden", "> verdict: no")],
        "x:12: verdict: must be one of hidden, word, full, never; got 'no'",
    ),
    "timeline phase": (
        [("> verdict: hidden", "> timeline: sst 1")],
        "x:12: timeline: the phase must be one of build, planes, sat",
    ),
    "timeline step": (
        [("> verdict: hidden", "> timeline: sat 0")],
        "x:12: timeline: the step must be a number from 1, stop",
    ),
    "timeline beyond": (
        [("> verdict: hidden", "> timeline: sat 90")],
        "x:9: timeline: there is no step sat 90 here: there are planes 1 to 8, sat 1 to 8",
    ),
    "free": (
        [("> verdict: hidden", "> free: up")],
        "x:12: free: must be [x, y] in the plane or [x, y, z] in space, got 'up'",
    ),
    "free zero": ([("> verdict: hidden", "> free: [0, 0]")], "x:12: free: the direction must not be zero"),
    "free of space": (
        [("> verdict: hidden", "> free: [0, 0, 1]")],
        "x:9: free must be [x, y] in a 2D scene",
    ),
    "setting": (
        [("> verdict: hidden", "> setting: gjk = 3")],
        "x:12: setting: the setting must be one of gjk.iterations",
    ),
    "setting of space": (
        [("> verdict: hidden", "> setting: preference = Jolt")],
        "x:9: warning: setting preference: Jolt makes contacts in space; in the plane the policies are tolerant,",
    ),
    "setting form": (
        [("> verdict: hidden", "> setting: reduce")],
        "x:12: setting: must be written as name = value, got 'reduce'",
    ),
    "setting value": (
        [("> verdict: hidden", "> setting: reduce = 1")],
        "x:12: setting: reduce must be true or false; got '1'",
    ),
    "setting number": (
        [("> verdict: hidden", "> setting: epa.iterations = -1")],
        "x:12: setting: epa.iterations must be a whole number from 0; got '-1'",
    ),
    "setting word": (
        [("> verdict: hidden", "> setting: rounded = half")],
        "x:12: setting: rounded must be one of core, full; got 'half'",
    ),
    "camera": (
        [("> verdict: hidden", "> camera: 30")],
        "x:12: camera: must be fit, keep, origin, or yaw and pitch in degrees; got '30'",
    ),
    "camera range": (
        [("> verdict: hidden", "> camera: 30 120")],
        "x:12: camera: yaw must lie within ±360° and pitch within ±90°",
    ),
    "drag": ([("> verdict: hidden", "> drag: c")], "x:12: drag: must be one of a, b; got 'c'"),
    "time": ([("> verdict: hidden", "> time: 2")], "x:12: time: must be a number from 0 to 1, or off; got '2'"),
    "together": ([("> verdict: hidden", "> together: true")], "x:12: together: must be one of yes, no; got 'true'"),
    "ask kind": ([("> verdict: hidden", "> ask: corner")], "x:12: ask: must be one of verdict, axis, leaves"),
    "ask not there": (
        [("> verdict: hidden", "> ask: contacts"), ("chose(yes)", "answered(contacts)")],
        "x:12: ask: no question of kind contacts can be asked about this pair: there are ",
    ),
    "ask elsewhere": (
        [("> verdict: hidden", "> ask: vertex_a at gjk 3"), ("chose(yes)", "answered(vertex_a)")],
        "x:12: ask: vertex_a is asked at gjk 1 of this pair: its answer cannot be seen elsewhere",
    ),
    "ask goal": (
        [("> verdict: hidden", "> ask: verdict")],
        "x:12: the question needs a goal, as > goal: answered(verdict)",
    ),
    "answered unasked": (
        [("chose(yes)", "answered(verdict)")],
        "x:13: goal answered(verdict): the step must ask it, as > ask: verdict",
    ),
    "predicate": ([("chose(yes)", "choose(yes)")], "x:13: goal: the predicate must be one of verdict, separation"),
    "goal form": ([("chose(yes)", "chose yes")], "x:13: goal: must be [not] NAME(ARGUMENTS) [OPERATOR NUMBER]"),
    "arguments": (
        [("verdict(overlapping)", "verdict(near)")],
        "x:28: goal: verdict: must be of separated, touching, overlapping; got 'near'; it is written as verdict(",
    ),
    "no comparison": (
        [("depth >= 0.1", "depth")],
        "x:29: goal: depth needs a comparison with a number; it is written as depth >= 0.1",
    ),
    "comparison": (
        [("verdict(overlapping)", "verdict(overlapping) > 1")],
        "x:28: goal: verdict is compared with no number",
    ),
    "number": ([("depth >= 0.1", "depth >= deep")], "x:29: goal: must be a finite number; got 'deep'"),
    "tolerance": (
        [("depth >= 0.1", "depth >= 0.1 ± 0.2")],
        "x:29: goal: a tolerance belongs to ~ and to no other operator",
    ),
    "no tolerance": ([("depth >= 0.1", "depth ~ 0.1")], "x:29: goal: a tolerance belongs to ~"),
    "label": (
        [("> verdict: hidden", "> focus: A.z")],
        "x:9: no axis is called 'A.z' here: there are A.edge0, A.edge1",
    ),
    "goal label": ([("depth >= 0.1", "winner(A.e9)")], "x:29: no axis is called 'A.e9' here"),
    "step of goal": (
        [("depth >= 0.1", "step_at(sat, zero)")],
        "x:29: goal: step_at: the step must be a number from 1, stop",
    ),
    "verb": ([("choose yes", "chose yes")], "x:14: solution: each action must be one of a.position = [x, y, z]"),
    "pose": (
        [("[0.8, 0.2]", "[0.8, up]")],
        "x:30: solution: must be [x, y] or [x, y, z]; got '[0.8, up]'; b.position is written as",
    ),
    "pose of space": (
        [("[0.8, 0.2]", "[0.8, 0.2, 0]")],
        "x:30: solution: b.position must be [x, y] in the plane; got",
    ),
    "answer kind": ([("choose yes", "answer corner")], "x:14: solution: the question must be one of verdict, axis"),
    "time of solution": (
        [("choose yes", "choose yes; time 3")],
        "x:14: solution: the time must lie between 0 and 1, or be impact",
    ),
    "visit": (
        [("choose yes", "choose yes; visit A.q")],
        "x:14: solution: no axis is called 'A.q': there are A.edge0",
    ),
    "step of solution": (
        [("choose yes", "choose yes; step epa 1")],
        "x:14: solution: there is no step epa 1: there are planes 1 to 8",
    ),
    "option": ([("- (x) yes :: Yes", "- (x) Yes")], "x:18: an option must be written as - (x) id :: Label"),
    "two right": (
        [("- ( ) no :: No :: Look once more.", "- (x) no :: No")],
        "x:18: exactly one option must be right, marked (x); got 2",
    ),
    "none right": (
        [("- (x) yes :: Yes", "- ( ) yes :: Yes :: No.")],
        "x:18: exactly one option must be right, marked (x); got 0",
    ),
    "no why": ([(" :: Look once more.", "")], "x:19: a wrong option must say why not"),
    "why of right": ([(":: Yes\n", ":: Yes :: Because.\n")], "x:18: the right option has no why not"),
    "option id": ([("- (x) yes ::", "- (x) Yes! ::")], "x:18: an option's id must be 1 to 40 small letters"),
    "same option": ([("- ( ) no ::", "- ( ) yes ::")], "x:18: each option needs an id of its own"),
    "after options": (
        [("Look once more.", "Look once more.\nMore text.")],
        "x:20: an option must stand on one line",
    ),
    "choice goal": ([("chose(yes)", "chose(no)")], "x:13: goal chose(no): the right option is yes"),
    "no choice goal": (
        [("chose(yes)", "moved(b) >= 1"), ("choose yes", "b.position = [4, 0]")],
        "x:9: the options of first need a goal, as > goal: chose(yes)",
    ),
    "part": ([("### Then", "### Next")], "x:21: a part must be one of ### Hint, ### Almost, ### Then; got 'Next'"),
    "part twice": (
        [("### Hint\nTo the left.", "### Almost\nTo the left.")],
        "x:37: ### Almost stands twice in this step",
    ),
    "empty part": ([("To the left.", "")], "x:34: ### Hint needs a text"),
    "term": ([("[[gap]]", "[[gaps]]")], "x:16: must be a term of the glossary, got 'gaps'; near to it are gap"),
    "brackets": ([("[[gap]]", "[[gap")], "x:16: [[ and ]] must enclose a term of the glossary"),
    "pointer": ([("(body:b)", "(thing:b)")], "x:16: [words](thing:b) must point at one of axis:…"),
    "nothing there": ([("(body:b)", "(axis:A.z)")], "x:9: [B](axis:A.z) points at nothing in this step's scene"),
    "live number": ([("{distance}", "{length}")], "x:22: {length} must be one of depth, distance"),
    "first keeps": ([("> scene: apart\n", "")], "x:9: the first step needs a scene, as > scene: preset:skew-edges"),
    "scene": (
        [("> scene: apart", "> scene: aparte")],
        "x:9: the scene must be one of apart, keep, preset:ID, with the ID of a preset; got 'aparte'",
    ),
    "preset": ([("> scene: apart", "> scene: preset:none")], "x:9: the scene must be one of apart, keep, preset:ID"),
    "block name": ([("```scene apart", "```json")], "x:40: a block must begin with ```scene and a name"),
    "block end": ([("0.2]}}\n```", "0.2]}}")], "x:40: the block has no end: a line with ``` alone"),
    "scene path": (
        [('"position": [0, 0]}', '"position": [0, "0"]}')],
        'x:40: scene apart: a.position[1]: must be a number, got "0"',
    ),
    "scene JSON": (
        [('"position": [0, 0]},', '"position": [0, 0]}')],
        "x:44: scene apart: is not JSON: Expecting ',' delimiter, column 2",
    ),
    "true already": (
        [("depth >= 0.1", "not verdict(overlapping)")],
        "x:29: goal not verdict(overlapping) holds already when the step opens",
    ),
    "true already together": (
        [("verdict(overlapping)\n> goal: depth >= 0.1", "moved(b) <= 9\n> together: yes")],
        "x:28: all goals of second hold already when the step opens",
    ),
    "not reached": (
        [("[0.8, 0.2]", "[0.95, 0.2]")],
        "x:29: goal depth >= 0.1 is not reached by the solution: 0.05 deep: 0.05 too little. Go on.",
    ),
    "out of order": (
        [("verdict(overlapping)\n> goal: depth >= 0.1", "toggled(gauss)\n> goal: depth >= 0.1")],
        "x:28: goal toggled(gauss) is not reached by the solution: nothing in it does this. Go on.",
    ),
}


@pytest.mark.parametrize(("changes", "message"), FAULTS.values(), ids=FAULTS)
def test_every_rule_has_its_line_and_what_was_expected(changes: list[tuple[str, str]], message: str) -> None:
    told = faults_of(small(*changes))
    assert any(message in line for line in told), told


def test_a_wrong_drag_beside_a_hold_is_told_once() -> None:
    found = faults_of(small(("> verdict: hidden", "> drag: c\n> hold: turn z")))
    assert sum("drag: must be one of a, b" in fault for fault in found) == 1
