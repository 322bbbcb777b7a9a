// Vectors, the camera and solids of a turned picture. Points are in the view frame of app/draw/layout.
const {cos, hypot, max, min, sin} = Math;
const NEAR = .01;
const FACING = 5e-4;
const LIGHT = [-.48, .62, .62];
const HALFWAY = [-.267, .344, .9];

// Vectors, planes [x, y, z, offset], columns with one value for all rows, and SVG.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, t = 1) => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
const way = (a, b) => plus(b, a, -1);
const times = (a, t) => [a[0] * t, a[1] * t, a[2] * t];
const unit = a => times(a, 1 / max(hypot(...a), 1e-300));
const height = (plane, point) => dot(plane, point) + plane[3];
const within = (value, low, high) => min(max(value, low), high);
const each = (column, row) => column?.[row] ?? column;
const path = (points, end = 'Z') => 'M' + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L') + end;
const hides = (solid, point) => solid.planes.every(plane => height(plane, point) <= 0);

function joined(drawn) { // pairs of a look and SVG, with the SVG of one look in one
  const looks = new Map();
  for (const [look, svg] of drawn) looks.set(look, (looks.get(look) ?? '') + svg);
  return [...looks];
}

function lens(view, [yaw, pitch]) {
  const [y, p] = [view.angles[0] + yaw, view.angles[1] + pitch];
  const right = [cos(y), 0, -sin(y)];
  const up = [-sin(y) * sin(p), cos(p), -cos(y) * sin(p)];
  const axes = [right, up, cross(right, up)];
  const turned = v => axes.map(axis => dot(axis, v));
  const away = v => 1 - view.perspective * v[2];
  const flat = v => times(v, 1 / max(away(v), NEAR));
  const middle = [view.width / 2, view.height / 2, 0];
  const at = {
    ...view, middle, zoom: 1, turned, away, flat,
    point: v => times(turned(v), view.scale),
    eye: v => [-view.perspective * v[0], -view.perspective * v[1], away(v)],
    near: v => away(v) < NEAR,
    screen: v => {
      const [x, y] = times(flat(v), view.focal * at.zoom);
      return [middle[0] + x, middle[1] - y, 0];
    },
  };
  return at;
}

function clip(planes, a, b) { // the stretch of a line, from 0 to 1, that lies behind all planes
  let [from, to] = [0, 1];
  for (const plane of planes) {
    const [start, end] = [height(plane, a), height(plane, b)];
    if (start > 0 && end > 0) return [1, 0];
    if (start > 0) from = max(from, start / (start - end));
    else if (end > 0) to = min(to, start / (start - end));
  }
  return [from, to];
}

function solidOf(part, at, number) { // planes: those of the faces that are seen, and through the eye and the rim
  const points = part.points.map(at.point);
  const solid = {...part, points, number, near: max(...points.map(v => v[2])), front: [], back: [], planes: [], rim: []};
  const unseen = new Set();
  for (const [k, loop] of (points.some(at.near) ? [] : part.faces).entries()) {
    const corners = loop.map(corner => points[corner]);
    const sides = loop.map((corner, i) => [loop.at(i - 1), corner]);
    let normal = unit(corners.reduce((sum, corner, i) => plus(sum, cross(corners.at(i - 1), corner)), [0, 0, 0]));
    const facing = dot(normal, at.eye(corners[0]));
    if (part.sheet && facing < 0) normal = times(normal, -1);
    const seen = part.sheet || facing > FACING;
    const plane = [...normal, -dot(normal, corners[0])];
    const face = {...solid, corners, normal, plane, colour: each(part.colours, k), hatches: seen && part.hatches?.[k]};
    (seen && !part.glass ? solid.front : solid.back).push(face);
    if (seen) solid.rim.push(...sides);
    else sides.forEach(([a, b]) => unseen.add(`${b} ${a}`));
  }
  solid.rim = solid.rim.filter(side => unseen.has(side.join(' '))).map(side => side.map(corner => points[corner]));
  if (part.glass || part.sheet || !solid.front.length) return {...solid, planes: [[0, 0, 0, 1]]};
  const edges = solid.rim.map(([a, b]) => {
    const [x, y] = way(at.flat(a), at.flat(b));
    const normal = unit([y, -x, at.perspective * (y * at.flat(a)[0] - x * at.flat(a)[1])]);
    return [...normal, -dot(normal, a)];
  });
  solid.planes = [...solid.front.map(face => face.plane), ...edges].map(([x, y, z, w]) => [x, y, z, w + 2 * at.scale]);
  return solid;
}

function ink({normal, colour}, round) { // colour and opacity, as in shaders/solids
  const [, alpha, base] = colours[colour];
  const inside = normal[2] < 0;
  const n = times(normal, inside ? -1 : 1);
  const light = .6 + .38 * max(dot(n, LIGHT), 0) + .14 * (.5 + .5 * n[1]);
  const dim = min(light, 1);
  const gleam = .16 * max(dot(n, HALFWAY), 0) ** 24 + light - dim;
  const rim = round ? 1 / 6 : (1 - n[2]) ** 2;
  const shaded = base.map(v => .4 * v * dim + .6 * v ** (1 / dim));
  const lit = shaded.map(v => Math.round(255 * min((v + (1 - v) * gleam) * (inside ? .9 : 1), 1)));
  const opacity = alpha > 1e-6 ? (alpha + (1 - alpha) * .22 * rim) * (inside ? .6 : 1) : 0;
  return [`rgb(${lit.join(' ')})`, opacity.toFixed(3)];
}

function painted(faces, at, round) { // faces of one opacity in one group, so that no seams show
  const drawn = faces.map(face => [...ink(face, round), path(face.corners.map(at.screen)), face.hatches || []]);
  const look = colour => `fill="${colour}"` + (round ? ` stroke="${colour}" stroke-width="${at.density}"` : '');
  const layer = opacity => joined(drawn.filter(face => face[1] === opacity).map(([colour, , d]) => [look(colour), d]));
  const svg = opacity => layer(opacity).map(([fill, d]) => `<path ${fill} d="${d}"/>`).join('');
  const layers = [...new Set(drawn.map(face => face[1]))].map(opacity => `<g opacity="${opacity}">${svg(opacity)}</g>`);
  const hatched = drawn.flatMap(([, , d, names]) => names.map(name => `<path fill="url(#${name})" d="${d}"/>`));
  return [...layers, ...hatched].join('');
}

function faces(solids, at) { // a face comes after those of other solids that lie behind its plane
  const behind = (f, g) => g.plane && f.corners.every(v => height(g.plane, v) <= 2 * at.scale)
    || f.plane && g.corners.every(v => height(f.plane, v) >= -2 * at.scale);
  const first = (f, g) => behind(f, g) !== behind(g, f) ? behind(f, g) : f.near < g.near;
  const far = solid => min(...solid.points.map(v => v[2]));
  const whole = solid => ({...solid, corners: solid.points, round: solid.front});
  const items = solids.flatMap(solid => solid.width && solid.front.length ? [whole(solid)] : solid.front);
  const order = new Set();
  const seen = new Set();
  const visit = item => {
    if (seen.has(item)) return;
    seen.add(item);
    items.filter(other => other.number !== item.number && first(other, item)).forEach(visit);
    order.add(item);
  };
  items.sort((f, g) => f.near - g.near).forEach(visit);
  const backs = solids.filter(solid => !solid.opaque).sort((a, b) => far(a) - far(b));
  const drawn = [...order].map(item => [item.sheet, painted(item.round ?? [item], at, item.round)]);
  const once = drawn.map(([sheet, svg]) => sheet ? '' : svg);
  return [...backs.map(solid => painted(solid.back, at, solid.width)), ...once, ...drawn.map(([, svg]) => svg)].join('');
}
