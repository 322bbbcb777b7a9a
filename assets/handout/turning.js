// Draws a handout's pictures from other sides; app/export/turning.py packs their draw lists, app/draw/layout has the rules.
(async () => {
if (!window.DecompressionStream) return;
const PART = .1, UNIT = 1e4, NEAR = .01, SEEN = 5e-4, PI = Math.PI, SPEED = PI / 450, KEY = PI / 36, LIMIT = .4995 * PI, NOWHERE = [0, 0, 0, 1], COATS = 6;
const DASHES = [[], [4, 3], [.01, 2.99], [6, 2.5, 1, 2.5]], LIGHT = [-.48, .62, .62], HALFWAY = [-.267, .344, .9];
const bytes = Uint8Array.from(atob('{data}'), letter => letter.charCodeAt(0)), {min, max, hypot, sin, cos} = Math;
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
const [parts, colours, pieces, shown] = await new Response(unpacked).json();
for (const {p = []} of parts) for (let k = 3; k < p.length; k++) p[k] += p[k - 3];

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], over = (plane, point) => dot(plane, point) + plane[3];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, t = 1) => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]], way = (a, b) => plus(b, a, -1);
const times = (a, t) => [a[0] * t, a[1] * t, a[2] * t];
const unit = a => times(a, 1 / max(hypot(...a), 1e-300)), within = (value, low, high) => min(max(value, low), high);
const each = (column, row) => Array.isArray(column) ? column[row] : column, rows = list => [...Array(list.length / 3).keys()];
const rgb = c => colours[c][0], alpha = c => colours[c][1], hexes = [...Array(256).keys()].map(k => k.toString(16).padStart(2, '0'));
const hex = c => '#' + c.map(v => hexes[Math.round(255 * within(v, 0, 1))]).join('');
const path = (points, end = 'Z') => 'M' + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L') + end;
const hides = (solid, point) => solid.planes.every(plane => over(plane, point) <= 0);

function lens(view, [yaw, pitch]) {
  const {p, f, w, h, a: [y, up]} = view, t = within(up + pitch, min(-LIMIT, up), max(LIMIT, up));
  const [cy, sy, cp, sp] = [cos(y + yaw), sin(y + yaw), cos(t), sin(t)];
  let axes = [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
  if (view.z) axes = axes.map(([a, b, c]) => [a, -c, b]);
  const read = (list, row, by) => {const v = [0, 1, 2].map(k => list[3 * row + k] * by); return axes.map(axis => dot(axis, v))};
  const flat = v => {const w = max(1 - p * v[2], NEAR); return [v[0] / w, v[1] / w, 0]}, eye = v => [-p * v[0], -p * v[1], 1 - p * v[2]];
  const screen = v => {const [a, b] = flat(v); return [w / 2 + a * f, h / 2 - b * f, 0]};
  const point = (list, row = 0) => read(list, row, PART / f), direction = (list, row = 0) => read(list, row, 1 / UNIT);
  return {...view, s: PART / f, size: [w, h, 0], point, direction, flat, screen, eye, near: v => 1 - p * v[2] < NEAR};
}

function clip(planes, a, b) { // the stretch of a line, from 0 to 1, that lies behind all planes
  let from = 0, to = 1;
  for (const plane of planes) {
    const at = over(plane, a), fall = at - over(plane, b);
    if (fall > 0) from = max(from, at / fall); else if (fall < 0) to = min(to, at / fall); else if (at > 0) return [1, 0];
  }
  return [from, to];
}

function solidOf(part, at, of) {
  const {p, f} = part.r ? parts[part.m] : part, middle = at.point(part.p), read = row => at.point(p, row);
  const points = rows(p).map(part.r ? row => plus(middle, read(row), part.r / UNIT) : read), near = max(...points.map(v => v[2]));
  const solid = {...part, points, of, near, front: [], back: [], planes: [], rim: []}, edges = new Set();
  if (points.some(at.near)) return {...solid, planes: [NOWHERE]};
  f.forEach((loop, k) => {
    const corners = loop.map(number => points[number]), ends = loop.map((a, i) => [a, loop[(i + 1) % loop.length]]);
    let n = unit(corners.map((c, i) => cross(c, corners[(i + 1) % loop.length])).reduce((sum, pair) => plus(sum, pair)));
    if (part.sheet && dot(n, at.eye(corners[0])) < 0) n = times(n, -1);
    const seen = part.sheet || dot(n, at.eye(corners[0])) > SEEN, plane = [...n, -dot(n, corners[0])];
    (seen && !part.g ? solid.front : solid.back).push({corners, n, plane, c: each(part.c, k), of, near, sheet: part.sheet});
    if (seen) solid.planes.push([...n, plane[3] + 2 * at.s]);
    if (seen) solid.rim.push(...ends); else ends.forEach(([a, b]) => edges.add(`${b} ${a}`));
  });
  solid.rim = solid.rim.filter(([a, b]) => edges.has(`${a} ${b}`));
  for (const [a, b] of solid.rim) {
    const [u, v] = [at.flat(points[a]), at.flat(points[b])], [x, y] = way(u, v), n = unit([y, -x, at.p * (y * u[0] - x * u[1])]);
    solid.planes.push([...n, 2 * at.s - dot(n, points[a])]);
  }
  return part.g || part.sheet || !solid.front.length ? {...solid, planes: [NOWHERE]} : solid;
}

function painted(faces, at, round) { // as shaders/solids does
  const fills = new Map(), path_of = faces => faces.map(({corners}) => path(corners.map(at.screen))).join('');
  for (const {corners, n, c} of faces) {
    const inside = n[2] < 0 ? -1 : 1, m = times(n, inside), [, own, base] = colours[c];
    const light = .6 + .38 * max(dot(m, LIGHT), 0) + .14 * (.5 + .5 * m[1]), dim = min(light, 1);
    const gleam = .16 * max(dot(m, HALFWAY), 0) ** 24 + max(light - 1, 0), rimmed = round ? 0 : (1 - own) * .22 * (1 - m[2]) ** 2;
    const lit = base.map(v => v * dim + .6 * (v ** (1 / dim) - v * dim)).map(v => (v + (1 - v) * gleam) * (inside < 0 ? .9 : 1));
    const key = `${hex(lit)},${((own + rimmed) * (own > 1e-6) * (inside < 0 ? .6 : 1)).toFixed(3)}`;
    fills.set(key, (fills.get(key) ?? '') + path(corners.map(at.screen)));
  }
  const all = [...fills].map(([key, d]) => [...key.split(','), d]), seam = c => `stroke="${c}" stroke-width="${at.d}"`;
  if (!round) return all.map(([c, opacity, d]) => `<path d="${d}" fill="${c}" fill-opacity="${opacity}"/>`).join('');
  const coat = k => path_of(faces.filter(({n}) => (1 - Math.abs(n[2])) ** 2 > (k + .5) / COATS)), own = alpha(faces[0]?.c ?? 0);
  const coats = [...Array(COATS).keys()].map(k => `<path d="${coat(k)}" fill="${all[0]?.[0]}" fill-opacity="${.22 * (1 - own) / COATS}"/>`);
  return `<g opacity="${all[0]?.[1]}">${all.map(([c, , d]) => `<path d="${d}" fill="${c}" ${seam(c)}/>`).join('')}</g>${coats.join('')}`;
}

function faces(solids, at) { // a face comes after those of other solids that lie behind its plane
  const behind = (f, g) => g.plane && f.corners.every(v => over(g.plane, v) <= 2 * at.s)
    || f.plane && g.corners.every(v => over(f.plane, v) >= -2 * at.s);
  const first = (f, g) => {const one = behind(f, g); return one !== behind(g, f) ? one : f.near < g.near};
  const far = s => min(...s.points.map(v => v[2])), backs = [...solids].sort((a, b) => far(a) - far(b)).filter(s => !s.q);
  const items = solids.flatMap(s => s.w && s.front.length ? [{...s, corners: s.points, round: s.front}] : s.front);
  const done = new Set(), found = [], visit = item => {
    done.add(item);
    for (const other of items) if (other.of !== item.of && !done.has(other) && first(other, item)) visit(other);
    found.push([item.sheet, painted(item.round ?? [item], at, item.round)]);
  };
  items.sort((f, g) => f.near - g.near).forEach(item => done.has(item) || visit(item));
  return [...backs.map(s => painted(s.back, at, s.w)), ...found.map(([sheet, d]) => sheet ? '' : d), ...found.map(([, d]) => d)].join('');
}

function sideOf(group, at) { // as app/draw/layout/frame.py turns and shortens it
  const origin = at.point(group.p), axis = at.direction(group.a), down = [sin(PI / 15), -cos(PI / 15), 0], tip = 5 * at.d;
  const across = cross(axis, unit(at.eye(origin))), long = hypot(...across);
  let side = long < 1e-4 ? down : times(across, (dot(across, down) < -1e-6 ? -1 : 1) / long);
  const share = (places, side, room) => min(Infinity, ...places.flatMap(([along, lift]) => {
    const foot = plus(origin, axis, along * at.s), start = at.screen(foot), end = at.screen(plus(foot, side, lift * at.s));
    const seen = [0, 1].every(k => start[k] > 0 && start[k] < at.size[k]), left = (v, k) => end[k] > v ? at.size[k] - v : v;
    return seen ? [0, 1].map(k => max(left(start[k], k) - room[k], 0) / Math.abs(end[k] - start[k])) : [];
  }));
  if (group.o.length) {
    const [here, there] = [1, -1].map(sign => share(group.o, times(side, sign), [tip, tip]));
    if (here < 1 && there > here) side = times(side, -1);
    const number = group.n ? share([group.n], side, [min(105 * at.d, .15 * at.w), min(22 * at.d, .15 * at.h)]) : 1;
    side = times(side, within(min(max(here, there), number), .35, 1));
  }
  return {origin, axis, side, r: group.r * at.s};
}

function lifted(point, lift, group, at) {
  if (!group) return point;
  const found = plus(point, group.side, lift * at.s), eye = at.eye(group.origin), sine = at.p * group.r / hypot(...eye);
  if (!group.r || sine >= 1) return found;
  const arms = way(group.origin, found), up = cross(group.side, unit(eye)), sign = dot(up, group.axis) < -1e-6 ? -1 : 1;
  const flat = plus(times(up, dot(arms, group.axis) * sign), group.side, dot(arms, group.side));
  return plus(plus(group.origin, unit(eye), sine * group.r), flat, Math.sqrt(1 - sine * sine));
}

function lines(batches, solids, groups, at) { // SVG of the ground, of the other lines, and of the arrow heads
  const styles = new Map(), heads = [], [x, y] = at.size.map(side => (side / 2 - 5 * at.d) / at.f), eye = [[0, 0, at.p, at.p ? NEAR - 1 : -1]];
  const pane = [[1, 0, at.p * x, -x], [-1, 0, at.p * x, -x], [0, 1, at.p * y, -y], [0, -1, at.p * y, -y]];
  const line = (part, row, a, b, own) => {
    const sizes = [part.i ?? 0, part.j ?? 0].map(size => size * at.d), rail = part.l && sizes[1] ? clip(pane, a, b) : [0, 0];
    if (rail[1] - rail[0] >= .5) [a, b] = rail.map(t => plus(a, way(a, b), t));
    const c = each(part.c, row), dash = each(part.d, row), width = each(part.w, row) * at.d, whole = way(a, b), drop = part.h === 3;
    const shadows = part.h ? solids.filter(s => s.of !== part.s) : [], ends = [a, b].map(at.screen), flat = way(...ends), long = hypot(...flat) || 1;
    let [from, to] = clip(eye, a, b);
    sizes.map(size => min(size, long * .7 * (sizes[0] && sizes[1] ? .5 : 1))).forEach((size, k) => {
      const [here, there] = (k ? [b, a] : [a, b]).map(v => 1 - at.p * v[2]), share = .8 * size / long, cut = share * here / (there + share * (here - there));
      const hidden = part.h && (own || shadows.some(s => hides(s, [a, b][k])));
      if (!size || min(here, there) < NEAR || hidden && drop) return;
      [from, to] = k ? [from, min(to, 1 - cut)] : [max(from, cut), to];
      const head = times(flat, (k ? 1 : -1) * size / long), corners = [.467, -.467].map(t => plus(way(head, ends[k]), [-head[1], head[0], 0], t));
      heads.push(`<path d="${path([ends[k], ...corners])}" fill="${rgb(c)}" fill-opacity="${alpha(c) * (hidden ? .25 : 1)}"/>`);
    });
    const add = (t0, t1, hidden) => {
      const stretch = [max(t0, from), min(t1, to)], broken = hidden && part.h === 2;
      if (stretch[1] <= stretch[0] || hidden && drop) return;
      const pattern = DASHES[dash || (broken ? 1 : 0)].map(v => v * max(width, 1)), opacity = alpha(c) * (hidden ? broken ? .5 : .25 : 1);
      const cap = dash === 2 || part.joined && !pattern.length ? 'round' : 'butt';
      const key = [part.y, hidden ? 0 : 1, rgb(c), opacity.toFixed(3), width.toFixed(2), pattern.join(' '), cap].join();
      styles.set(key, (styles.get(key) ?? '') + path(stretch.map(t => at.screen(plus(a, whole, t))), ''));
    };
    const spans = part.h && own ? [[0, 1]] : shadows.map(s => clip(s.planes, a, b)).filter(([t0, t1]) => t1 - t0 > 1e-6);
    const free = spans.sort((s, t) => s[0] - t[0]).reduce((done, [t0, t1]) => (add(done, t0), add(max(done, t0), t1, true), max(done, t1)), 0);
    add(free, 1);
  };
  for (const part of batches) for (let row = 0; row < part.p.length / 6; row++) {
    const [k, group] = [2 * row, groups[each(part.g, row)]], ends = [k, k + 1].map(end => at.point(part.p, end));
    const facing = part.n ? [k, k + 1].map(face => dot(at.direction(part.n, face), at.eye(ends[0])) > SEEN) : [true, true];
    if (part.e && !part.e[row] && facing[0] === facing[1]) continue;
    line(part, row, ...ends.map((end, side) => lifted(end, part.l?.[k + side], group, at)), !facing[0] && !facing[1]);
  }
  for (const {w, o, of, rim, points} of solids.filter(s => s.w))
    for (const ends of rim) line({c: o, w, d: 0, h: 1, y: 2, s: of, joined: 1}, 0, ...ends.map(k => points[k]));
  const all = [...styles].map(([key, d]) => [...key.split(','), d]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const drawn = ([, , c, opacity, width, dashes, cap, d]) => `<path d="${d}" fill="none" stroke="${c}" stroke-opacity="${opacity}" `
    + `stroke-width="${width}" stroke-linecap="${cap}"${dashes && ` stroke-dasharray="${dashes}"`}/>`;
  return [true, false].map(ground => all.filter(style => (style[0] === '0') === ground).map(drawn).join('')).concat(heads.join(''));
}

function marks(batches, solids, at) {
  return batches.flatMap(part => rows(part.p).map(row => [part, at.point(part.p, row)])).map(([part, point]) => {
    const [x, y] = at.screen(point), hidden = part.h && solids.some(s => hides(s, point)), faint = hidden ? ' opacity=".4"' : '';
    if (hidden && part.h === 3 || at.near(point)) return '';
    return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"${faint}>${pieces[part.e]}</g>`;
  }).join('');
}

function labels(parts, groups, at) { // the most important first; one that would cover another is left out
  const taken = [];
  return parts.map(({p, l, g, o, e, w, h, b}) => {
    const group = groups[g], point = lifted(at.point(p), l, group, at), place = at.screen(point), half = [w / 2, h / 2, 0];
    const ways = group && [group.axis, group.side].map(side => unit(way(place, at.screen(plus(point, side, 1e-3)))));
    const to = plus(place, group ? plus(times(ways[0], o[0]), ways[1], o[1]) : [...o, 0]), edge = group ? 70 * at.d : 0;
    const middle = to.map((v, k) => within(v, half[k], at.size[k] - half[k])), [x, y] = plus(middle, half, -1).map(Math.round);
    const clear = ([m, size]) => [0, 1].some(k => Math.abs(m[k] - middle[k]) >= size[k] + half[k]);
    if (at.near(point) || place.some((v, k) => v < -edge || v > at.size[k] + edge) || !taken.every(clear)) return '';
    taken.push([middle, half]);
    return `<g transform="translate(${x} ${y + b})">${pieces[e]}</g>`;
  }).join('');
}

function drawn(view, turn) {
  const at = lens(view, turn), of = kind => view.t.map(number => parts[number]).filter(part => part.k === kind);
  const groups = of('g').map(group => sideOf(group, at)), solids = of('s').map((part, number) => solidOf(part, at, number));
  const [ground, above, heads] = lines(of('l'), solids, groups, at), inside = [ground, faces(solids, at), above, heads, marks(of('m'), solids, at)];
  return `<g transform="translate(${view.x} ${view.y})" stroke-linejoin="round">${inside.join('')}${labels(of('t'), groups, at)}</g>`;
}

const first = number => shown[number][0]?.v[0], svgs = pages.map(page => page.querySelector('figure svg'));
const now = () => pages.findIndex(page => page.classList.contains('shown')), isTurned = () => turn[0] || turn[1];
const hint = matchMedia('(pointer: coarse)').matches ? 'drag it sideways' : 'drag it, or press Shift and an arrow key';
let turn = [0, 0];
function draw(number) {
  if (!first(number)) return;
  const [layer, button] = [svgs[number].lastChild, svgs[number].nextSibling.lastChild];
  svgs[number].classList.toggle('turning', isTurned());
  button.hidden = !isTurned();
  const pane = ({s, v}) => pieces[s] + v.map(view => drawn(view, turn)).join('') + '</g>';
  layer.innerHTML = isTurned() ? shown[number].map(pane).join('') : '';
}
function turned(yaw, pitch) {
  const up = first(now())?.a[1] ?? 0, to = within(up + turn[1] + pitch, min(-LIMIT, up), max(LIMIT, up));
  turn = [turn[0] + yaw, to - up];
  requestAnimationFrame(() => draw(now()));
}
function back() {turn = [0, 0]; draw(now())}
pages.forEach((page, number) => {
  if (!first(number)) return;
  const svg = svgs[number], layer = svg.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
  layer.setAttribute('class', 'turned');
  svg.classList.add('turns');
  const words = `To turn the picture, ${hint}. <button hidden>Back to the first view</button>`;
  svg.insertAdjacentHTML('afterend', `<figcaption class="turn">${words}</figcaption>`);
  svg.nextSibling.lastChild.addEventListener('click', back);
  svg.addEventListener('dblclick', back);
  svg.addEventListener('pointerdown', event => event.isPrimary && !event.button && svg.setPointerCapture(event.pointerId));
  svg.addEventListener('pointermove', event => svg.hasPointerCapture(event.pointerId)
    && turned(-event.movementX * SPEED, event.movementY * SPEED));
  new MutationObserver(() => page.classList.contains('shown') && draw(number)).observe(page, {attributeFilter: ['class']});
});
addEventListener('keydown', event => {
  const side = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (!side || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  turned(side[0] * KEY, side[1] * KEY);
  event.preventDefault();
}, true);
window.handout = {turned, draw, now, lens, shown, parts};
})();
