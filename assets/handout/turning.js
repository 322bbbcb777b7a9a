// Draws a handout's pictures from other sides: app/export/turning.py packs what, app/draw/layout has the rules.
(async () => { if (!window.DecompressionStream) return;
const PART = .1, UNIT = 1e4, NEAR = .01, SEEN = 5e-4, PI = Math.PI, LIMIT = .4995 * PI, NOWHERE = [0, 0, 0, 1];
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
const each = (column, row) => column?.[row] ?? column, to = n => [...Array(n).keys()], rows = p => to(p.length / 3);
const rgb = c => colours[c][0], alpha = c => colours[c][1], hexes = to(256).map(k => k.toString(16).padStart(2, '0'));
const hex = c => '#' + c.map(v => hexes[Math.round(255 * within(v, 0, 1))]).join('');
const path = (points, end = 'Z') => 'M' + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L') + end;
const hides = (solid, point) => solid.planes.every(plane => over(plane, point) <= 0);
function lens(view, [yaw, pitch]) {
  const {p, f, w, h, a: [y, up]} = view, t = within(up + pitch, min(-LIMIT, up), max(LIMIT, up));
  const [cy, sy, cp, sp] = [cos(y + yaw), sin(y + yaw), cos(t), sin(t)];
  let axes = [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
  if (view.z) axes = axes.map(([a, b, c]) => [a, -c, b]);
  const read = by => (list, row = 0) => axes.map(axis => dot(axis, list.slice(3 * row, 3 * row + 3)) * by);
  const away = v => 1 - p * v[2], flat = v => times(v, 1 / max(away(v), NEAR));
  const screen = v => { const [a, b] = flat(v); return [w / 2 + a * f, h / 2 - b * f, 0]; };
  return {...view, s: PART / f, size: [w, h, 0], point: read(PART / f), direction: read(1 / UNIT), away, flat, screen,
    eye: v => [-p * v[0], -p * v[1], away(v)], near: v => away(v) < NEAR}; }
function clip(planes, a, b) { // the stretch of a line, from 0 to 1, that lies behind all planes
  let from = 0, to = 1;
  for (const plane of planes) {
    const at = over(plane, a), fall = at - over(plane, b);
    if (fall > 0) from = max(from, at / fall); else if (fall < 0) to = min(to, at / fall);
    else if (at > 0) return [1, 0]; }
  return [from, to]; }
function solidOf(part, at, of) {
  const {p, f} = part.r ? parts[part.m] : part, middle = at.point(part.p), read = row => at.point(p, row);
  const points = rows(p).map(part.r ? row => plus(middle, read(row), part.r / UNIT) : read);
  const near = max(...points.map(v => v[2])), edges = new Set();
  const solid = {...part, points, of, near, front: [], back: [], planes: [], rim: []};
  if (points.some(at.near)) return {...solid, planes: [NOWHERE]};
  f.forEach((loop, k) => {
    const corners = loop.map(number => points[number]), ends = loop.map((a, i) => [a, loop[(i + 1) % loop.length]]);
    let n = unit(corners.map((c, i) => cross(c, points[ends[i][1]])).reduce((sum, pair) => plus(sum, pair)));
    if (part.sheet && dot(n, at.eye(corners[0])) < 0) n = times(n, -1);
    const seen = part.sheet || dot(n, at.eye(corners[0])) > SEEN, plane = [...n, -dot(n, corners[0])];
    const face = {corners, n, plane, c: each(part.c, k), of, near, sheet: part.sheet};
    (seen && !part.g ? solid.front : solid.back).push(face);
    if (seen) solid.planes.push([...n, plane[3] + 2 * at.s]);
    if (seen) solid.rim.push(...ends); else ends.forEach(([a, b]) => edges.add(`${b} ${a}`)); });
  solid.rim = solid.rim.filter(([a, b]) => edges.has(`${a} ${b}`));
  for (const [a, b] of solid.rim) {
    const [u, v] = [a, b].map(k => at.flat(points[k])), [x, y] = way(u, v);
    const n = unit([y, -x, at.p * (y * u[0] - x * u[1])]);
    solid.planes.push([...n, 2 * at.s - dot(n, points[a])]); }
  return part.g || part.sheet || !solid.front.length ? {...solid, planes: [NOWHERE]} : solid; }
function painted(faces, at, round) { // as shaders/solids does
  const fills = new Map();
  for (const {corners, n, c} of faces) {
    const inside = n[2] < 0 ? -1 : 1, m = times(n, inside), [, own, base] = colours[c];
    const light = .6 + .38 * max(dot(m, LIGHT), 0) + .14 * (.5 + .5 * m[1]), dim = min(light, 1);
    const gleam = .16 * max(dot(m, HALFWAY), 0) ** 24 + max(light - 1, 0), rim = round ? 1 / 6 : (1 - m[2]) ** 2;
    const deep = base.map(v => v * dim + .6 * (v ** (1 / dim) - v * dim)), turned = inside < 0;
    const lit = deep.map(v => (v + (1 - v) * gleam) * (turned ? .9 : 1)), opacity = own + (1 - own) * .22 * rim;
    const key = `${hex(lit)},${(opacity * (own > 1e-6) * (turned ? .6 : 1)).toFixed(3)}`;
    fills.set(key, (fills.get(key) ?? '') + path(corners.map(at.screen))); }
  const all = [...fills].map(([key, d]) => [...key.split(','), d]), seam = c => `stroke="${c}" stroke-width="${at.d}"`;
  if (!round) return all.map(([c, opacity, d]) => `<path d="${d}" fill="${c}" fill-opacity="${opacity}"/>`).join('');
  const bands = by => all.filter(band => band[1] === by).map(([c, , d]) => `<path d="${d}" fill="${c}" ${seam(c)}/>`);
  return [...new Set(all.map(band => band[1]))].map(by => `<g opacity="${by}">${bands(by).join('')}</g>`).join(''); }
function faces(solids, at) { // a face comes after those of other solids that lie behind its plane
  const behind = (f, g) => g.plane && f.corners.every(v => over(g.plane, v) <= 2 * at.s)
    || f.plane && g.corners.every(v => over(f.plane, v) >= -2 * at.s);
  const first = (f, g) => {const one = behind(f, g); return one !== behind(g, f) ? one : f.near < g.near};
  const far = s => min(...s.points.map(v => v[2])), backs = solids.filter(s => !s.q).sort((a, b) => far(a) - far(b));
  const items = solids.flatMap(s => s.w && s.front.length ? [{...s, corners: s.points, round: s.front}] : s.front);
  const done = new Set(), found = [], visit = item => {
    done.add(item);
    for (const other of items) if (other.of !== item.of && !done.has(other) && first(other, item)) visit(other);
    found.push([item.sheet, painted(item.round ?? [item], at, item.round)]); };
  items.sort((f, g) => f.near - g.near).forEach(item => done.has(item) || visit(item));
  const once = found.map(([sheet, d]) => sheet ? '' : d), again = found.map(([, d]) => d);
  return [...backs.map(s => painted(s.back, at, s.w)), ...once, ...again].join(''); }
function sideOf(group, at) { // as app/draw/layout/frame.py turns and shortens it
  const origin = at.point(group.p), axis = at.direction(group.a), tip = 5 * at.d;
  const across = cross(axis, unit(at.eye(origin))), long = hypot(...across), down = [sin(PI / 15), -cos(PI / 15), 0];
  let side = long < 1e-4 ? down : times(across, (dot(across, down) < -1e-6 ? -1 : 1) / long);
  const share = (places, side, room) => min(Infinity, ...places.flatMap(([along, lift]) => {
    const foot = plus(origin, axis, along * at.s), [start, end] = [foot, plus(foot, side, lift * at.s)].map(at.screen);
    const left = k => end[k] > start[k] ? at.size[k] - start[k] : start[k];
    if (![0, 1].every(k => start[k] > 0 && start[k] < at.size[k])) return [];
    return [0, 1].map(k => max(left(k) - room[k], 0) / Math.abs(end[k] - start[k])); }));
  let found = group.b && besideBodies(group, side, {origin, axis}, share, at);
  if (!found && group.o.length) {
    const [here, there] = [1, -1].map(sign => share(group.o, times(side, sign), [tip, tip]));
    if (here < 1 && there > here) side = times(side, -1);
    side = times(side, within(min(max(here, there), numbered(group, side, share, at)), .35, 1)); }
  return {side, ...found, origin, axis, r: group.r * at.s}; }
const numbered = (group, side, share, {d, w, h}) =>
  group.n ? share([group.n], side, [min(105 * d, .15 * w), min(22 * d, .15 * h)]) : Infinity;
{rail}
function lifted(point, lift, group, at) {
  if (!group) return point;
  let found = plus(point, group.side, lift * at.s);
  if (lift && group.shift)
    found = plus(plus(found, group.shift), group.axis, (group.stretch - 1) * dot(way(group.origin, point), group.axis));
  const eye = at.eye(group.origin), sine = at.p * group.r / hypot(...eye);
  if (!group.r || sine >= 1) return found;
  const arms = way(group.origin, found), up = cross(group.side, unit(eye)), sign = dot(up, group.axis) < -1e-6 ? -1 : 1;
  const flat = plus(times(up, dot(arms, group.axis) * sign), group.side, dot(arms, group.side));
  return plus(plus(group.origin, unit(eye), sine * group.r), flat, Math.sqrt(1 - sine * sine)); }
function lines(batches, solids, groups, at) { // SVG of the ground, of the other lines, and of the arrow heads
  const styles = new Map(), heads = [], eye = [[0, 0, at.p, at.p ? NEAR - 1 : -1]];
  const line = (part, row, a, b, own) => {
    const sizes = [part.i ?? 0, part.j ?? 0].map(v => v * at.d);
    const [c, dash, w] = [part.c, part.d, part.w].map(k => each(k, row));
    const width = w * at.d, whole = way(a, b), shadows = part.h ? solids.filter(s => s.of !== part.s) : [];
    const ends = [a, b].map(at.screen), flat = way(...ends), long = hypot(...flat) || 1, drop = part.h === 3;
    let [from, to] = clip(eye, a, b);
    sizes.map(size => min(size, long * .7 * (sizes[0] && sizes[1] ? .5 : 1))).forEach((size, k) => {
      const [here, there] = (k ? [b, a] : [a, b]).map(at.away), share = .8 * size / long;
      const cut = share * here / (there + share * (here - there)), head = times(flat, (k ? 1 : -1) * size / long);
      const hidden = part.h && (own || shadows.some(s => hides(s, [a, b][k])));
      if (!size || min(here, there) < NEAR || hidden && drop) return;
      [from, to] = k ? [from, min(to, 1 - cut)] : [max(from, cut), to];
      const corners = [.467, -.467].map(t => plus(way(head, ends[k]), [-head[1], head[0], 0], t));
      const opacity = alpha(c) * (hidden ? .25 : 1);
      heads.push(`<path d="${path([ends[k], ...corners])}" fill="${rgb(c)}" fill-opacity="${opacity}"/>`); });
    const add = (t0, t1, hidden) => {
      const stretch = [max(t0, from), min(t1, to)], broken = hidden && part.h === 2;
      if (stretch[1] <= stretch[0] || hidden && drop) return;
      const pattern = DASHES[dash || (broken ? 1 : 0)].map(v => v * max(width, 1));
      const opacity = alpha(c) * (hidden ? broken ? .5 : .25 : 1);
      const cap = dash === 2 || part.joined && !pattern.length ? 'round' : 'butt';
      const key = [part.y, hidden ? 0 : 1, rgb(c), opacity.toFixed(3), width.toFixed(2), pattern.join(' '), cap].join();
      styles.set(key, (styles.get(key) ?? '') + path(stretch.map(t => at.screen(plus(a, whole, t))), '')); };
    const spans = part.h && own ? [[0, 1]] : shadows.map(s => clip(s.planes, a, b)).filter(t => t[1] - t[0] > 1e-6);
    const cut = (done, [t0, t1]) => { add(done, t0); add(max(done, t0), t1, true); return max(done, t1) };
    add(spans.sort((s, t) => s[0] - t[0]).reduce(cut, 0), 1); };
  for (const part of batches) for (let row = 0; row < part.p.length / 6; row++) {
    const [k, group] = [2 * row, groups[each(part.g, row)]], ends = [k, k + 1].map(end => at.point(part.p, end));
    const facing = [k, k + 1].map(face => !part.n || dot(at.direction(part.n, face), at.eye(ends[0])) > SEEN);
    if (part.e && !part.e[row] && facing[0] === facing[1]) continue;
    line(part, row, ...ends.map((end, side) => lifted(end, part.l?.[k + side], group, at)), !facing[0] && !facing[1]); }
  for (const {w, o, of, rim, points} of solids.filter(s => s.w))
    for (const ends of rim) line({c: o, w, d: 0, h: 1, y: 2, s: of, joined: 1}, 0, ...ends.map(k => points[k]));
  const all = [...styles].map(([key, d]) => [...key.split(','), d]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const drawn = ([, , c, opacity, width, dashes, cap, d]) => `<path d="${d}" stroke="${c}" stroke-opacity="${opacity}" `
    + `fill="none" stroke-width="${width}" stroke-linecap="${cap}"${dashes && ` stroke-dasharray="${dashes}"`}/>`;
  const some = ground => all.filter(style => (style[0] === '0') === ground).map(drawn).join('');
  return [some(true), some(false) + heads.join('')]; }
function marks(batches, solids, at) {
  return batches.flatMap(part => rows(part.p).map(row => [part, at.point(part.p, row)])).map(([part, point]) => {
    const [x, y] = at.screen(point).map(v => v.toFixed(1)), hidden = part.h && solids.some(s => hides(s, point));
    if (hidden && part.h === 3 || at.near(point)) return '';
    return `<g transform="translate(${x} ${y})"${hidden ? ' opacity=".4"' : ''}>${pieces[part.e]}</g>`; }).join(''); }
function labels(parts, groups, at) { // the most important first; one that would cover another is left out
  const taken = [];
  return parts.map(({p, l, g, o, e, w, h, b}) => {
    const group = groups[g], point = lifted(at.point(p), l, group, at), place = at.screen(point);
    const half = [w / 2, h / 2, 0], edge = group ? 70 * at.d : 0;
    const ways = group && [group.axis, group.side].map(side => unit(way(place, at.screen(plus(point, side, 1e-3)))));
    const to = plus(place, group ? plus(times(ways[0], o[0]), ways[1], o[1]) : [...o, 0]);
    const middle = to.map((v, k) => within(v, half[k], at.size[k] - half[k]));
    const [x, y] = way(half, middle).map(Math.round);
    const clear = ([m, size]) => [0, 1].some(k => Math.abs(m[k] - middle[k]) >= size[k] + half[k]);
    if (at.near(point) || place.some((v, k) => v < -edge || v > at.size[k] + edge) || !taken.every(clear)) return '';
    taken.push([middle, half]); return `<g transform="translate(${x} ${y + b})">${pieces[e]}</g>`; }).join(''); }
function drawn(view, turn) {
  const at = lens(view, turn), of = kind => view.t.map(number => parts[number]).filter(part => part.k === kind);
  const groups = of('g').map(group => sideOf(group, at)), solids = of('s').map((part, of) => solidOf(part, at, of));
  const [ground, above] = lines(of('l'), solids, groups, at), points = marks(of('m'), solids, at);
  const inside = [ground, faces(solids, at), above, points, labels(of('t'), groups, at)].join('');
  return `<g transform="translate(${view.x} ${view.y})" stroke-linejoin="round">${inside}</g>`; }
const first = number => shown[number][0]?.v[0], svgs = pages.map(page => page.querySelector('figure svg'));
const now = () => pages.findIndex(page => page.classList.contains('shown')), isTurned = () => turn[0] || turn[1];
const hint = matchMedia('(pointer: coarse)').matches ? 'drag it sideways' : 'drag it, or press Shift and an arrow key';
let turn = [0, 0], from = turn, waiting = 0;
function draw(number) { if (!first(number)) return;
  const layer = svgs[number].querySelector('.turned'), button = svgs[number].nextSibling.lastChild;
  svgs[number].classList.toggle('turning', !!isTurned()); button.hidden = !isTurned();
  const pane = ({s, v}) => pieces[s] + v.map(view => drawn(view, turn)).join('') + '</g>';
  layer.innerHTML = isTurned() ? shown[number].map(pane).join('') : ''; }
function turned(yaw, pitch) {
  const up = first(now())?.a[1] ?? 0, to = within(up + turn[1] + pitch, min(-LIMIT, up), max(LIMIT, up));
  turn = [turn[0] + yaw, to - up]; waiting ||= requestAnimationFrame(() => { waiting = 0; draw(now()); }); }
function back() { turn = [0, 0]; draw(now()); }
pages.forEach((page, number) => { if (!first(number)) return;
  const svg = svgs[number], layer = svg.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
  layer.setAttribute('class', 'turned'); svg.classList.add('turns');
  const words = `To turn the picture, ${hint}. <button hidden>Back to the first view</button>`;
  svg.insertAdjacentHTML('afterend', `<figcaption class="turn">${words}</figcaption>`);
  svg.nextSibling.lastChild.addEventListener('click', back); svg.addEventListener('dblclick', back);
  svg.addEventListener('pointerdown', ({isPrimary, button, pointerId, clientX, clientY}) => {
    if (isPrimary && !button) { svg.setPointerCapture(pointerId); from = [clientX, clientY]; } });
  svg.addEventListener('pointermove', ({pointerId, clientX, clientY}) => {
    if (!svg.hasPointerCapture(pointerId)) return;
    turned((from[0] - clientX) * PI / 450, (clientY - from[1]) * PI / 450); from = [clientX, clientY]; });
  const observer = new MutationObserver(() => page.classList.contains('shown') && draw(number));
  observer.observe(page, {attributeFilter: ['class']}); });
addEventListener('keydown', event => {
  const side = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (!side || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  turned(side[0] * PI / 36, side[1] * PI / 36); event.preventDefault(); }, true);
})();
