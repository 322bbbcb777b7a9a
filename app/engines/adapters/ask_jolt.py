"""Adapter of Jolt through culverin: contact events of one short step, in doubles but for the points of hulls.

Contacts have no depth; shapes have a convex radius of 0.05.
"""

from importlib.metadata import version

from protocol_loop import QuestionBody, answer, pairs_of, serve

import culverin
import numpy as np

KINDS = ("box", "sphere", "capsule", "cylinder", "hull")
STEP = 1e-6


def add(world, body: QuestionBody):
    """Adds the body to the world: half sizes, shapes of revolution along y."""
    sizes = body.shape
    w, x, y, z = body.rotation
    place, turn = tuple(body.position), (x, y, z, w)
    match body.kind:
        case "box":
            size, shape = tuple(0.5 * x for x in sizes["size"]), culverin.SHAPE_BOX
        case "sphere":
            size, shape = sizes["radius"], culverin.SHAPE_SPHERE
        case "capsule":
            size, shape = (0.5 * sizes["length"], sizes["radius"]), culverin.SHAPE_CAPSULE
        case "cylinder":
            size, shape = (0.5 * sizes["height"], sizes["radius"]), culverin.SHAPE_CYLINDER
        case _:
            return world.create_convex_hull(place, turn, np.array(sizes["points"], np.float32).tobytes())
    return world.create_body(pos=place, rot=turn, size=size, shape=shape, motion=culverin.MOTION_DYNAMIC)


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of Jolt about a pair; an event's normal points from its first to its second body."""
    world = culverin.PhysicsWorld(settings={"gravity": (0.0, 0.0, 0.0), "num_threads": 1, "max_bodies": 16})
    first, _second = add(world, a), add(world, b)
    world.step(STEP)
    found = world.get_contact_events_ex()
    if not found:
        return answer(None)
    sign = 1.0 if found[0]["bodies"][0] == first else -1.0
    return answer(None, sign * np.array(found[0]["normal"]), contacts=[(event["position"], None) for event in found])


if __name__ == "__main__":
    serve("culverin", version("culverin"), ask, pairs_of(KINDS), kind="contacts")
