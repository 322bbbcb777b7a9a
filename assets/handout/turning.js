// Draws a handout's pictures from other sides: app/export/turning.py packs their data, app/draw/layout has the rules.
const MOST_PITCH = .4995 * Math.PI;
const PIXEL = Math.PI / 450;
const KEY = Math.PI / 36;
const LEAST_ZOOM = .7;
const ALONG = [0, .125, .25, .375, .5, .625, .75, .875, 1]; // shares of a rail's length at which it is tested
const ARROWS = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
const bytes = Uint8Array.from(atob('{data}'), letter => letter.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
const [parts, colours, pieces, shown] = await new Response(unpacked).json();
for (const {points = []} of parts) {
  for (let k = 3; k < points.length; k++) points[k] += points[k - 3];
}

function looked(view, turn, zoom = 1) { // reach: of solids and bars, 1 at the pane's border
  const at = lens(view, turn, zoom);
  const of = kind => view.parts.map(number => parts[number]).filter(part => part.kind === kind);
  const solids = of('solid').map((part, number) => solidOf(part, at, number));
  const groups = of('group').map(group => turnedGroup(group, solids, at));
  const points = solids.flatMap(solid => solid.sheet ? [] : solid.points);
  const places = [...groups.flatMap(group => group.bars), ...points].map(at.screen);
  const share = (v, k) => Math.abs(2 * v[k] - at.size[k]) / (at.size[k] - 10 * at.density);
  return {at, of, solids, groups, reach: max(1, ...places.flatMap(v => [share(v, 0), share(v, 1)]))};
}

function meet({at, groups}, view, insets) { // whether bars of rails reach into an inset, as the world's axes
  const points = groups.flatMap(({bars: [low, high]}) => low ? ALONG.map(k => plus(low, way(low, high), k)) : []);
  const places = points.map(at.screen).map(([x, y]) => [x + view.x, y + view.y]);
  return insets.some(box => places.some(([x, y]) => within(x, box.x, box.x + box.width) === x
    && within(y, box.y, box.y + box.height) === y));
}

function drawn(view, turn, insets) { // smaller where solids and bars reach out of the pane, or bars into an inset
  view.reach ??= looked(view, [0, 0]).reach;
  let seen = looked(view, turn);
  let zoom = min(1, view.reach / seen.reach);
  if (zoom < 1) seen = looked(view, turn, zoom);
  while (zoom > LEAST_ZOOM && meet(seen, view, insets)) seen = looked(view, turn, zoom *= .96);
  const {at, of, solids, groups} = seen;
  const [ground, above] = lines(of('lines'), solids, groups, at);
  const words = labels(of('label'), groups, at);
  const inside = [ground, faces(solids, at), above, marks(of('marks'), solids, at), words].join('');
  return `<g transform="translate(${view.x} ${view.y})" stroke-linejoin="round">${inside}</g>`;
}

const svgs = pages.map(page => page.querySelector('figure svg'));
const hint = matchMedia('(pointer: coarse)').matches ? 'drag it sideways' : 'drag it, or press Shift and an arrow key';
const first = number => shown[number]?.[0]?.views[0];
const now = () => pages.findIndex(page => page.classList.contains('shown'));
let turn = [0, 0];
let waiting = 0;

function draw(number) {
  if (!first(number)) return;
  const svg = svgs[number];
  const turned = turn[0] !== 0 || turn[1] !== 0;
  const pane = ({still, views}) => pieces[still] + views.map((view, k) => drawn(view, turn, k ? [] : views.slice(1))).join('') + '</g>';
  svg.classList.toggle('turning', turned);
  svg.nextSibling.lastChild.hidden = !turned;
  svg.querySelector('.turned').innerHTML = turned ? shown[number].map(pane).join('') : '';
}

function put(to) { // draws at most once a frame
  turn = to;
  waiting ||= requestAnimationFrame(() => {
    waiting = 0;
    draw(now());
  });
}

function turnBy(yaw, pitch) {
  const start = first(now())?.angles[1] ?? 0;
  const to = within(start + turn[1] + pitch, min(-MOST_PITCH, start), max(MOST_PITCH, start));
  put([turn[0] + yaw, to - start]);
}

function makeTurn(svg) {
  let from = [0, 0];
  let before = turn;
  const words = `To turn the picture, ${hint}. <button hidden>Back to the first view</button>`;
  svg.classList.add('turns');
  svg.insertAdjacentHTML('beforeend', '<g class="turned"/>');
  svg.insertAdjacentHTML('afterend', `<figcaption class="turn">${words}</figcaption>`);
  svg.nextSibling.lastChild.addEventListener('click', () => put([0, 0]));
  svg.addEventListener('dblclick', () => put([0, 0]));
  svg.addEventListener('pointerdown', event => {
    if (!event.isPrimary || event.button) return;
    svg.setPointerCapture(event.pointerId);
    from = [event.clientX, event.clientY];
    before = turn;
  });
  svg.addEventListener('pointermove', event => {
    if (!svg.hasPointerCapture(event.pointerId)) return;
    turnBy((from[0] - event.clientX) * PIXEL, (event.clientY - from[1]) * PIXEL);
    from = [event.clientX, event.clientY];
  });
  svg.addEventListener('pointercancel', () => put(before));
}

svgs.filter((_, number) => first(number)).forEach(makeTurn);
new MutationObserver(() => draw(now())).observe(pages[0].parentNode, {subtree: true, attributeFilter: ['class']});
addEventListener('keydown', event => {
  const arrow = ARROWS[event.key];
  if (!arrow || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  turnBy(arrow[0] * KEY, arrow[1] * KEY);
  event.preventDefault();
}, true);
