// Turned groups, lines, marks and labels of a turned picture.
function turnedGroup(group, solids, at) { // as in the first view; lifts are longer where a bar would lie on a body
  const origin = at.point(group.points);
  const axis = at.direction(group.axis);
  const eye = at.eye(origin);
  const sight = unit(eye);
  const across = cross(axis, sight);
  const beside = hypot(...across) < 1e-4 ? DOWN : unit(along(across, DOWN));
  const upright = along(cross(beside, sight), axis);
  const side = times(beside, group.factor);
  const [up, aside, nearer] = times(group.shift, at.scale);
  const shift = plus(plus(times(upright, up), beside, aside), sight, nearer);
  const foot = reach => plus(plus(origin, shift), axis, reach * group.stretch * at.scale);
  const place = (reach, lift) => plus(foot(reach), side, lift * at.scale);
  const out = unit(way(at.screen(foot(0)), at.screen(place(0, group.outer))));
  const rise = v => dot(at.screen(v), out);
  const outline = max(...group.bodies.flatMap(number => solids[number].points.map(rise))) + 5 * at.density;
  const shares = group.bars.map(reach => {
    const start = rise(foot(reach));
    return (outline - start) / (rise(place(reach, group.inner)) - start);
  });
  const share = max(1, ...shares);
  const sine = min(at.perspective * group.ball * at.scale / hypot(...eye), .99);
  return {
    origin, axis, shift,
    side: times(side, share),
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

function lines(batches, solids, groups, at) { // SVG of the ground, and of the other lines with their heads
  const styles = new Map();
  const heads = [];
  const line = (part, row, a, b, own) => drawLine({...part, row, a, b, own}, solids, at, styles, heads);
  for (const part of batches) {
    for (let row = 0; row < part.points.length / 6; row++) {
      const pair = [2 * row, 2 * row + 1];
      const group = groups[each(part.groups, row)];
      const ends = pair.map(end => at.point(part.points, end));
      const facing = pair.map(k => !part.normals || dot(at.direction(part.normals, k), at.eye(ends[0])) > FACING);
      if (part.creases && !part.creases[row] && facing[0] === facing[1]) continue;
      const drawn = ends.map((end, k) => lifted(end, part.lifts?.[pair[k]], group, at));
      line(part, row, ...drawn, !facing[0] && !facing[1]);
    }
  }
  for (const {width, outline, number, rim, points} of solids.filter(solid => solid.width)) {
    const part = {colours: outline, widths: width, dashes: 0, hidden: 1, layer: 2, solid: number, joined: 1};
    for (const ends of rim) line(part, 0, ...ends.map(k => points[k]));
  }
  const all = [...styles].sort(([one], [other]) => one.slice(0, 2) - other.slice(0, 2));
  const some = ground => all.filter(([key]) => (key[0] === '0') === ground);
  const svg = ([key, stretches]) => `${key.slice(2)}${stretches}"/>`;
  return [some(true).map(svg).join(''), [...some(false).map(svg), ...heads].join('')];
}

function drawLine(line, solids, at, styles, heads) { // adds stretches to `styles`, heads to `heads`
  const {a, b, own, row} = line;
  const width = each(line.widths, row) * at.density;
  const dash = each(line.dashes, row);
  const [ink, alpha] = colours[each(line.colours, row)];
  const shadows = line.hidden ? solids.filter(solid => solid.number !== line.solid) : [];
  const drop = line.hidden === 3;
  const [from, to] = withHeads(line, ink, alpha, shadows, at, heads);
  const add = (start, end, hidden) => {
    const stretch = [max(start, from), min(end, to)];
    if (stretch[1] <= stretch[0] || hidden && drop) return;
    const broken = hidden && line.hidden === 2;
    const pattern = DASHES[dash || (broken ? 1 : 0)].map(v => v * max(width, 1));
    const opacity = alpha * (hidden ? broken ? .5 : .25 : 1);
    const cap = dash === 2 || line.joined && !pattern.length ? 'round' : 'butt';
    const key = `${line.layer}${+!hidden}<path stroke="${ink}" stroke-opacity="${opacity.toFixed(3)}" `
      + `stroke-linecap="${cap}" stroke-width="${width.toFixed(2)}" `
      + `stroke-dasharray="${pattern.join(' ') || 'none'}" fill="none" d="`;
    const drawn = path(stretch.map(t => at.screen(plus(a, way(a, b), t))), '');
    styles.set(key, (styles.get(key) ?? '') + drawn);
  };
  const behind = shadows.map(solid => clip(solid.planes, a, b)).filter(([start, end]) => end - start > 1e-6);
  const spans = line.hidden && own ? [[0, 1]] : behind.sort((one, other) => one[0] - other[0]);
  let done = 0;
  for (const [start, end] of spans) {
    add(done, start);
    add(max(done, start), end, true);
    done = max(done, end);
  }
  add(done, 1);
}

function withHeads(line, ink, alpha, shadows, at, heads) { // the stretch of the line that its heads leave
  const {a, b} = line;
  const sizes = [line.start_head ?? 0, line.end_head ?? 0].map(size => size * at.density);
  const ends = [a, b].map(at.screen);
  const flat = way(...ends);
  const long = hypot(...flat) || 1;
  const most = long * .7 * (sizes[0] && sizes[1] ? .5 : 1);
  let [from, to] = clip([[0, 0, at.perspective, at.perspective ? NEAR - 1 : -1]], a, b);
  sizes.forEach((wanted, k) => {
    const size = min(wanted, most);
    const [here, there] = (k ? [b, a] : [a, b]).map(at.away);
    const hidden = line.hidden && (line.own || shadows.some(solid => hides(solid, [a, b][k])));
    if (!size || min(here, there) < NEAR || hidden && line.hidden === 3) return;
    const share = .8 * size / long;
    const cut = share * here / (there + share * (here - there));
    if (k) to = min(to, 1 - cut);
    else from = max(from, cut);
    const head = times(flat, (k ? 1 : -1) * size / long);
    const corners = [.467, -.467].map(t => plus(way(head, ends[k]), [-head[1], head[0], 0], t));
    const opacity = alpha * (hidden ? .25 : 1);
    heads.push(`<path d="${path([ends[k], ...corners])}" fill="${ink}" fill-opacity="${opacity}"/>`);
  });
  return [from, to];
}

function marks(batches, solids, at) {
  const mark = (part, point) => {
    const [x, y] = at.screen(point).map(v => v.toFixed(1));
    const hidden = part.hidden && solids.some(solid => hides(solid, point));
    if (hidden && part.hidden === 3 || at.near(point)) return '';
    return `<g transform="translate(${x} ${y})"${hidden ? ' opacity=".4"' : ''}>${pieces[part.piece]}</g>`;
  };
  return batches.flatMap(part => rows(part.points).map(row => mark(part, at.point(part.points, row)))).join('');
}

function labels(parts, groups, at) { // the most important first; one that would cover another is left out
  const taken = [];
  return parts.map(label => {
    const group = groups[label.group];
    const point = lifted(at.point(label.points), label.lift, group, at);
    const place = at.screen(point);
    const half = [label.width / 2, label.height / 2, 0];
    let offset = [...label.offset, 0];
    if (group) {
      const [along, aside] = [group.axis, group.side].map(side => unit(way(place, at.screen(plus(point, side, 1e-3)))));
      offset = plus(times(along, offset[0]), aside, offset[1]);
    }
    const middle = plus(place, offset).map((v, k) => within(v, half[k], at.size[k] - half[k]));
    const room = group ? 70 * at.density : 0;
    const outside = place.some((v, k) => v < -room || v > at.size[k] + room);
    const covers = ([other, size]) => [0, 1].every(k => Math.abs(other[k] - middle[k]) < size[k] + half[k]);
    if (at.near(point) || outside || taken.some(covers)) return '';
    taken.push([middle, half]);
    const [x, y] = way(half, middle).map(Math.round);
    const end = place.map((v, k) => within(v, middle[k] - half[k], middle[k] + half[k]));
    const leader = hypot(...way(place, end)) > label.lead ? path([place, end], '') : '';
    const words = `<g transform="translate(${x} ${y + label.baseline})">${pieces[label.piece]}</g>`;
    return `<path d="${leader}" ${pieces[label.leader]}/>${words}`;
  }).join('');
}
