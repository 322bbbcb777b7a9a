// Vectors, the camera and solids of a turned picture. Points are in the view frame of app/draw/layout.
const {cos, hypot, max, min, sin} = Math;
const PART_OF_PIXEL = .1;
const DIRECTION = 1e4;
const NEAR = .01;
const FACING = 5e-4;
const DOWN = [.208, -.978, 0];
const LIGHT = [-.48, .62, .62];
const HALFWAY = [-.267, .344, .9];
const DASHES = [[], [4, 3], [.01, 2.99], [6, 2.5, 1, 2.5]];

// Vectors, planes [x, y, z, offset], columns with one value for all rows, and SVG.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, t = 1) => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
const way = (a, b) => plus(b, a, -1);
const times = (a, t) => [a[0] * t, a[1] * t, a[2] * t];
const unit = a => times(a, 1 / max(hypot(...a), 1e-300));
const along = (a, b) => dot(a, b) < -1e-6 ? times(a, -1) : a;
const height = (plane, point) => dot(plane, point) + plane[3];
const within = (value, low, high) => min(max(value, low), high);
const each = (column, row) => column?.[row] ?? column;
const rows = numbers => [...Array(numbers.length / 3).keys()];
const path = (points, end = 'Z') => 'M' + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L') + end;
const hides = (solid, point) => solid.planes.every(plane => height(plane, point) <= 0);

function lens(view, [yaw, pitch], zoom) {
  const {perspective, width, height} = view;
  const scale = PART_OF_PIXEL / view.focal;
  const focal = view.focal * zoom;
  const y = view.angles[0] + yaw;
  const p = view.angles[1] + pitch;
  let axes = [
    [cos(y), 0, -sin(y)],
    [-sin(y) * sin(p), cos(p), -cos(y) * sin(p)],
    [sin(y) * cos(p), sin(p), cos(y) * cos(p)],
  ];
  if (view.z_up) axes = axes.map(([a, b, c]) => [a, -c, b]);
  const read = by => (list, row = 0) => axes.map(axis => dot(axis, list.slice(3 * row, 3 * row + 3)) * by);
  const away = v => 1 - perspective * v[2];
  const flat = v => times(v, 1 / max(away(v), NEAR));
  return {
    ...view, scale, away, flat,
    size: [width, height, 0],
    point: read(scale),
    direction: read(1 / DIRECTION),
    eye: v => [-perspective * v[0], -perspective * v[1], away(v)],
    near: v => away(v) < NEAR,
    screen: v => plus([width / 2, height / 2, 0], [flat(v)[0], -flat(v)[1], 0], focal),
  };
}

function clip(planes, a, b) { // the stretch of a line, from 0 to 1, that lies behind all planes
  let from = 0;
  let to = 1;
  for (const plane of planes) {
    const start = height(plane, a);
    const fall = start - height(plane, b);
    if (fall > 0) from = max(from, start / fall);
    else if (fall < 0) to = min(to, start / fall);
    else if (start > 0) return [1, 0];
  }
  return [from, to];
}

function solidOf(part, at, number) { // planes: those of the faces that are seen, and through the eye and the rim
  const points = rows(part.points).map(row => at.point(part.points, row));
  const near = max(...points.map(v => v[2]));
  const edges = new Set();
  const solid = {...part, points, number, near, front: [], back: [], planes: [], rim: []};
  (points.some(at.near) ? [] : part.faces).forEach((loop, k) => {
    const corners = loop.map(corner => points[corner]);
    const sides = loop.map((a, i) => [a, loop[(i + 1) % loop.length]]);
    let normal = unit(sides.map(([a, b]) => cross(points[a], points[b])).reduce((sum, area) => plus(sum, area)));
    const faces = dot(normal, at.eye(corners[0]));
    if (part.sheet && faces < 0) normal = times(normal, -1);
    const seen = part.sheet || faces > FACING;
    const plane = [...normal, -dot(normal, corners[0])];
    const hatches = seen && part.hatches?.[k];
    const face = {corners, normal, plane, colour: each(part.colours, k), number, near, sheet: part.sheet, hatches};
    (seen && !part.glass ? solid.front : solid.back).push(face);
    if (seen) {
      solid.planes.push([...normal, plane[3] + 2 * at.scale]);
      solid.rim.push(...sides);
    } else sides.forEach(([a, b]) => edges.add(`${b} ${a}`));
  });
  solid.rim = solid.rim.filter(([a, b]) => edges.has(`${a} ${b}`));
  for (const [a, b] of solid.rim) {
    const start = at.flat(points[a]);
    const [x, y] = way(start, at.flat(points[b]));
    const normal = unit([y, -x, at.perspective * (y * start[0] - x * start[1])]);
    solid.planes.push([...normal, 2 * at.scale - dot(normal, points[a])]);
  }
  if (part.glass || part.sheet || !solid.front.length) solid.planes = [[0, 0, 0, 1]];
  return solid;
}

function ink(face, round) { // colour and opacity, as in shaders/solids
  const [, alpha, base] = colours[face.colour];
  const inside = face.normal[2] < 0;
  const normal = inside ? times(face.normal, -1) : face.normal;
  const light = .6 + .38 * max(dot(normal, LIGHT), 0) + .14 * (.5 + .5 * normal[1]);
  const dim = min(light, 1);
  const gleam = .16 * max(dot(normal, HALFWAY), 0) ** 24 + max(light - 1, 0);
  const rim = round ? 1 / 6 : (1 - normal[2]) ** 2;
  const shaded = base.map(v => v * dim + .6 * (v ** (1 / dim) - v * dim));
  const lit = shaded.map(v => (v + (1 - v) * gleam) * (inside ? .9 : 1));
  const rgb = lit.map(v => Math.round(255 * within(v, 0, 1))).join(' ');
  const opacity = alpha > 1e-6 ? (alpha + (1 - alpha) * .22 * rim) * (inside ? .6 : 1) : 0;
  return [`rgb(${rgb})`, opacity.toFixed(3)];
}

function painted(faces, at, round) { // faces of one opacity in one group, so that no seams show
  const layers = {};
  let hatched = '';
  for (const face of faces) {
    const [colour, opacity] = ink(face, round);
    const fill = `fill="${colour}"` + (round ? ` stroke="${colour}" stroke-width="${at.density}"` : '');
    const outline = path(face.corners.map(at.screen));
    const fills = layers[opacity] ??= {};
    fills[fill] = (fills[fill] ?? '') + outline;
    for (const name of face.hatches || []) hatched += `<path fill="url(#${name})" d="${outline}"/>`;
  }
  const all = fills => Object.entries(fills).map(([fill, outline]) => `<path ${fill} d="${outline}"/>`).join('');
  const groups = Object.entries(layers).map(([opacity, fills]) => `<g opacity="${opacity}">${all(fills)}</g>`);
  return groups.join('') + hatched;
}

function faces(solids, at) { // a face comes after those of other solids that lie behind its plane
  const behind = (f, g) => g.plane && f.corners.every(v => height(g.plane, v) <= 2 * at.scale)
    || f.plane && g.corners.every(v => height(f.plane, v) >= -2 * at.scale);
  const first = (f, g) => behind(f, g) !== behind(g, f) ? behind(f, g) : f.near < g.near;
  const far = solid => min(...solid.points.map(v => v[2]));
  const whole = solid => ({...solid, corners: solid.points, round: solid.front});
  const items = solids.flatMap(solid => solid.width && solid.front.length ? [whole(solid)] : solid.front);
  const done = new Set();
  const found = [];
  const visit = item => {
    done.add(item);
    for (const other of items) if (other.number !== item.number && !done.has(other) && first(other, item)) visit(other);
    found.push([item.sheet, painted(item.round ?? [item], at, item.round)]);
  };
  items.sort((f, g) => f.near - g.near).forEach(item => done.has(item) || visit(item));
  const backs = solids.filter(solid => !solid.opaque).sort((a, b) => far(a) - far(b));
  const once = found.map(([sheet, drawn]) => sheet ? '' : drawn);
  const behindAll = backs.map(solid => painted(solid.back, at, solid.width));
  return [...behindAll, ...once, ...found.map(([, drawn]) => drawn)].join('');
}
