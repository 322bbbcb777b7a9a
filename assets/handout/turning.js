// Turns a handout's pictures: app/export/turning.py packs their draw lists; names and rules are those of app/draw/layout.
(async () => {
if (!window.DecompressionStream) return;
const PART = .1, UNIT = 1e4, NEAR = .01, SPEED = .4 * Math.PI / 180, KEY_STEP = 5 * Math.PI / 180, LIMIT = 89.9 * Math.PI / 180;
const DASHES = [[], [4, 3], [.01, 2.99], [6, 2.5, 1, 2.5]], LIGHT = [-.48, .62, .62], HALFWAY = [-.267, .344, .9];
const bytes = Uint8Array.from(atob('{data}'), letter => letter.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
const [parts, colours, pieces, letters, shown] = await new Response(unpacked).json();

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, t = 1) => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
const times = (a, t) => [a[0] * t, a[1] * t, a[2] * t];
const unit = a => times(a, 1 / Math.max(Math.hypot(...a), 1e-300));
const height = (plane, point) => dot(plane, point) + plane[3];
const each = (column, row) => Array.isArray(column) ? column[row] : column;
const within = (value, low, high) => Math.min(Math.max(value, low), high);
const rgba = number => [1, 3, 5].map(at => parseInt(colours[number].slice(at, at + 2), 16) / 255).concat(+colours[number].slice(7));
const hex = rgb => '#' + rgb.slice(0, 3).map(part => Math.round(255 * within(part, 0, 1)).toString(16).padStart(2, '0')).join('');
const path = (points, end = 'Z') => 'M' + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L') + end;

function lens(view, [yaw, pitch]) {
  const p = view.p, s = PART / view.f, up = view.a[1];
  const [y, t] = [view.a[0] + yaw, within(up + pitch, Math.min(-LIMIT, up), Math.max(LIMIT, up))];
  const [cy, sy, cp, sp] = [Math.cos(y), Math.sin(y), Math.cos(t), Math.sin(t)];
  let rows = [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
  if (view.z) rows = rows.map(row => [row[0], -row[2], row[1]]);
  const read = (list, row, by) => rows.map(axis => dot(axis, list.slice(3 * row, 3 * row + 3)) * by);
  return {...view, s, point: (list, row = 0) => read(list, row, s), way: (list, row = 0) => read(list, row, 1 / UNIT),
    flat: v => [v[0] / Math.max(1 - p * v[2], NEAR), v[1] / Math.max(1 - p * v[2], NEAR)],
    screen(v) {const [x, y] = this.flat(v); return [view.w / 2 + x * view.f, view.h / 2 - y * view.f]},
    eye: v => [-p * v[0], -p * v[1], 1 - p * v[2]]};
}

function clip(planes, a, b) {
  let from = 0, to = 1;
  for (const plane of planes) {
    const at = height(plane, a), fall = at - height(plane, b);
    if (fall > 0) from = Math.max(from, at / fall);
    else if (fall < 0) to = Math.min(to, at / fall);
    else if (at > 0) return [1, 0];
    if (from >= to) return [1, 0];
  }
  return [from, to];
}

function hull(flat) {
  const order = [...flat.keys()].sort((a, b) => flat[a][0] - flat[b][0] || flat[a][1] - flat[b][1]);
  const left = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
  const half = numbers => {
    const found = [];
    for (const k of numbers) {
      while (found.length > 1 && !left(flat[found.at(-2)], flat[found.at(-1)], flat[k])) found.pop();
      found.push(k);
    }
    return found.slice(0, -1);
  };
  return [...half(order), ...half(order.reverse())];
}

function ball([x, y, z, radius], at) {
  const centre = at.point([x, y, z]), eye = at.eye(centre), towards = unit(eye), r = radius * at.s, points = [], faces = [];
  const rim = Math.acos(Math.min(at.p * r / Math.hypot(...eye), 1)), right = unit(cross([0, 1, 0], towards)), N = 48;
  const angles = [...Array(11).keys()].map(k => rim * k / 10).concat([1, 2, 3, 4].map(k => rim + (Math.PI - rim) * k / 4));
  for (const angle of angles) for (let k = 0; k < N; k++) {
    const turn = 2 * Math.PI * k / N, ring = plus(times(right, Math.cos(turn)), cross(towards, right), Math.sin(turn));
    points.push(plus(centre, plus(times(towards, Math.cos(angle)), ring, Math.sin(angle)), r));
  }
  for (let k = 0; k < N * (angles.length - 1); k++) {
    const next = k % N < N - 1 ? k + 1 : k + 1 - N;
    faces.push([k, k + N, next + N, next]);
  }
  return [points, faces];
}

function shade(number, n) {
  const inside = n[2] < 0, m = inside ? times(n, -1) : n, [r, g, b, own] = rgba(number), base = [r, g, b];
  const light = .6 + .38 * Math.max(dot(m, LIGHT), 0) + .14 * (.5 + .5 * m[1]), dim = Math.min(light, 1);
  const gleam = .16 * Math.max(dot(m, HALFWAY), 0) ** 24 + Math.max(light - 1, 0);
  const lit = base.map(c => c * dim + .6 * (c ** (1 / dim) - c * dim)).map(c => (c + (1 - c) * gleam) * (inside ? .9 : 1));
  return [hex(lit), (own + (1 - own) * .22 * (1 - m[2]) ** 2) * (own >= 1e-6) * (inside ? .6 : 1), own * (inside ? .6 : 1)];
}

function solidOf(part, at, of) {
  const [points, loops] = part.b ? ball(part.b, at) : [part.v.slice(0, part.v.length / 3).map((_, k) => at.point(part.v, k)), part.f];
  const found = {part, points, of, front: [], back: [], planes: [], rim: []};
  if (points.some(v => 1 - at.p * v[2] < NEAR)) return found;
  loops.forEach((loop, k) => {
    const corners = loop.map(number => points[number]);
    const n = unit(corners.reduce((sum, c, i) => plus(sum, cross(c, corners[(i + 1) % corners.length])), [0, 0, 0]));
    const plane = [...n, -dot(n, corners[0])], seen = dot(n, at.eye(corners[0])) > 5e-4;
    (seen && !part.g ? found.front : found.back).push({corners, n, plane, of, c: each(part.c, k)});
    if (seen) found.planes.push(plane);
  });
  const flat = points.map(at.flat);
  found.rim = hull(flat);
  found.rim.forEach((a, k) => {
    const b = found.rim[(k + 1) % found.rim.length], [x, y] = [flat[b][0] - flat[a][0], flat[b][1] - flat[a][1]];
    const n = unit([y, -x, at.p * (y * flat[a][0] - x * flat[a][1])]);
    found.planes.push([...n, -dot(n, points[a])]);
  });
  found.planes.forEach(plane => {plane[3] += 2 * at.s});
  if (!found.planes.length || part.g) found.planes = [[0, 0, 0, 1]];
  return found;
}

function painted(faces, at, round) {
  if (!round) return faces.map(({corners, n, c}) => {
    const [fill, alpha] = shade(c, n);
    return `<path d="${path(corners.map(v => at.screen(v)))}" fill="${fill}" fill-opacity="${alpha.toFixed(3)}"/>`;
  });
  const bands = new Map();
  let alpha = 1;
  for (const {corners, n, c} of faces) {
    const [fill, , own] = shade(c, n);
    bands.set(fill, (bands.get(fill) ?? '') + path(corners.map(v => at.screen(v))));
    alpha = own;
  }
  const inside = [...bands].map(([fill, d]) => `<path d="${d}" fill="${fill}" stroke="${fill}" stroke-width="${at.d}"/>`);
  return [`<g opacity="${alpha.toFixed(3)}" stroke-linejoin="round">${inside.join('')}</g>`];
}

function backToFront(items, at) {
  const behind = (f, g) => g.plane && f.corners.every(v => height(g.plane, v) <= 2 * at.s)
    || f.plane && g.corners.every(v => height(f.plane, v) >= -2 * at.s);
  const first = (f, g) => {const one = behind(f, g), other = behind(g, f); return one !== other ? one : f.near < g.near};
  const done = new Set(), found = [];
  const visit = item => {
    if (done.has(item)) return;
    done.add(item);
    for (const other of items) if (other.of !== item.of && !done.has(other) && first(other, item)) visit(other);
    found.push(item);
  };
  items.sort((f, g) => f.near - g.near).forEach(visit);
  return found;
}

function faces(solids, sheets, at) {
  const near = corners => Math.max(...corners.map(v => v[2])), items = [];
  const far = [...solids].sort((a, b) => Math.min(...a.points.map(v => v[2])) - Math.min(...b.points.map(v => v[2])));
  const backs = far.flatMap(solid => solid.part.q ? [] : painted(solid.back, at, solid.part.o !== undefined));
  for (const solid of solids) {
    if (solid.part.o === undefined) for (const face of solid.front) items.push({...face, near: near(solid.points)});
    else if (solid.front.length) items.push({of: solid.of, corners: solid.points, near: near(solid.points), round: solid.front});
  }
  sheets.forEach((part, k) => {
    const corners = part.v.slice(0, part.v.length / 3).map((_, row) => at.point(part.v, row));
    let n = unit(cross(plus(corners[1], corners[0], -1), plus(corners[2], corners[0], -1)));
    if (dot(n, at.eye(corners[0])) < 0) n = times(n, -1);
    const seen = corners.every(v => 1 - at.p * v[2] >= NEAR);
    if (seen) items.push({of: `sheet ${k}`, corners, n, plane: [...n, -dot(n, corners[0])], c: part.c, near: near(corners), sheet: 1});
  });
  const order = backToFront(items, at).map(item => [item.sheet, painted(item.round ?? [item], at, item.round).join('')]);
  return backs.join('') + order.map(([sheet, drawn]) => sheet ? '' : drawn).join('') + order.map(([, drawn]) => drawn).join('');
}

function sideOf(group, at) {
  const origin = at.point(group.p), axis = at.way(group.a), down = [Math.sin(Math.PI / 15), -Math.cos(Math.PI / 15), 0];
  const across = cross(axis, unit(at.eye(origin))), long = Math.hypot(...across);
  let side = long < 1e-4 ? down : times(across, (dot(across, down) < -1e-6 ? -1 : 1) / long);
  const share = (places, way, room) => Math.min(Infinity, ...places.flatMap(([along, lift]) => {
    const foot = plus(origin, axis, along * at.s), start = at.screen(foot), end = at.screen(plus(foot, way, lift * at.s));
    const size = [at.w, at.h];
    if (start.some((x, k) => x <= 0 || x >= size[k])) return [];
    return start.map((x, k) => Math.max((end[k] > x ? size[k] - x : x) - room[k], 0) / Math.abs(end[k] - x));
  }));
  if (group.o.length) {
    const tip = [5 * at.d, 5 * at.d], here = share(group.o, side, tip), there = share(group.o, times(side, -1), tip);
    if (here < 1 && there > here) side = times(side, -1);
    const room = [Math.min(105 * at.d, .15 * at.w), Math.min(22 * at.d, .15 * at.h)];
    side = times(side, within(Math.min(Math.max(here, there), group.n ? share([group.n], side, room) : Infinity), .35, 1));
  }
  return {origin, axis, side, r: group.b * at.s};
}

function lifted(point, lift, group, at) {
  if (!group) return point;
  const found = plus(point, group.side, lift * at.s), eye = at.eye(group.origin), far = Math.hypot(...eye), sine = at.p * group.r / far;
  if (!group.r || sine >= 1) return found;
  const towards = unit(eye), arms = plus(found, group.origin, -1), up = cross(group.side, towards);
  const flat = plus(times(up, dot(arms, group.axis) * (dot(up, group.axis) < -1e-6 ? -1 : 1)), group.side, dot(arms, group.side));
  return plus(plus(group.origin, towards, sine * group.r), flat, Math.sqrt(1 - sine * sine));
}

function lines(batches, solids, groups, at) {
  const styles = new Map(), heads = [], room = 5 * at.d, [x, y] = [(at.w / 2 - room) / at.f, (at.h / 2 - room) / at.f];
  const pane = [[1, 0, at.p * x, -x], [-1, 0, at.p * x, -x], [0, 1, at.p * y, -y], [0, -1, at.p * y, -y]];
  const one = (part, row, a, b, own) => {
    const ways = [part.i ?? 0, part.j ?? 0].map(size => size * at.d), group = groups[each(part.g ?? -1, row)];
    let [from, to] = clip([[0, 0, at.p, at.p ? NEAR - 1 : -1]], a, b);
    if (from >= to) return;
    if (group && ways[1]) {
      const [t0, t1] = clip(pane, a, b);
      if (t1 - t0 >= .5) [a, b] = [plus(a, plus(b, a, -1), t0), plus(a, plus(b, a, -1), t1)];
    }
    const [c, dash, width] = [each(part.c, row), each(part.d, row), each(part.w, row) * at.d], [, , , alpha] = rgba(c);
    const shadows = part.h ? solids.filter((_, k) => k !== part.s).map(solid => solid.planes) : [];
    const [p, q, near, far] = [at.screen(a), at.screen(b), 1 - at.p * a[2], 1 - at.p * b[2]];
    const long = Math.hypot(q[0] - p[0], q[1] - p[1]), along = [(q[0] - p[0]) / (long || 1), (q[1] - p[1]) / (long || 1)];
    const most = long * .7 * (ways[0] && ways[1] ? .5 : 1);
    [[a, p, -1, near, far], [b, q, 1, far, near]].forEach(([end, tip, sign, here, there], k) => {
      const size = Math.min(ways[k], most), share = .8 * size / (long || 1), cut = share * here / (there + share * (here - there));
      if (!size || Math.min(near, far) < NEAR) return;
      if (k) to = Math.min(to, 1 - cut); else from = Math.max(from, cut);
      const hidden = part.h && own || shadows.some(planes => planes.every(plane => height(plane, end) <= 0));
      const [u, v] = [along[0] * sign, along[1] * sign], foot = [tip[0] - size * u, tip[1] - size * v], half = .467 * size;
      const corners = [tip, [foot[0] - half * v, foot[1] + half * u], [foot[0] + half * v, foot[1] - half * u]];
      if (hidden && part.h === 3) return;
      heads.push(`<path d="${path(corners)}" fill="${colours[c].slice(0, 7)}" fill-opacity="${alpha * (hidden ? .25 : 1)}"/>`);
    });
    const spans = part.h && own ? [[0, 1]] : shadows.map(planes => clip(planes, a, b)).filter(([t0, t1]) => t1 - t0 > 1e-6);
    const add = (t0, t1, hidden) => {
      [t0, t1] = [Math.max(t0, from), Math.min(t1, to)];
      if (t1 <= t0 || hidden && part.h === 3) return;
      const broken = hidden && part.h === 2, pattern = DASHES[dash || (broken ? 1 : 0)].map(size => size * Math.max(width, 1));
      const key = [part.y, hidden ? 0 : 1, colours[c].slice(0, 7), (alpha * (hidden ? broken ? .5 : .25 : 1)).toFixed(3),
        width.toFixed(2), pattern.join(' '), pattern.length && dash !== 2 ? 'butt' : 'round'].join();
      const ends = [t0, t1].map(t => at.screen(plus(a, plus(b, a, -1), t)));
      styles.set(key, (styles.get(key) ?? '') + path(ends, ''));
    };
    let free = 0;
    for (const [t0, t1] of spans.sort((s, t) => s[0] - t[0])) {
      add(free, t0, false);
      add(Math.max(free, t0), t1, true);
      free = Math.max(free, t1);
    }
    add(free, 1, false);
  };
  for (const part of batches) for (let row = 0; row < part.p.length / 6; row++) {
    let [a, b] = [at.point(part.p, 2 * row), at.point(part.p, 2 * row + 1)];
    const facing = part.n ? [0, 1].map(k => dot(at.way(part.n, 2 * row + k), at.eye(a)) > 5e-4) : [true, true];
    if (part.e && !part.e[row] && facing[0] === facing[1]) continue;
    const group = groups[each(part.g ?? -1, row)];
    if (group) [a, b] = [lifted(a, part.l[2 * row], group, at), lifted(b, part.l[2 * row + 1], group, at)];
    one(part, row, a, b, !facing[0] && !facing[1]);
  }
  solids.forEach(({part, points, rim, of}) => rim.forEach((k, row) => {
    const look = {c: part.o, w: part.w, d: 0, h: 1, y: 2, s: of};
    if (part.o !== undefined) one(look, 0, points[k], points[rim[(row + 1) % rim.length]], false);
  }));
  const drawn = [...styles].map(([key, d]) => [key.split(','), d]).sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]);
  const path_of = ([[, , c, alpha, width, dash, cap], d]) => `<path d="${d}" fill="none" stroke="${c}" stroke-opacity="${alpha}" `
    + `stroke-width="${width}" stroke-linecap="${cap}"${dash && ` stroke-dasharray="${dash}"`}/>`;
  const ground = drawn.filter(([key]) => key[0] === '0').map(path_of).join('');
  return [ground, drawn.filter(([key]) => key[0] !== '0').map(path_of).join(''), heads.join('')];
}

function marks(batches, solids, at) {
  return batches.flatMap(part => part.p.slice(0, part.p.length / 3).map((_, row) => {
    const point = at.point(part.p, row), [x, y] = at.screen(point);
    const hidden = part.h && solids.some(({planes}) => planes.every(plane => height(plane, point) <= 0));
    if (hidden && part.h === 3 || 1 - at.p * point[2] < NEAR) return '';
    return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"${hidden ? ' opacity=".4"' : ''}>${pieces[part.e]}</g>`;
  })).join('');
}

function labels(parts, groups, at) {
  const taken = [], texts = [], leaders = [];
  for (const part of parts) {
    const [size, bold, c, halo, ring, high, base] = letters[part.e], group = groups[part.g];
    const point = lifted(at.point(part.p), part.l, group, at), place = at.screen(point);
    let [x, y] = part.o;
    if (group) {
      const ways = [group.axis, unit(group.side)].map(way => at.screen(plus(point, way, 1e-3)).map((v, k) => v - place[k]));
      const [[ax, ay], [sx, sy]] = ways.map(([u, v]) => [u, v].map(w => w / Math.max(Math.hypot(u, v), 1e-9)));
      [x, y] = [x * ax + y * sx, x * ay + y * sy];
    }
    const inside = [place[0], place[1]].every((v, k) => v > -70 * at.d * !!group && v < [at.w, at.h][k] + 70 * at.d * !!group);
    if (!inside || 1 - at.p * point[2] < NEAR) continue;
    const half = [part.w / 2, high / 2], middle = [place[0] + x, place[1] + y].map((v, k) => within(v, half[k], [at.w, at.h][k] - half[k]));
    if (taken.some(([m, h]) => [0, 1].every(k => Math.abs(m[k] - middle[k]) < h[k] + half[k]))) continue;
    taken.push([middle, half]);
    const [left, line] = [Math.round(middle[0] - half[0]), Math.round(middle[1] - half[1]) + base];
    const end = middle.map((v, k) => within(place[k], v - half[k], v + half[k])), [, , , alpha] = rgba(c), [, , , ringed] = rgba(halo);
    if (part.x && Math.hypot(end[0] - place[0], end[1] - place[1]) > 16 * at.d)
      leaders.push(`<path d="${path([place, end], '')}" stroke="${colours[c].slice(0, 7)}" stroke-opacity="${.6 * alpha}" stroke-width="${at.d}"/>`);
    const text = part.s.replace(/[&<>]/g, letter => `&#${letter.charCodeAt(0)};`);
    texts.push(`<text x="${left}" y="${line}" font-family="{family}, sans-serif" font-size="${size}" font-weight="${bold ? 600 : 400}" `
      + `fill="${colours[c].slice(0, 7)}" fill-opacity="${alpha}" stroke="${colours[halo].slice(0, 7)}" stroke-opacity="${ringed}" `
      + `stroke-width="${ring}" stroke-linejoin="round" paint-order="stroke" xml:space="preserve">${text}</text>`);
  }
  return [leaders.join(''), texts.join('')];
}

function drawn(view, turn) {
  const at = lens(view, turn), of = kind => view.t.map(number => parts[number]).filter(part => part.k === kind);
  const groups = of('g').map(group => sideOf(group, at)), solids = of('s').map((part, number) => solidOf(part, at, number));
  const [ground, above, heads] = lines(of('l'), solids, groups, at), [leaders, texts] = labels(of('t'), groups, at);
  return `<g transform="translate(${view.x} ${view.y})">${ground}${faces(solids, of('p'), at)}${above}${leaders}${heads}`
    + `${marks(of('m'), solids, at)}${texts}</g>`;
}

const turns = new Map(), coarse = matchMedia('(pointer: coarse)').matches;
const hint = coarse ? 'Drag the picture sideways to turn it.' : 'To turn the picture, drag it, or press Shift and an arrow key.';
const now = () => pages.findIndex(page => page.classList.contains('shown'));
const camera = number => JSON.stringify([shown[number][0].v[0].a, shown[number][0].v[0].z]);
function draw(number) {
  if (!shown[number]?.length) return;
  const svg = pages[number].querySelector('figure svg'), turn = turns.get(camera(number));
  let layer = svg.querySelector('.turned');
  if (!layer) svg.append(layer = Object.assign(document.createElementNS(svg.namespaceURI, 'g'), {}));
  layer.setAttribute('class', 'turned');
  svg.classList.toggle('turning', !!turn);
  pages[number].querySelector('.turn button').hidden = !turn;
  if (turn) layer.innerHTML = shown[number].map(pane => pieces[pane.s] + pane.v.map(view => drawn(view, turn)).join('') + '</g>').join('');
}
function turned(yaw, pitch) {
  if (!shown[now()]?.length) return;
  const key = camera(now()), [y, p] = turns.get(key) ?? [0, 0], up = shown[now()][0].v[0].a[1];
  turns.set(key, [y + yaw, within(up + p + pitch, Math.min(-LIMIT, up), Math.max(LIMIT, up)) - up]);
  requestAnimationFrame(() => draw(now()));
}
function back() {
  turns.delete(camera(now()));
  draw(now());
}
pages.forEach((page, number) => {
  if (!shown[number].length) return;
  const svg = page.querySelector('figure svg'), line = document.createElement('figcaption');
  line.className = 'turn';
  line.innerHTML = `${hint} <button hidden>Back to the first view</button>`;
  svg.after(line);
  svg.classList.add('turns');
  line.lastChild.addEventListener('click', back);
  svg.addEventListener('dblclick', back);
  svg.addEventListener('pointerdown', event => {
    if (event.isPrimary && !event.button) svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', event => {
    if (svg.hasPointerCapture(event.pointerId)) turned(-event.movementX * SPEED, event.movementY * SPEED);
  });
  new MutationObserver(() => page.classList.contains('shown') && draw(number)).observe(page, {attributeFilter: ['class']});
});
addEventListener('keydown', event => {
  const way = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (!way || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  turned(way[0] * KEY_STEP, way[1] * KEY_STEP);
  event.preventDefault();
}, true);
window.turnHandout = {lens, drawn, shown, parts};
})();
