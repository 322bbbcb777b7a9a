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
for (const part of parts) {
  let last = [0, 0, 0];
  part.points = part.points.map(step => last = plus(last, step));
}

function seen(view, turn) { // reach: of solids and bars, 1 at the pane's margin
  const at = lens(view, turn);
  const of = kind => view.parts.map(number => parts[number]).filter(part => part.kind === kind);
  const solids = of('solid').map((part, number) => solidOf(part, at, number));
  const groups = of('group').map(group => turnedGroup(group, solids, at));
  const points = [...groups.flatMap(group => group.bars), ...solids.flatMap(solid => solid.sheet ? [] : solid.points)];
  const share = (v, k) => Math.abs(v[k] - at.middle[k]) / (at.middle[k] - 5 * at.density);
  return {at, of, solids, groups, reach: max(1, ...points.map(at.screen).flatMap(v => [share(v, 0), share(v, 1)]))};
}

function meets(box, view, {at, groups}) { // whether bars of rails reach into an inset, as the world's axes
  const points = groups.flatMap(({bars: [low, high]}) => low ? ALONG.map(k => plus(low, way(low, high), k)) : []);
  const inside = (place, size) => place > 0 && place < size;
  const isInside = ([x, y]) => inside(x + view.x - box.x, box.width) && inside(y + view.y - box.y, box.height);
  return points.map(at.screen).some(isInside);
}

function drawn(view, turn, insets) { // smaller where solids and bars would leave the pane, or bars enter an inset
  view.reach ??= seen(view, [0, 0]).reach;
  const scene = seen(view, turn);
  const {at, of, solids, groups} = scene;
  at.zoom = min(1, view.reach / scene.reach);
  while (at.zoom > LEAST_ZOOM && insets.some(box => meets(box, view, scene))) at.zoom *= .96;
  const [ground, above] = lines(of('lines'), solids, groups, at);
  const [leaders, words] = labels(of('label'), groups, at);
  const inside = [ground, faces(solids, at), above, leaders, marks(of('marks'), solids, at), words];
  return `<g transform="translate(${view.x} ${view.y})" stroke-linejoin="round">${inside.join('')}</g>`;
}

const svgs = pages.map(page => page.querySelector('figure svg'));
const hint = matchMedia('(pointer: coarse)').matches ? 'drag it sideways' : 'drag it, or press Shift and an arrow key';
const now = () => pages.findIndex(page => page.classList.contains('shown'));
let turn = [0, 0];
let waiting = 0;

function draw() {
  const svg = svgs[now()];
  if (!svg?.matches('.turns')) return;
  const turned = turn[0] !== 0 || turn[1] !== 0;
  const inside = views => views.map((view, k) => drawn(view, turn, k ? [] : views.slice(1))).join('');
  const panes = turned ? shown[now()].map(({still, views}) => `${pieces[still]}${inside(views)}</g>`) : [];
  svg.classList.toggle('turning', turned);
  svg.nextSibling.lastChild.hidden = !turned;
  svg.querySelector('.turned').innerHTML = panes.join('');
}

function turnTo(to) { // draws at most once a frame, so that a finger's scrolling is not held up
  turn = to;
  waiting ||= requestAnimationFrame(() => {
    waiting = 0;
    draw();
  });
}

function turnBy(yaw, pitch) {
  const start = shown[now()]?.[0]?.views[0].angles[1] ?? 0;
  const to = within(start + turn[1] + pitch, min(-MOST_PITCH, start), max(MOST_PITCH, start));
  turnTo([turn[0] + yaw, to - start]);
}

function makeTurn(svg) {
  let from = [0, 0];
  let before = turn;
  const words = `To turn the picture, ${hint}. <button hidden>Back to the first view</button>`;
  svg.classList.add('turns');
  svg.insertAdjacentHTML('beforeend', '<g class="turned"/>');
  svg.insertAdjacentHTML('afterend', `<figcaption class="turn">${words}</figcaption>`);
  svg.nextSibling.lastChild.onclick = svg.ondblclick = () => turnTo([0, 0]);
  svg.onpointercancel = () => turnTo(before);
  svg.onpointerdown = event => {
    if (!event.isPrimary || event.button) return;
    svg.setPointerCapture(event.pointerId);
    from = [event.clientX, event.clientY];
    before = turn;
  };
  svg.onpointermove = event => {
    if (!svg.hasPointerCapture(event.pointerId)) return;
    turnBy((from[0] - event.clientX) * PIXEL, (event.clientY - from[1]) * PIXEL);
    from = [event.clientX, event.clientY];
  };
}

svgs.filter((_, number) => shown[number]?.length).forEach(makeTurn);
new MutationObserver(draw).observe(pages[0].parentNode, {subtree: true, attributeFilter: ['class']});
addEventListener('keydown', event => {
  const arrow = ARROWS[event.key];
  if (!arrow || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  turnBy(arrow[0] * KEY, arrow[1] * KEY);
  event.preventDefault();
}, true);
