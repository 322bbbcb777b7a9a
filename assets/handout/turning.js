// Draws a handout's pictures from other sides: app/export/turning.py packs what, app/draw/layout has the rules.
(async () => { if (!window.DecompressionStream) return;
const PART = .1, UNIT = 1e4, NEAR = .01, SEEN = 5e-4, PI = Math.PI, LIMIT = .4995 * PI, DOWN = [.208, -.978, 0];
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
const rgb = c => colours[c][0], alpha = c => colours[c][1];
const mixed = c => `rgb(${c.map(v => Math.round(255 * within(v, 0, 1))).join(' ')})`;
const path = (points, end = 'Z') => 'M' + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L') + end;
const hides = (solid, point) => solid.planes.every(plane => over(plane, point) <= 0);
function lens(view, [yaw, pitch], zoom) {
  const {p, w, h, a: [y, up]} = view, f = view.f * zoom, s = PART / view.f;
  const [cy, sy, cp, sp] = [cos(y + yaw), sin(y + yaw), cos(up + pitch), sin(up + pitch)];
  let axes = [[cy, 0, -sy], [-sy * sp, cp, -cy * sp], [sy * cp, sp, cy * cp]];
  if (view.z) axes = axes.map(([a, b, c]) => [a, -c, b]);
  const read = by => (list, row = 0) => axes.map(axis => dot(axis, list.slice(3 * row, 3 * row + 3)) * by);
  const away = v => 1 - p * v[2], flat = v => times(v, 1 / max(away(v), NEAR));
  const screen = v => { const [a, b] = flat(v); return [w / 2 + a * f, h / 2 - b * f, 0]; };
  return {...view, s, size: [w, h, 0], point: read(s), direction: read(1 / UNIT), away, flat, screen,
    eye: v => [-p * v[0], -p * v[1], away(v)], near: v => away(v) < NEAR}; }
function clip(planes, a, b) { // the stretch of a line, from 0 to 1, that lies behind all planes
  let from = 0, to = 1;
  for (const plane of planes) {
    const at = over(plane, a), fall = at - over(plane, b);
    if (fall > 0) from = max(from, at / fall); else if (fall < 0) to = min(to, at / fall);
    else if (at > 0) return [1, 0]; }
  return [from, to]; }
function solidOf(part, at, of) {
  const {sheet} = part, points = rows(part.p).map(row => at.point(part.p, row)), edges = new Set();
  const solid = {...part, points, of, near: max(...points.map(v => v[2])), front: [], back: [], planes: [], rim: []};
  (points.some(at.near) ? [] : part.f).forEach((loop, k) => {
    const corners = loop.map(number => points[number]), ends = loop.map((a, i) => [a, loop[(i + 1) % loop.length]]);
    let n = unit(corners.map((c, i) => cross(c, points[ends[i][1]])).reduce((sum, pair) => plus(sum, pair)));
    if (sheet && dot(n, at.eye(corners[0])) < 0) n = times(n, -1);
    const seen = sheet || dot(n, at.eye(corners[0])) > SEEN, plane = [...n, -dot(n, corners[0])];
    const face = {corners, n, plane, c: each(part.c, k), of, near: solid.near, sheet, x: seen && part.x?.[k]};
    (seen && !part.g ? solid.front : solid.back).push(face);
    if (seen) solid.planes.push([...n, plane[3] + 2 * at.s]);
    if (seen) solid.rim.push(...ends); else ends.forEach(([a, b]) => edges.add(`${b} ${a}`)); });
  solid.rim = solid.rim.filter(([a, b]) => edges.has(`${a} ${b}`));
  for (const [a, b] of solid.rim) {
    const [u, v] = [a, b].map(k => at.flat(points[k])), [x, y] = way(u, v);
    const n = unit([y, -x, at.p * (y * u[0] - x * u[1])]);
    solid.planes.push([...n, 2 * at.s - dot(n, points[a])]); }
  return part.g || sheet || !solid.front.length ? {...solid, planes: [[0, 0, 0, 1]]} : solid; }
function painted(faces, at, round) { // as shaders/solids does
  const layers = {}, hatched = []; // by opacity and colour
  for (const {corners, n, c, x} of faces) {
    const inside = n[2] < 0 ? -1 : 1, m = times(n, inside), [, own, base] = colours[c];
    const light = .6 + .38 * max(dot(m, LIGHT), 0) + .14 * (.5 + .5 * m[1]), dim = min(light, 1);
    const gleam = .16 * max(dot(m, HALFWAY), 0) ** 24 + max(light - 1, 0), rim = round ? 1 / 6 : (1 - m[2]) ** 2;
    const deep = base.map(v => v * dim + .6 * (v ** (1 / dim) - v * dim)), turned = inside < 0;
    const lit = deep.map(v => (v + (1 - v) * gleam) * (turned ? .9 : 1)), opacity = own + (1 - own) * .22 * rim;
    const ink = mixed(lit), by = (opacity * (own > 1e-6) * (turned ? .6 : 1)).toFixed(3), fills = layers[by] ??= {};
    const fill = `fill="${ink}"` + (round ? ` stroke="${ink}" stroke-width="${at.d}"` : '');
    const d = path(corners.map(at.screen));
    fills[fill] = (fills[fill] ?? '') + d;
    for (const name of x || []) hatched.push(`<path fill="url(#${name})" d="${d}"/>`); }
  const all = fills => Object.entries(fills).map(([fill, d]) => `<path ${fill} d="${d}"/>`).join('');
  return Object.entries(layers).map(([by, fills]) => `<g opacity="${by}">${all(fills)}</g>`).concat(hatched).join(''); }
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
function turnedGroup(group, solids, at) { // lifts are as in the first view, or more where a bar would lie on a body
  const origin = at.point(group.p), axis = at.direction(group.a), eye = at.eye(origin), across = cross(axis, unit(eye));
  const long = hypot(...across), same = (a, b) => dot(a, b) < -1e-6 ? -1 : 1;
  const beside = long < 1e-4 ? DOWN : times(across, same(across, DOWN) / long), side = times(beside, group.f);
  const place = (along, lift) => plus(plus(origin, axis, along * at.s), side, lift * at.s);
  const out = unit(way(at.screen(origin), at.screen(place(0, group.o)))), height = v => dot(at.screen(v), out);
  const outline = max(...group.h.flatMap(number => solids[number].points.map(height))) + 6.5 * at.d;
  const shares = group.b.map(along => [0, group.i].map(lift => height(place(along, lift))));
  const share = max(1, ...shares.map(([foot, bar]) => (outline - foot) / (bar - foot)));
  const up = group.r ? cross(beside, unit(eye)) : axis, sine = min(at.p * group.r * at.s / hypot(...eye), .99);
  return {origin, axis, side: times(side, share), bend: plus(times(up, same(up, axis)), axis, -1),
    grow: 1 / Math.sqrt(1 - sine * sine), bars: group.b.map(along => place(along, group.o * share))}; }
function lifted(point, lift, group, at) { // of a ball's circle: on the ball's outline as seen
  if (!group) return point;
  const arms = plus(way(group.origin, point), group.side, lift * at.s);
  return plus(group.origin, plus(arms, group.bend, dot(arms, group.axis)), group.grow); }
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
      const opacity = (alpha(c) * (hidden ? broken ? .5 : .25 : 1)).toFixed(3);
      const cap = dash === 2 || part.joined && !pattern.length ? 'round' : 'butt';
      const key = `${part.y}${+!hidden}<path stroke="${rgb(c)}" stroke-opacity="${opacity}" stroke-linecap="${cap}" `
        + `stroke-width="${width.toFixed(2)}" stroke-dasharray="${pattern.join(' ') || 'none'}" fill="none" d="`;
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
  const all = [...styles].sort(([one], [other]) => one.slice(0, 2) - other.slice(0, 2));
  const some = ground => all.filter(([key]) => (key[0] === '0') === ground).map(([key, d]) => `${key.slice(2)}${d}"/>`);
  return [some(true).join(''), [...some(false), ...heads].join('')]; }
function marks(batches, solids, at) {
  return batches.flatMap(part => rows(part.p).map(row => [part, at.point(part.p, row)])).map(([part, point]) => {
    const [x, y] = at.screen(point).map(v => v.toFixed(1)), hidden = part.h && solids.some(s => hides(s, point));
    if (hidden && part.h === 3 || at.near(point)) return '';
    return `<g transform="translate(${x} ${y})"${hidden ? ' opacity=".4"' : ''}>${pieces[part.e]}</g>`; }).join(''); }
function labels(parts, groups, at) { // the most important first; one that would cover another is left out
  const taken = [];
  return parts.map(({p, l, g, o, e, w, h, b, s}) => {
    const group = groups[g], point = lifted(at.point(p), l, group, at), place = at.screen(point);
    const half = [w / 2, h / 2, 0], edge = group ? 70 * at.d : 0;
    const ways = group && [group.axis, group.side].map(side => unit(way(place, at.screen(plus(point, side, 1e-3)))));
    const to = plus(place, group ? plus(times(ways[0], o[0]), ways[1], o[1]) : [...o, 0]);
    const middle = to.map((v, k) => within(v, half[k], at.size[k] - half[k]));
    const [x, y] = way(half, middle).map(Math.round);
    const clear = ([m, size]) => [0, 1].some(k => Math.abs(m[k] - middle[k]) >= size[k] + half[k]);
    if (at.near(point) || place.some((v, k) => v < -edge || v > at.size[k] + edge) || !taken.every(clear)) return '';
    taken.push([middle, half]);
    const end = place.map((v, k) => within(v, middle[k] - half[k], middle[k] + half[k]));
    const leader = hypot(...way(place, end)) > 16 * at.d ? path([place, end], '') : '';
    return `<path d="${leader}" ${pieces[s]}/><g transform="translate(${x} ${y + b})">${pieces[e]}</g>`; }).join(''); }
function looked(view, turn, zoom = 1) {
  const at = lens(view, turn, zoom), of = kind => view.t.map(number => parts[number]).filter(part => part.k === kind);
  const solids = of('s').map((part, of) => solidOf(part, at, of));
  const groups = of('g').map(group => turnedGroup(group, solids, at)), bars = groups.flatMap(group => group.bars);
  const places = [...bars, ...solids.flatMap(solid => solid.sheet ? [] : solid.points)].map(at.screen);
  const shares = places.flatMap(v => [0, 1].map(k => Math.abs(2 * v[k] - at.size[k]) / (at.size[k] - 10 * at.d)));
  return {at, of, solids, groups, reach: max(1, ...shares)}; }
function drawn(view, turn) { // smaller where solids and bars would reach farther out of the pane than in the first view
  view.reach ??= looked(view, [0, 0]).reach;
  const usual = looked(view, turn), zoom = view.reach / usual.reach;
  const {at, of, solids, groups} = zoom < 1 ? looked(view, turn, zoom) : usual;
  const [ground, above] = lines(of('l'), solids, groups, at), points = marks(of('m'), solids, at);
  const inside = [ground, faces(solids, at), above, points, labels(of('t'), groups, at)].join('');
  return `<g transform="translate(${view.x} ${view.y})" stroke-linejoin="round">${inside}</g>`; }
const first = number => shown[number]?.[0]?.v[0], svgs = pages.map(page => page.querySelector('figure svg'));
const now = () => pages.findIndex(page => page.classList.contains('shown')), isTurned = () => turn[0] || turn[1];
const hint = matchMedia('(pointer: coarse)').matches ? 'drag it sideways' : 'drag it, or press Shift and an arrow key';
let turn = [0, 0], from = turn, before = turn, waiting = 0;
function draw(number) { if (!first(number)) return;
  const layer = svgs[number].querySelector('.turned'), button = svgs[number].nextSibling.lastChild;
  svgs[number].classList.toggle('turning', !!isTurned()); button.hidden = !isTurned();
  const pane = ({s, v}) => pieces[s] + v.map(view => drawn(view, turn)).join('') + '</g>';
  layer.innerHTML = isTurned() ? shown[number].map(pane).join('') : ''; }
function put(to) { turn = to; waiting ||= requestAnimationFrame(() => { waiting = 0; draw(now()); }); }
function turned(yaw, pitch) {
  const up = first(now())?.a[1] ?? 0, to = within(up + turn[1] + pitch, min(-LIMIT, up), max(LIMIT, up));
  put([turn[0] + yaw, to - up]); }
pages.forEach((page, number) => { if (!first(number)) return;
  const svg = svgs[number], words = `To turn the picture, ${hint}. <button hidden>Back to the first view</button>`;
  svg.classList.add('turns'); svg.insertAdjacentHTML('beforeend', '<g class="turned"/>');
  svg.insertAdjacentHTML('afterend', `<figcaption class="turn">${words}</figcaption>`);
  svg.nextSibling.lastChild.addEventListener('click', () => put([0, 0]));
  svg.addEventListener('dblclick', () => put([0, 0])); svg.addEventListener('pointercancel', () => put(before));
  svg.addEventListener('pointerdown', ({isPrimary, button, pointerId, clientX, clientY}) => {
    if (isPrimary && !button) { svg.setPointerCapture(pointerId); from = [clientX, clientY]; before = turn; } });
  svg.addEventListener('pointermove', ({pointerId, clientX, clientY}) => {
    if (!svg.hasPointerCapture(pointerId)) return;
    turned((from[0] - clientX) * PI / 450, (clientY - from[1]) * PI / 450); from = [clientX, clientY]; }); });
new MutationObserver(() => draw(now())).observe(pages[0].parentNode, {subtree: true, attributeFilter: ['class']});
addEventListener('keydown', event => {
  const side = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (!side || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  turned(side[0] * PI / 36, side[1] * PI / 36); event.preventDefault(); }, true);
})();
