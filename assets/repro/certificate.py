"""Does a certificate refute an engine's answer? With numpy alone: `python certificate.py FINDING.json`.

A finding has a `scene`, the engine's `answer`, a `tolerance` (scene units) and the `certificate`. Every number of the
certificate is computed again; `refutes` is true if all are right and the answer is off by more than the tolerance.
"""

import json
import sys

import numpy as np

norm = np.linalg.norm
WAYS = np.vstack((np.eye(3), -np.eye(3)))
REACH_AND_INSIDE = {  # of each shape: how far it reaches along a unit d; the radius of a ball about x that it holds
    "box": (lambda s, d: abs(d) @ s["size"] / 2, lambda s, x: min(np.divide(s["size"], 2) - abs(x))),
    "sphere": (lambda s, d: s["radius"], lambda s, x: s["radius"] - norm(x)),
    "capsule": (
        lambda s, d: s["radius"] + abs(d[1]) * s["length"] / 2,
        lambda s, x: s["radius"] - np.hypot(np.hypot(x[0], x[2]), max(abs(x[1]) - s["length"] / 2, 0)),
    ),
    "cylinder": (
        lambda s, d: s["radius"] * np.hypot(d[0], d[2]) + abs(d[1]) * s["height"] / 2,
        lambda s, x: min(s["radius"] - np.hypot(x[0], x[2]), s["height"] / 2 - abs(x[1])),
    ),
    "cone": (
        lambda s, d: max(d[1] * s["height"] / 2, s["radius"] * np.hypot(d[0], d[2]) - d[1] * s["height"] / 2),
        lambda s, x: min(
            x[1] + s["height"] / 2,
            (s["radius"] * (s["height"] / 2 - x[1]) - s["height"] * np.hypot(x[0], x[2]))
            / np.hypot(s["radius"], s["height"]),
        ),
    ),
    "ellipsoid": (lambda s, d: norm(s["radii"] * d), lambda s, x: (1 - norm(x / s["radii"])) * min(s["radii"])),
    "halfspace": (
        lambda s, d: s["offset"] / norm(s["normal"]) if norm(d - s["normal"] / norm(s["normal"])) < 1e-9 else np.inf,
        lambda s, x: (s["offset"] - x @ s["normal"]) / norm(s["normal"]),
    ),
    "hull": (lambda s, d: max(points(s) @ d), lambda s, x: -min(norm(points(s) - x, axis=1))),
}
REACH_AND_INSIDE |= {"circle": REACH_AND_INSIDE["sphere"], "polygon": REACH_AND_INSIDE["hull"]}


def points(shape):
    rows = np.array(shape["points"])
    return np.pad(rows, ((0, 0), (0, 3 - rows.shape[1])))


def pose(body):  # the axes as columns, and the position
    turn = np.ravel(body.get("rotation", (1, 0, 0, 0)))
    turn = np.array((np.cos(turn[0] / 2), 0, 0, np.sin(turn[0] / 2))) if len(turn) == 1 else turn / norm(turn)
    w, v, at = turn[0], turn[1:], np.array((*body["position"], 0.0)[:3])
    return (2 * w * w - 1) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * np.cross(v, np.eye(3)).T, at


def reach(body, n):
    (axes, at), shape = pose(body), body["shape"]
    return n @ at + REACH_AND_INSIDE[shape["type"]][0](shape, n @ axes) + shape.get("border_radius", 0)


def inside(
    shape, x, weights=None
):  # in the body's frame; weights: of a hull's points, rows for x or for points about it
    border = shape.get("border_radius", 0)
    if weights is None:
        sharp = REACH_AND_INSIDE[shape["type"]][1](shape, x)
        return sharp + border if sharp >= -1e-9 * border else sharp
    rows = np.array(weights)
    made = rows @ points(shape)
    if (rows < 0).any() or (abs(rows.sum(axis=1) - 1) > 1e-9).any():
        return -np.inf
    if len(rows) == 1:
        return border - norm(made[0] - x)
    size, ways = norm(made[0] - x), WAYS if len(rows) == 6 else np.delete(WAYS, (2, 5), axis=0)
    exact = norm(made - x - size * ways) <= 1e-9 * norm(points(shape))
    return border + size / np.sqrt(len(rows) / 2) if exact else -np.inf


def refutes(finding):
    a, b, said, c, t = (*map(finding["scene"].get, "ab"), *map(finding.get, ("answer", "certificate", "tolerance")))
    d, kind = said["separation"], c["kind"]

    def near(x, y):
        return bool((abs(np.subtract(x, y)) <= 0.01 * t).all())

    if "max_of_a" in c:
        n = np.array(c["normal"])
        high, low = reach(a, n), -reach(b, -n)
        right = abs(n @ n - 1) < 1e-9 and near(high, c["max_of_a"]) and near(low, c["min_of_b"])
        if kind == "separating plane":
            return right and low - high > t and (d is None or d < -t)
        if kind == "normal by support values":
            return right and norm(n - said["normal"] / norm(said["normal"])) < 1e-9 and low - high < d - t
        return right and low - high > d + t  # a shorter way out, or a wider gap
    if "in_a" in c:
        on_a, on_b, move = map(np.array, (c["on_a"], c["on_b"], c["move"]))
        (axes_a, at_a), (axes_b, at_b) = pose(a), pose(b)
        in_a, in_b = (on_a - at_a) @ axes_a, (on_b - move - at_b) @ axes_b
        r_a, r_b = inside(a["shape"], in_a, c["weights_a"]), inside(b["shape"], in_b, c["weights_b"])
        right = near((*in_a, *in_b, r_a, r_b), (*c["in_a"], *c["in_b"], c["inside_a"], c["inside_b"]))
        right = right and min(r_a, r_b) >= -0.01 * t
        if kind == "nearer points":
            return right and near(move, 0) and norm(on_b - on_a) - r_a - r_b < d - t
        if kind == "normal by points":  # along its normal they are nearer than it says
            n = np.divide(said["normal"], norm(said["normal"]))
            return right and near(move, 0) and n @ (on_b - on_a) - r_a - r_b < d - t
        right = right and near(on_a, on_b) and r_a + r_b > t
        if kind == "common point":
            return right and near(move, 0) and (d is None or d > t)
        if said["normal"] is None:  # the engine's own move is from its point of B to that of A
            own = np.subtract(said["on_a"], said["on_b"])
            return right and abs(norm(own) + d) <= t and near(move, own)
        return right and near(move, -d * np.divide(said["normal"], norm(said["normal"])))  # after the engine's own move
    if "faces" in c:
        (axes_a, at_a), (axes_b, at_b) = pose(a), pose(b)
        rows, faces = np.array(c["points"]), np.array(c["faces"])
        made = np.array(c["of_a"]) @ axes_a.T + at_a - np.array(c["of_b"]) @ axes_b.T - at_b
        held = min(inside(body["shape"], x) for body, xs in ((a, c["of_a"]), (b, c["of_b"])) for x in np.array(xs))
        edges = sorted((int(f[k]), int(f[k - 1])) for f in faces for k in range(3))
        closed = edges == sorted((j, i) for i, j in edges) and len(set(edges)) == len(edges)
        normals = np.cross(rows[faces[:, 1]] - rows[faces[:, 0]], rows[faces[:, 2]] - rows[faces[:, 0]])
        if not norm(normals, axis=1).all():
            return False
        normals /= norm(normals, axis=1)[:, None]
        heights = np.einsum("ij,ij->i", normals, rows[faces[:, 0]])
        convex = (rows @ normals.T <= heights + 0.01 * t).all()
        right = near(made, rows) and held >= -0.01 * t and closed and convex and near(min(heights), c["depth"])
        return bool(right and c["depth"] > t - d)
    body, p = finding["scene"][c["body"]], np.array(c["point"])
    right = near(p, said["on_" + c["body"]])
    if kind == "point outside":
        n = np.array(c["normal"])
        right = right and abs(n @ n - 1) < 1e-9 and near((n @ p, reach(body, n)), (c["height"], c["reach"]))
        return right and n @ p - reach(body, n) > t
    axes, at = pose(body)
    r = inside(body["shape"], (p - at) @ axes, c["weights"])
    return right and near((*((p - at) @ axes), r), (*c["within"], c["inside"])) and r > t


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        holds = refutes(json.load(file))
    print("The certificate is right: the answer is wrong." if holds else "The certificate is refused.")
    sys.exit(not holds)
