/** A place: in pixels of the window from its upper left corner, or on the map, where y goes up. */
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
/** A rectangle of the map. */
export type Bounds = { left: number; lower: number; right: number; upper: number };
/**
 * Where the map is seen: its point `p` is at `x + p.x * scale`, `y - p.y * scale` of the window.
 */
export type View = { x: number; y: number; scale: number };

const MARGIN = 24;
/** From all of the map in the window, so many times smaller and larger. */
const LEAST_ZOOM = 0.5;
const MOST_ZOOM = 60;
/** A map of one place is as wide as this. */
const LEAST_SPAN = 0.1;

export function toWindow({ x, y, scale }: View, point: Point): Point {
  return { x: x + point.x * scale, y: y - point.y * scale };
}

export function toMap({ x, y, scale }: View, at: Point): Point {
  return { x: (at.x - x) / scale, y: (y - at.y) / scale };
}

/** The rectangle that holds all of these places. All zero without any. */
export function boundsOf(x: ArrayLike<number>, y: ArrayLike<number>): Bounds {
  if (x.length === 0) return { left: 0, lower: 0, right: 0, upper: 0 };
  let [left, lower, right, upper] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < x.length; at += 1) {
    const [px, py] = [x[at] ?? 0, y[at] ?? 0];
    left = Math.min(left, px);
    right = Math.max(right, px);
    lower = Math.min(lower, py);
    upper = Math.max(upper, py);
  }
  return { left, lower, right, upper };
}

/** All of the map in the middle of the window. */
export function fitted({ left, lower, right, upper }: Bounds, { width, height }: Size): View {
  const scale = Math.max(
    1,
    Math.min(
      (width - 2 * MARGIN) / Math.max(right - left, LEAST_SPAN),
      (height - 2 * MARGIN) / Math.max(upper - lower, LEAST_SPAN),
    ),
  );
  return {
    scale,
    x: width / 2 - ((left + right) / 2) * scale,
    y: height / 2 + ((lower + upper) / 2) * scale,
  };
}

/**
 * The same view, larger (`factor` over 1) or smaller as far as the map has something to show; what
 * is at `around` stays there.
 */
export function zoomed(view: View, factor: number, around: Point, fit: View): View {
  const scale = Math.min(Math.max(view.scale * factor, fit.scale * LEAST_ZOOM), fit.scale * MOST_ZOOM);
  const by = scale / view.scale;
  return { scale, x: around.x - (around.x - view.x) * by, y: around.y - (around.y - view.y) * by };
}

export function moved(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** The same view, moved as little as it takes to show a point of the map. */
export function revealing(view: View, point: Point, { width, height }: Size): View {
  const at = toWindow(view, point);
  const into = (from: number, size: number) => Math.min(Math.max(from, MARGIN), size - MARGIN) - from;
  return moved(view, { x: into(at.x, width), y: into(at.y, height) });
}
