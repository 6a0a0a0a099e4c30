/**
 * Position in window pixels, from the upper left corner, or in map coordinates, where y points up.
 */
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
/** Rectangle in map coordinates. */
export type Bounds = { left: number; lower: number; right: number; upper: number };
/**
 * Position and scale of the map. Map point `p` appears in the window at `x + p.x * scale`, `y - p.y
 * * scale`.
 */
export type View = { x: number; y: number; scale: number };

/** Minimum distance in pixels between points and the edges of the window. */
const MARGIN_PX = 24;
/** Minimum and maximum scale, relative to the scale that shows the whole map. */
const MIN_ZOOM_FACTOR = 0.5;
const MAX_ZOOM_FACTOR = 60;
/**
 * Minimum width and height of the map, so that points at the same position do not cause an infinite
 * scale.
 */
const MIN_SPAN = 0.1;

export function toWindow({ x, y, scale }: View, point: Point): Point {
  return { x: x + point.x * scale, y: y - point.y * scale };
}

export function toMap({ x, y, scale }: View, at: Point): Point {
  return { x: (at.x - x) / scale, y: (y - at.y) / scale };
}

/** Returns the bounding box of the points. Without points, all its values are 0. */
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

/** Returns the view that shows the whole map, centered in the window. */
export function fitView({ left, lower, right, upper }: Bounds, { width, height }: Size): View {
  const scale = Math.max(
    1,
    Math.min(
      (width - 2 * MARGIN_PX) / Math.max(right - left, MIN_SPAN),
      (height - 2 * MARGIN_PX) / Math.max(upper - lower, MIN_SPAN),
    ),
  );
  return {
    scale,
    x: width / 2 - ((left + right) / 2) * scale,
    y: height / 2 + ((lower + upper) / 2) * scale,
  };
}

/**
 * Zooms a view within the limits. A `factor` above 1 zooms in. The map point at window position
 * `around` does not move.
 */
export function zoomView(view: View, factor: number, around: Point, fit: View): View {
  const scale = Math.min(
    Math.max(view.scale * factor, fit.scale * MIN_ZOOM_FACTOR),
    fit.scale * MAX_ZOOM_FACTOR,
  );
  const by = scale / view.scale;
  return { scale, x: around.x - (around.x - view.x) * by, y: around.y - (around.y - view.y) * by };
}

export function panView(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** Moves a view only as far as needed to show a point. */
export function panToReveal(view: View, point: Point, { width, height }: Size): View {
  const at = toWindow(view, point);
  const into = (from: number, size: number) => Math.min(Math.max(from, MARGIN_PX), size - MARGIN_PX) - from;
  return panView(view, { x: into(at.x, width), y: into(at.y, height) });
}
