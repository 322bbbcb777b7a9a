function outlineOf(group, side, {origin, axis}, at) { // the line beyond which none of its bodies is seen
  const [low, high, inner] = group.b, feet = [low, high].map(t => plus(origin, axis, t * at.s));
  const lift = times(side, inner * at.s), [start, end] = feet.map(at.screen);
  const rise = way(start, at.screen(plus(feet[0], lift))), along = way(start, end);
  const normal = unit(hypot(...along) < 7 * at.d ? rise : [-along[1], along[0], 0]);
  const n = dot(normal, rise) < 0 ? times(normal, -1) : normal;
  const heights = group.h.flatMap(([number, radius]) => rows(parts[number].p).map(row => {
    const point = at.point(parts[number].p, row);
    return dot(way(start, at.screen(point)), n) + radius * PART / max(at.away(point), NEAR); }));
  const level = dot(way(start, [at.w / 2, at.h / 2, 0]), n) - heights.reduce((a, b) => max(a, b), 0) - 6.5 * at.d;
  const slope = [at.f * n[0], -at.f * n[1], -at.p * level], climb = dot(slope, lift);
  const shares = feet.map(foot => climb > 0 ? max(0, (-level - dot(slope, foot)) / climb) : Infinity);
  const middle = (shares[0] + shares[1]) / 2, slide = [-n[1], -n[0], 0];
  return {slope, level, lift, feet, slide, share: max(...shares), middle}; }
function squeezed(group, side, {slope, level, lift, slide, share, middle}, {origin, axis}, at) { // the longest copy
  if (share === Infinity) return null;
  const [low, high, inner, outer] = group.b, {f, p} = at, [x, y] = at.size.map(v => v / 2 - 5 * at.d);
  const planes = [[f, 0, p * x], [-f, 0, p * x], [0, -f, p * y], [0, f, p * y], times(slope, -1)];
  const rooms = [x, x, y, y, level + 1.5 * at.d];
  let best = null, most = 0;
  for (const [pitch, worth] of [[1, 1], [.7, .92], [.45, .82], [.25, .7]]) for (const k of to(4)) {
    const t = middle + (share - middle) * k / 3, flat = pitch * min(share, 1), borders = planes.map((plane, i) => {
      const [climb, along] = [dot(plane, lift), dot(plane, axis) * at.s], rise = max(0, climb * (outer / inner - 1));
      const room = rooms[i] - dot(plane, origin) - t * climb - (i < 4 ? flat * rise : 0);
      return [max(low * along, high * along), dot(plane, slide), room]; });
    const steep = 1e-6 * max(...borders.map(([, b]) => Math.abs(b)));
    const [up, down] = [1, -1].map(sign => borders.filter(([, b]) => sign * b > steep));
    const alone = borders.filter(([a, b]) => Math.abs(b) <= steep && a > 0).map(([a, , c]) => c / a);
    const sums = up.flatMap(([a, b, c]) => down.map(([d, e, g]) => [b * d - a * e, b * g - e * c]));
    const stretch = min(1, ...alone, ...sums.filter(([part]) => part > 0).map(([part, whole]) => whole / part));
    if (stretch * worth <= most + 1e-6) continue;
    const [above, below] = [up, down].map(some => some.map(([a, b, c]) => (c - a * stretch) / b));
    most = stretch * worth;
    const shift = plus(times(slide, min(max(0, ...below), ...above)), lift, t - flat);
    best = {side: times(side, flat), stretch, shift}; }
  return best?.stretch >= .3 ? best : null; }
function besideBodies(group, side, line, share, at) { // as app/draw/layout/frame.py turns, shortens and moves a rail
  const tip = 5 * at.d, [low, high, , outer] = group.b, found = [];
  for (const sign of [1, -1]) {
    const where = times(side, sign), outline = outlineOf(group, where, line, at);
    const inside = outline.feet.map(at.screen).every(v => [0, 1].every(k => v[k] >= 0 && v[k] <= at.size[k]));
    const most = inside ? share([[low, outer], [high, outer]], where, [tip, tip]) : -1;
    if (outline.share < Infinity && outline.share <= most) {
      const wanted = min(share(group.o, where, [tip, tip]), numbered(group, where, share, at));
      return {side: times(where, max(min(max(wanted, .35), 1, most), outline.share))}; }
    found.push(squeezed(group, where, outline, line, at)); }
  const [here, there] = found;
  return here && !(there?.stretch > 1.25 * here.stretch) ? here : there; }
