"""Panes made by hand for the renderer's tests and for looking at: two boxes or a sphere, lines, marks and labels."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.draw.draw_list import NO_SUBJECT, Dash, Marker
from app.draw.placed import PlacedLabel, PlacedLines, PlacedMarks, PlacedPane, PlacedTriangles
from app.draw.text import measure
from app.draw.theme import DARK, Theme


def no_triangles() -> PlacedTriangles:
    none = np.zeros(0, dtype=np.int64)
    return PlacedTriangles(
        corners=np.zeros((0, 3, 3)),
        normals=np.zeros((0, 3, 3)),
        rgba=np.zeros((0, 4)),
        front=none,
        sheet=none,
        opaque=none,
        solid_number=none,
        subjects=(),
    )


def lines(start, end, rgba, width=2.0, *, end_rgba=None, dash=Dash.SOLID, phase=0.0, ground_lines=0) -> PlacedLines:
    start, end = np.atleast_2d(np.asarray(start, float)), np.atleast_2d(np.asarray(end, float))
    n = len(start)

    def rows(value):
        return np.broadcast_to(np.asarray(value, float), (n, 4)).copy()

    def column(value, dtype=float):
        return np.broadcast_to(np.asarray(value, dtype=dtype), (n,)).copy()

    return PlacedLines(
        start=start,
        end=end,
        width=column(width),
        start_rgba=rows(rgba),
        end_rgba=rows(rgba if end_rgba is None else end_rgba),
        dash=column(dash, np.int64),
        phase=column(phase),
        subjects=(NO_SUBJECT,) * n,
        ground_lines=ground_lines,
    )


def joined_lines(*parts: PlacedLines) -> PlacedLines:
    def stack(name):
        return np.concatenate([getattr(p, name) for p in parts])

    return PlacedLines(
        start=stack("start"),
        end=stack("end"),
        width=stack("width"),
        start_rgba=stack("start_rgba"),
        end_rgba=stack("end_rgba"),
        dash=stack("dash"),
        phase=stack("phase"),
        subjects=(NO_SUBJECT,) * sum(len(p.width) for p in parts),
        ground_lines=sum(p.ground_lines for p in parts),
    )


def marks(centre, shape, fill, radius=5.0, *, stroke=(0, 0, 0, 0), stroke_width=0.0, angle=0.0) -> PlacedMarks:
    centre = np.atleast_2d(np.asarray(centre, float))
    n = len(centre)
    return PlacedMarks(
        centre=centre,
        radius=np.broadcast_to(float(radius), (n,)).copy(),
        shape=np.broadcast_to(np.asarray(shape, np.int64), (n,)).copy(),
        angle=np.broadcast_to(float(angle), (n,)).copy(),
        fill=np.broadcast_to(np.asarray(fill, float), (n, 4)).copy(),
        stroke=np.broadcast_to(np.asarray(stroke, float), (n, 4)).copy(),
        stroke_width=np.broadcast_to(float(stroke_width), (n,)).copy(),
        subjects=(NO_SUBJECT,) * n,
    )


def label(text, x, y, rgba=(1, 1, 1, 1), size=13.0, bold=False) -> PlacedLabel:
    return PlacedLabel(text, x, y, *measure(text, size, bold), size, rgba, bold, NO_SUBJECT)


def placed(width, height, *, triangles=None, lines_=None, marks_=None, labels=(), halo=(0, 0, 0, 0.85)) -> PlacedPane:
    return PlacedPane(
        width=width,
        height=height,
        triangles=no_triangles() if triangles is None else triangles,
        lines=lines(np.zeros((0, 2)), np.zeros((0, 2)), (0, 0, 0, 0)) if lines_ is None else lines_,
        marks=marks(np.zeros((0, 2)), 0, (0, 0, 0, 0)) if marks_ is None else marks_,
        labels=tuple(labels),
        halo=halo,
        labels_dropped=0,
    )


def triangles(corners, rgba, *, normals=None, front=1, sheet=0, opaque=0, solid=0) -> PlacedTriangles:
    corners = np.asarray(corners, float).reshape(-1, 3, 3)
    m = len(corners)
    if normals is None:
        normals = np.broadcast_to((0.0, 0.0, 1.0), (m, 3, 3)).copy()

    def flag(value):
        return np.broadcast_to(np.asarray(value, np.int64), (m,)).copy()

    return PlacedTriangles(
        corners=corners,
        normals=np.asarray(normals, float),
        rgba=np.broadcast_to(np.asarray(rgba, float), (m, 4)).copy(),
        front=flag(front),
        sheet=flag(sheet),
        opaque=flag(opaque),
        solid_number=flag(solid),
        subjects=(NO_SUBJECT,) * m,
    )


def stacked(*parts: PlacedTriangles) -> PlacedTriangles:
    """Back faces first."""
    rows = ("corners", "normals", "rgba", "front", "sheet", "opaque", "solid_number")
    all_of = {n: np.concatenate([getattr(p, n) for p in parts]) for n in rows}
    order = np.argsort(all_of["front"], kind="stable")
    return PlacedTriangles(**{n: v[order] for n, v in all_of.items()}, subjects=(NO_SUBJECT,) * len(order))


BOX_FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


class Eye:
    """A throw-away perspective camera in pixels."""

    def __init__(self, width, height, yaw=0.6, pitch=0.42, distance=7.0):
        cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
        back = np.array([sy * cp, sp, cy * cp])
        right = np.array([cy, 0, -sy])
        self.axes = np.array([right, np.cross(back, right), back])
        self.width, self.height, self.distance = width, height, distance
        self.focal = height / (2 * np.tan(np.radians(17.5)))

    def see(self, points):
        p = points @ self.axes.T
        depth = self.distance - p[..., 2]
        x = self.width / 2 + self.focal * p[..., 0] / depth
        y = self.height / 2 - self.focal * p[..., 1] / depth
        near, far = 0.5 * self.distance, 2 * self.distance
        z = (far / (far - near)) * (1 - near / depth)
        return np.stack([x, y, z], -1)


def solid(eye, corners, normals, rgba, opaque=0):
    seen = eye.see(corners)
    a, b = seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0]
    front = (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] < 0).astype(np.int64)
    return triangles(seen, rgba, normals=normals @ eye.axes.T, front=front, opaque=opaque)


def box_corners(size, centre, turn):
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    return (signs * np.asarray(size) / 2) @ turn.T + centre


def box(eye, size, centre, turn, rgba):
    """Triangles, and the 12 edges (12, 2, 3) in the world."""
    c = box_corners(size, centre, turn)
    # Counter-clockwise seen from outside.
    quads = c[BOX_FACES]
    corners = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    n = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    n /= np.sqrt((n * n).sum(-1, keepdims=True))
    edges = np.array([(c[i], c[i | bit]) for i in range(8) for bit in (1, 2, 4) if not i & bit])
    return solid(eye, corners, np.repeat(n[:, None], 3, axis=1), rgba), edges


def ball(eye, radius, centre, rgba, rings=20):
    t, p = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings + 1), indexing="ij")
    n = np.stack([np.sin(t) * np.sin(p), np.cos(t), np.sin(t) * np.cos(p)], -1)
    q = [n[:-1, :-1], n[1:, :-1], n[1:, 1:], n[:-1, 1:]]
    normals = np.concatenate([np.stack([q[0], q[1], q[2]], 2), np.stack([q[0], q[2], q[3]], 2)]).reshape(-1, 3, 3)
    return solid(eye, normals * radius + centre, normals, rgba)


def turn(axis, angle):
    x, y, z = np.asarray(axis) / np.sqrt(np.dot(axis, axis))
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def show_piece(width, height, theme: Theme = DARK, density=1.0, round_b=False, yaw=0.6) -> PlacedPane:
    """A pane as the program's first screen has it: two bodies, a grid, edges, bars, an arrow, marks and labels."""
    eye = Eye(width, height, yaw)
    alpha = theme.face_alpha

    def faded(rgba, a=1.0):
        return (*rgba[:3], rgba[3] * a)

    g = np.linspace(-4, 4, 17)
    grid = np.array([((a, -1.2, -4), (a, -1.2, 4)) for a in g] + [((-4, -1.2, a), (4, -1.2, a)) for a in g])
    grid_seen = eye.see(grid)[..., :2]
    ground = lines(grid_seen[:, 0], grid_seen[:, 1], theme.grid, density, ground_lines=len(grid))
    one, edges_a = box(eye, (2, 1.2, 1.4), (-0.7, 0, 0), turn((0.2, 1, 0.1), 0.5), faded(theme.body_a, alpha))
    if round_b:
        two, edges_b = ball(eye, 0.9, (0.9, 0.2, 0.3), faded(theme.body_b, alpha)), np.zeros((0, 2, 3))
    else:
        two, edges_b = box(eye, (1.3, 1.3, 1.3), (0.9, 0.25, 0.3), turn((1, 0.5, 0.3), 0.8), faded(theme.body_b, alpha))
    sheet_seen = eye.see(np.array([[0.15, -1, -1.2], [0.15, -1, 1.2], [0.3, 1.2, 1.2], [0.3, 1.2, -1.2]]))
    sheet = triangles([sheet_seen[[0, 1, 2]], sheet_seen[[0, 2, 3]]], faded(theme.winner, 0.16), sheet=1)
    parts = [ground]
    for edges, rgba in ((edges_a, theme.edge_a), (edges_b, theme.edge_b)):
        if len(edges):
            e = eye.see(edges)[..., :2]
            parts.append(lines(e[:, 0], e[:, 1], faded(rgba, 0.9), 1.5 * density))
    d = density
    y = height - 90 * d
    bars = [((120 * d, y), (360 * d, y), theme.edge_a), ((310 * d, y + 12 * d), (520 * d, y + 12 * d), theme.edge_b)]
    for start, end, rgba in bars:
        parts.append(lines(start, end, rgba, 5 * d))
    parts.append(lines((80 * d, y + 24 * d), (560 * d, y + 24 * d), faded(theme.text, 0.4), d))
    feet = np.array([(x * d, y) for x in (120, 360, 310, 520)])
    parts.append(lines(feet, feet + np.array((20 * d, -240 * d)), faded(theme.dim_text, 0.8), d, dash=Dash.DOTTED))
    parts.append(lines((310 * d, y + 30 * d), (360 * d, y + 30 * d), theme.overlap, 3 * d))
    for i, dash in enumerate(Dash):
        parts.append(
            lines((20 * d, (90 + 14 * i) * d), (180 * d, (90 + 14 * i) * d), theme.family_edges, (1 + i) * d, dash=dash)
        )
    circle = np.stack([np.cos(np.linspace(0, 2 * np.pi, 49)), np.sin(np.linspace(0, 2 * np.pi, 49))], -1) * 40 * d
    circle += (width - 70 * d, 70 * d)
    parts.append(lines(circle[:-1], circle[1:], theme.family_a, 3 * d))
    mids = np.array([[width - 200 * d + 26 * d * i, 150 * d] for i in range(len(Marker))])
    dots = [marks(mids, list(Marker), theme.winner, 6 * d, stroke=theme.halo, stroke_width=1.5 * d)]
    dots.append(
        marks(mids + np.array((0, 30 * d)), list(Marker), (0, 0, 0, 0), 7 * d, stroke=theme.edge_b, stroke_width=2 * d)
    )
    dots.append(
        marks(eye.see(edges_a[:4, 0])[:, :2], Marker.DISC, theme.edge_a, 4 * d, stroke=theme.halo, stroke_width=1.5 * d)
    )
    all_marks = PlacedMarks(
        *(np.concatenate([getattr(m, n) for m in dots]) for n in PlacedMarks.__struct_fields__ if n != "subjects"),
        subjects=(NO_SUBJECT,) * sum(len(m.radius) for m in dots),
    )
    texts = [
        label("A", width * 0.33, height * 0.42, theme.edge_a, 18 * d, True),
        label("B", width * 0.68, height * 0.40, theme.edge_b, 18 * d, True),
        label("A.y×B.z", 130 * d, y - 24 * d, theme.text, 13 * d),
        label("depth 0.2347", 372 * d, y + 22 * d, theme.overlap, 13 * d, True),
        label("−0.2347 → 1.1111 ∥ ⟂ ≤ ± µ ε Δ ✓", 20 * d, 20 * d, theme.text, 13 * d),
        label("World", 20 * d, 44 * d, theme.dim_text, 15 * d),
    ]
    placed_ = placed(
        width,
        height,
        triangles=stacked(one, two, sheet),
        lines_=joined_lines(*parts),
        marks_=all_marks,
        labels=texts,
        halo=theme.halo,
    )
    return replace(placed_, labels_dropped=0)
