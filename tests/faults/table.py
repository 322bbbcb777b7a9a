"""Deliberate faults of picture and word: what each file would have to say for the program to lie.

To add one: a file, a piece of its text that stands there only once, what stands there instead, and what is wrong then.
`tests/faults/run` applies each to a copy of the tree and says whether the snapshots alone catch it.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One fault: `old` stands once in `file`; `new` in its place makes the program lie as `why` says."""

    why: str
    file: str
    old: str
    new: str


FAULTS = (
    Fault(
        "the way-out arrow points backwards in the world",
        "app/overlays/separation.py",
        "analysis.witness_b + analysis.mtv,",
        "analysis.witness_b - analysis.mtv,",
    ),
    Fault(
        "the way-out arrow has its head at the wrong end",
        "app/overlays/separation.py",
        "arrow_end=14.0",
        "arrow_start=14.0",
    ),
    Fault(
        "“distance ≤” and “≥” are swapped at GJK's steps",
        "app/stages/gjk/pictures.py",
        '((step.upper, quantity, "≤"), (step.lower, quantity, "≥"))',
        '((step.upper, quantity, "≥"), (step.lower, quantity, "≤"))',
    ),
    Fault(
        "the upper bound of EPA's depth stands where the lower one should",
        "app/stages/epa/pictures.py",
        '((upper, quantity, "≤"), (lower, quantity, "≥"))',
        '((lower, quantity, "≤"), (upper, quantity, "≥"))',
    ),
    Fault(
        "A's bar has B's colour and B's has A's",
        "app/overlays/rail.py",
        "self.line(span, beside, context.theme.edge(index), 7.0",
        "self.line(span, beside, context.theme.edge(1 - index), 7.0",
    ),
    Fault(
        "A is filled with B's colour and B with A's",
        "app/overlays/bodies.py",
        "faded(theme.body(index), share * theme.face_alpha)",
        "faded(theme.body(1 - index), share * theme.face_alpha)",
    ),
    Fault(
        "the names of the bodies are swapped",
        "app/overlays/bodies.py",
        '            "AB"[index],\n            point,',
        '            "BA"[index],\n            point,',
    ),
    Fault(
        "one face is told as “1 faces”",
        "app/stages/word_parts.py",
        "word if count == 1 else",
        "word if count == 0 else",
    ),
    Fault(
        "a corner of the simplex that is dropped is lit as if it were kept",
        "app/stages/gjk/pictures.py",
        "kept = number in region or not answered",
        "kept = number not in region or not answered",
    ),
    Fault(
        "an axis that only leads so far is said to decide",
        "app/overlays/axes.py",
        "'decides' if context.sat_progress.last else 'best so far'",
        "'best so far' if context.sat_progress.last else 'decides'",
    ),
    Fault(
        "an overlap is drawn in the colour of a gap",
        "app/overlays/rail.py",
        "return context.theme.overlap if separation < -context.analysis.band else context.theme.gap",
        "return context.theme.gap if separation < -context.analysis.band else context.theme.overlap",
    ),
    Fault(
        "GJK's listing marks the line before the one where it stopped",
        "app/stages/gjk/__init__.py",
        'lambda step: step.stop or "grow",',
        'lambda step: "bounds" if step.stop is GjkStop.CONVERGED else step.stop or "grow",',
    ),
    # The rest was chosen by somebody who did not write the snapshots, before it was known which are caught.
    Fault(
        "A's contact vertices are drawn and named as B's and B's as A's",
        "app/overlays/contacts.py",
        "enumerate((features.a, features.b))",
        "enumerate((features.b, features.a))",
    ),
    Fault(
        "the impact stands on the origin's path as far from its end as it should from its start",
        "app/overlays/motion.py",
        "np.zeros(3) if turns else impact * way",
        "np.zeros(3) if turns else (1.0 - impact) * way",
    ),
    Fault(
        "the normal at the impact points from B to A",
        "app/overlays/motion.py",
        "middle + reach * result.normal,",
        "middle - reach * result.normal,",
    ),
    Fault(
        "a contact that overlaps is drawn hollow, and a gap filled",
        "app/stages/contacts/region_picture.py",
        "hollow = contact.gap or not label.kept",
        "hollow = not contact.gap or not label.kept",
    ),
    Fault(
        "the flat part of A is drawn in B's colour, and B's in A's",
        "app/stages/contacts/region_picture.py",
        "rgba = context.theme.edge(step.body)",
        "rgba = context.theme.edge(1 - step.body)",
    ),
    Fault(
        "the Voronoi region of an edge is called a face's, and a face's an edge's",
        "app/stages/gjk/pictures.py",
        '2: "edge", 3: "face"',
        '2: "face", 3: "edge"',
    ),
    Fault(
        "the regions about a box have lost the minus in their names",
        "app/overlays/regions.py",
        'region_name(sides).replace("-", MINUS)',
        'region_name(sides).replace("-", "")',
    ),
    Fault(
        "of the plane's edge the word “in front” stands behind it",
        "app/stages/planes/__init__.py",
        'f"{shown_name(step.label)}: in front",\n        tip,',
        'f"{shown_name(step.label)}: in front",\n        2.0 * middle - tip,',
    ),
    Fault(
        "of the article's triangle the edge that is not searched beyond is lit",
        "app/stages/article/__init__.py",
        "chosen = test.direction == step.next_direction",
        "chosen = test.direction != step.next_direction",
    ),
    Fault(
        "what the winner shows beside a free axis points the other way",
        "app/overlays/free_axis.py",
        "end = start + sat.separation",
        "end = start - sat.separation",
    ),
    Fault(
        "B's bar moves along the rail as A does",
        "app/overlays/motion.py",
        "np.array(scene.b.displacement))",
        "np.array(scene.a.displacement))",
    ),
    Fault(
        "a half-space's solid side is called its positive one",
        "app/overlays/half_space.py",
        '(tip, "positive side: n·p > d", "n·p > d", -28.0),\n        (below,',
        '(below, "positive side: n·p > d", "n·p > d", -28.0),\n        (tip,',
    ),
    Fault(
        "the angle between a scaled plane's two normals is in radians",
        "app/probes/planes.py",
        "return degrees(acos(",
        "return (acos(",
    ),
    Fault(
        "edges that are in sight are faint and hidden ones strong",
        "app/draw/layout/lines.py",
        "fade = np.where(pieces.covered, np.where(dashed, FAINT_DASHED, FAINT), 1.0)",
        "fade = np.where(pieces.covered, 1.0, np.where(dashed, FAINT_DASHED, FAINT))",
    ),
    Fault(
        "a body hides what is before it, not what is behind",
        "app/draw/layout/solids.py",
        "front = heights > 1e-12",
        "front = heights < -1e-12",
    ),
    Fault(
        "the heads of arrows lie the wrong way round on the screen",
        "app/draw/layout/lines.py",
        "np.concatenate((-along[has0], along[has1])),",
        "np.concatenate((along[has0], -along[has1])),",
    ),
    Fault(
        "“the distance is at least” tells the upper bound",
        "app/stages/gjk/steps.py",
        "So far the distance of the cores is at least {plain(at.before.lower)}.",
        "So far the distance of the cores is at least {plain(at.before.upper)}.",
    ),
    Fault(
        "the formula of GJK's lower bound ends in that of the step before",
        "app/stages/gjk/steps.py",
        "equation(_LOWER, most(_LOWER, -_D @ w)), step.lower, bounds)",
        "equation(_LOWER, most(_LOWER, -_D @ w)), earlier, bounds)",
    ),
    Fault(
        "contacts that overlap are counted as gaps",
        "app/stages/contacts/region_words.py",
        "gaps = sum(contact.gap for",
        "gaps = sum(not contact.gap for",
    ),
    Fault(
        "the ray cast's next time is the one that it had",
        "app/stages/motion/ray.py",
        "_N @ _D)), step.next_t, times))",
        "_N @ _D)), step.t, times))",
    ),
    Fault(
        "of an axis of the motion the ends that part are divided for the entry, and those that meet for the exit",
        "app/stages/motion/axes.py",
        "ahead, behind = _MIN_B - _MAX_A, _MAX_B - _MIN_A",
        "ahead, behind = _MAX_B - _MIN_A, _MIN_B - _MAX_A",
    ),
    Fault(
        "the winner's row does not say with which axes it is tied",
        "app/words/axis_words.py",
        'return what + (f", tied with {_tied_words(table)}" if table.ties else "")',
        "return what",
    ),
    Fault(
        "one iteration is told as “1 iterations”",
        "app/words/axis_words.py",
        "{'iteration' if iterations == 1 else 'iterations'}",
        "{'iteration' if iterations == 0 else 'iterations'}",
    ),
    Fault(
        "a shallow overlap of moving bodies is told as a distance apart",
        "app/words/motion_words.py",
        "{'apart' if separation > 0.0 else 'deep'}",
        "{'apart' if separation > -0.5 else 'deep'}",
    ),
    Fault(
        "of B the question praises the vertex that is least far",
        "app/quiz/about_steps.py",
        "points[0], -direction if body else direction)",
        "points[0], direction)",
    ),
    Fault(
        "the question of contacts calls too few too many",
        "app/quiz/about_answer.py",
        "'few' if subject.number < count else 'many'",
        "'many' if subject.number < count else 'few'",
    ),
    Fault(
        "the question of the axis does not mention ties",
        "app/quiz/about_answer.py",
        "tied = len({int(sat.same_as[k]) for k in right}) - 1",
        "tied = 0",
    ),
    Fault(
        "the question of the leaving point lets only one stay",
        "app/stages/gjk/__init__.py",
        'would be another." for k in weights}',
        'would be another." for k in list(weights)[:1]}',
    ),
    Fault(
        "`check` prints B's witness for A",
        "app/words/quantities.py",
        "lambda found: found.witness_a,",
        "lambda found: found.witness_b,",
    ),
    Fault(
        "a rotation stands in radians in the fields of degrees",
        "app/panels/body_fields.py",
        "tuple(degrees(angle) + 0.0 for angle",
        "tuple(angle + 0.0 for angle",
    ),
    Fault(
        "the verdict on a motion that hits has the colour of a gap",
        "app/panels/motion_bar.py",
        "MotionOutcome.HIT: Verdict.OVERLAPPING,",
        "MotionOutcome.HIT: Verdict.SEPARATED,",
    ),
    Fault(
        "in the chart of bounds a band is only drawn up to the lower one",
        "app/panels/bounds_chart.py",
        "            sides = [lower, upper]",
        "            sides = [lower, lower]",
    ),
    Fault(
        "the table's bars are drawn mirrored",
        "app/panels/axis_row.py",
        "(value - self.low) / self.span, 0.0), 1.0) * width",
        "(self.low + self.span - value) / self.span, 0.0), 1.0) * width",
    ),
    Fault(
        "the leader of a label that was moved starts at another label's anchor",
        "app/draw/layout/labels.py",
        "leaders_of(placed, some.anchors[kept], ends, density)",
        "leaders_of(placed, some.anchors[kept[::-1]], ends, density)",
    ),
    Fault(
        "one unit between moving bodies is told as “1 units”",
        "app/words/motion_words.py",
        "{'unit' if plain(abs(value)) == '1' else 'units'}",
        "{'unit' if plain(value) == '1' else 'units'}",
    ),
    Fault(
        "`check --json` tells the depth of a contact without its sign",
        "app/cli/answer_parts.py",
        "depth=float(contact.depth) + 0.0,",
        "depth=abs(float(contact.depth)),",
    ),
    Fault(
        "under the pointer the bounds of an iteration are swapped",
        "app/panels/bounds_chart.py",
        "{least} ≤ {self.what} ≤ {most}",
        "{most} ≤ {self.what} ≤ {least}",
    ),
    Fault(
        "the picture of a pasted pair shows the faces at the back",
        "app/panels/paste_pair.py",
        "(x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) < 0.0",
        "(x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) > 0.0",
    ),
    Fault(
        "on the timeline the axis that proves moving bodies apart is called the first gap as well",
        "app/stages/motion/axes.py",
        '_APART = TimelineFlag("apart",',
        '_APART = TimelineFlag("first gap",',
    ),
    Fault(
        "the timeline marks every axis from the one that proves moving bodies apart, not that one alone",
        "app/stages/motion/axes.py",
        "if at.step.separated and not (at.before and at.before.separated) else None",
        "if at.step.separated else None",
    ),
    Fault(
        "a click through both bodies picks the one behind",
        "app/probes/ray.py",
        "return min(met)[1] if met else None",
        "return max(met)[1] if met else None",
    ),
)
