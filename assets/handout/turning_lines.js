// Turned groups, lines, marks and labels of a turned picture.
const DOWN = [.208, -.978, 0];
const CLEAR = 5; // points between a bar and a body
const DASHES = [[], [4, 3], [.01, 2.99], [6, 2.5, 1, 2.5]];
const BROKEN = 2; // of hidden stretches: 1 faint, 2 broken, 3 left out
const LEFT_OUT = 3;

function turnedGroup(group, solids, at) { // as in the first view; lifts are longer where a bar would lie on a body
  const along = (a, b) => times(a, dot(a, b) < -1e-6 ? -1 : 1);
  const [origin] = group.points.map(at.point);
  const axis = unit(at.turned(group.axis));
  const eye = at.eye(origin);
  const sight = unit(eye);
  const across = cross(axis, sight);
  const beside = hypot(...across) < 1e-4 ? DOWN : unit(along(across, DOWN));
  const upright = along(cross(beside, sight), axis);
  const [up, aside, nearer] = times(group.shift, at.scale);
  const shift = plus(plus(times(upright, up), beside, aside), sight, nearer);
  const foot = reach => plus(plus(origin, shift), axis, reach * group.stretch * at.scale);
  const place = (reach, lift) => plus(foot(reach), beside, lift * group.factor * at.scale);
  const out = unit(way(at.screen(foot(0)), at.screen(place(0, group.outer))));
  const rise = v => dot(at.screen(v), out);
  const outline = max(...group.bodies.flatMap(number => solids[number].points.map(rise))) + CLEAR * at.density;
  const needed = (start, inner) => (outline - start) / (inner - start);
  const share = max(1, ...group.bars.map(reach => needed(rise(foot(reach)), rise(place(reach, group.inner)))));
  const sine = min(at.perspective * group.ball * at.scale / hypot(...eye), .99);
  return {
    origin, axis, shift,
    side: times(beside, group.factor * share),
    stretch: group.stretch,
    bend: way(axis, group.ball ? upright : axis),
    grow: 1 / Math.sqrt(1 - sine * sine),
    bars: group.bars.map(reach => place(reach, group.outer * share)),
  };
}

function lifted(point, lift, group, at) { // of a ball's circle: on the ball's outline as seen
  if (!group) return point;
  let arms = plus(way(group.origin, point), group.side, lift * at.scale);
  if (lift) arms = plus(plus(arms, group.axis, (group.stretch - 1) * dot(arms, group.axis)), group.shift);
  return plus(group.origin, plus(arms, group.bend, dot(arms, group.axis)), group.grow);
}

function lines(parts, solids, groups, at) { // SVG of the ground, and of the other lines with their heads
  const found = [];
  for (const part of parts) {
    for (let row = 0; row < part.points.length / 2; row++) {
      const pair = [2 * row, 2 * row + 1];
      const ends = pair.map(end => at.point(part.points[end]));
      const facing = pair.map(k => !part.normals || dot(unit(at.turned(part.normals[k])), at.eye(ends[0])) > FACING);
      if (part.creases && !part.creases[row] && facing[0] === facing[1]) continue;
      const [a, b] = ends.map((end, k) => lifted(end, part.lifts?.[pair[k]], groups[each(part.groups, row)], at));
      found.push({...part, row, a, b, own: !facing[0] && !facing[1]});
    }
  }
  for (const {width, outline, number, rim} of solids.filter(solid => solid.width)) {
    const part = {colours: outline, widths: width, dashes: 0, hidden: 1, layer: 2, solid: number, joined: 1, row: 0};
    found.push(...rim.map(([a, b]) => ({...part, a, b})));
  }
  const drawn = found.map(line => drawLine(line, solids, at));
  const strokes = joined(drawn.flatMap(line => line.strokes));
  strokes.sort(([one], [other]) => one.slice(0, 2) - other.slice(0, 2));
  const svg = strokes => strokes.map(([look, d]) => `${look.slice(2)} d="${d}"/>`).join('');
  const [ground, above] = [true, false].map(is => svg(strokes.filter(([look]) => (look[0] === '0') === is)));
  return [ground, above + drawn.flatMap(line => line.heads).join('')];
}

function drawLine(line, solids, at) { // its stretches as pairs of a look, which begins with its place in order, and data
  const {a, b, row} = line;
  const width = each(line.widths, row) * at.density;
  const dash = each(line.dashes, row);
  const [ink, alpha] = colours[each(line.colours, row)];
  const shadows = line.hidden ? solids.filter(solid => solid.number !== line.solid) : [];
  const {from, to, heads} = withHeads(line, ink, alpha, shadows, at);
  const strokes = [];
  const add = (start, end, hidden) => {
    if (end <= start || hidden && line.hidden === LEFT_OUT) return;
    const broken = hidden && line.hidden === BROKEN;
    const pattern = DASHES[dash || +broken].map(v => v * max(width, 1));
    const cap = dash === 2 || line.joined && !pattern.length ? 'round' : 'butt';
    const look = `<path stroke="${ink}" stroke-opacity="${(alpha * (broken ? .5 : hidden ? .25 : 1)).toFixed(3)}"`
      + ` stroke-linecap="${cap}" stroke-width="${width.toFixed(2)}"`
      + ` stroke-dasharray="${pattern.join(' ') || 'none'}" fill="none"`;
    const ends = [start, end].map(t => at.screen(plus(a, way(a, b), t)));
    strokes.push([`${line.layer}${+!hidden}${look}`, path(ends, '')]);
  };
  const behind = shadows.map(solid => clip(solid.planes, a, b)).filter(([start, end]) => end - start > 1e-6);
  const spans = line.hidden && line.own ? [[0, 1]] : behind.sort((one, other) => one[0] - other[0]);
  let done = from;
  for (const [start, end] of [...spans, [to, to]]) {
    add(done, min(start, to), false);
    add(max(done, start), min(end, to), true);
    done = max(done, end);
  }
  return {strokes, heads};
}

function withHeads(line, ink, alpha, shadows, at) { // heads, and the stretch of the line that they leave
  const {a, b} = line;
  const flat = way(at.screen(a), at.screen(b));
  const long = hypot(...flat) || 1;
  const most = long * (line.start_head && line.end_head ? .35 : .7);
  const kept = clip([[0, 0, at.perspective, at.perspective ? NEAR - 1 : -1]], a, b);
  const heads = [[a, b, line.start_head, 1], [b, a, line.end_head, -1]].map(([here, there, wanted, sign], k) => {
    const size = min((wanted ?? 0) * at.density, most);
    const hidden = line.hidden && (line.own || shadows.some(solid => hides(solid, here)));
    if (!size || at.near(a) || at.near(b) || hidden && line.hidden === LEFT_OUT) return '';
    const share = .8 * size / long;
    const cut = share * at.away(here) / (at.away(there) + share * (at.away(here) - at.away(there)));
    kept[k] = k ? min(kept[1], 1 - cut) : max(kept[0], cut);
    const head = times(flat, sign * size / long);
    const corners = [0, .467, -.467].map(t => plus(plus(at.screen(here), head, +!!t), [-head[1], head[0], 0], t));
    return `<path d="${path(corners)}" fill="${ink}" fill-opacity="${alpha * (hidden ? .25 : 1)}"/>`;
  });
  return {from: kept[0], to: kept[1], heads};
}

function marks(parts, solids, at) {
  const mark = (part, point) => {
    const [x, y] = at.screen(point).map(v => v.toFixed(1));
    const hidden = part.hidden && solids.some(solid => hides(solid, point));
    if (hidden && part.hidden === LEFT_OUT || at.near(point)) return '';
    return `<g transform="translate(${x} ${y})"${hidden ? ' opacity=".4"' : ''}>${pieces[part.piece]}</g>`;
  };
  return parts.flatMap(part => part.points.map(point => mark(part, at.point(point)))).join('');
}

function labels(parts, groups, at) { // leaders, words; the most important first, one that would cover another left out
  const taken = [];
  const found = parts.map(label => {
    const group = groups[label.group];
    const point = lifted(at.point(label.points[0]), label.lift, group, at);
    const place = at.screen(point);
    const half = [label.width / 2, label.height / 2, 0];
    const screenWay = side => unit(way(place, at.screen(plus(point, side, 1e-3))));
    const [along, aside] = group ? [group.axis, group.side].map(screenWay) : [[1, 0, 0], [0, 1, 0]];
    const offset = plus(times(along, label.offset[0]), aside, label.offset[1]);
    const middle = plus(place, offset).map((v, k) => within(v, half[k], 2 * at.middle[k] - half[k]));
    const room = group ? 70 * at.density : 0;
    const outside = place.some((v, k) => v < -room || v > 2 * at.middle[k] + room);
    const covers = ([other, size]) => [0, 1].every(k => Math.abs(other[k] - middle[k]) < size[k] + half[k]);
    if (at.near(point) || outside || taken.some(covers)) return [];
    taken.push([middle, half]);
    const [x, y] = way(half, middle).map(Math.round);
    const end = place.map((v, k) => within(v, middle[k] - half[k], middle[k] + half[k]));
    const leader = hypot(...way(place, end)) > label.lead ? path([place, end], '') : '';
    const words = `<g transform="translate(${x} ${y + label.baseline})">${pieces[label.piece]}</g>`;
    return [...label.leader.map(piece => `<path d="${leader}" ${pieces[piece]}/>`), words].reverse();
  });
  const [words, lines, rims] = [0, 1, 2].map(k => found.map(each => each[k]).join(''));
  return [rims + lines, words];
}
