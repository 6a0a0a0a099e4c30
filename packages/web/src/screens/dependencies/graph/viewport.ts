import type { Point } from './layout/layout.ts';

/**
 * Where a drawing is seen: a point `p` of it is at `x + p.x * scale`, `y + p.y * scale` of the
 * window.
 */
export type View = { x: number; y: number; scale: number };
export type Size = { width: number; height: number };
export type Box = Point & Size;

export const LEAST_SCALE = 0.04;
export const MOST_SCALE = 2;
/** Minimum scale at which names are readable. */
export const READABLE_SCALE = 0.75;
const MARGIN = 24;

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/**
 * The same view, larger (`factor` over 1) or smaller; what is at `around` of the window stays
 * there.
 */
export function zoomed(view: View, factor: number, around: Point): View {
  const scale = within(view.scale * factor, LEAST_SCALE, MOST_SCALE);
  const by = scale / view.scale;
  return { scale, x: around.x - (around.x - view.x) * by, y: around.y - (around.y - view.y) * by };
}

export function moved(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** All of a drawing in the middle of the window, at most at its own size. */
export function fitted(drawing: Size, window: Size): View {
  const scale = within(
    Math.min((window.width - 2 * MARGIN) / drawing.width, (window.height - 2 * MARGIN) / drawing.height),
    LEAST_SCALE,
    1,
  );
  return {
    scale,
    x: (window.width - drawing.width * scale) / 2,
    y: (window.height - drawing.height * scale) / 2,
  };
}

/** The scale at which a drawing is as wide as the window, as far as it can be read at it. */
export function scaleFor(drawn: number, seen: number): number {
  return drawn === 0 ? 1 : within((seen - 2 * MARGIN) / drawn, READABLE_SCALE, 1);
}

/**
 * All of a drawing where it can be read like that; of a larger one the part that begins at `start`.
 */
export function opening(drawing: Size, window: Size, start: Point): View {
  const whole = fitted(drawing, window);
  if (whole.scale >= READABLE_SCALE) return whole;
  const scale = Math.max(READABLE_SCALE, whole.scale);
  const alongside = (from: number, drawn: number, seen: number) => {
    if (drawn * scale <= seen - 2 * MARGIN) return (seen - drawn * scale) / 2;
    return within(MARGIN - from * scale, seen - MARGIN - drawn * scale, MARGIN);
  };
  return {
    scale,
    x: alongside(start.x, drawing.width, window.width),
    y: alongside(start.y - window.height / scale / 3, drawing.height, window.height),
  };
}

/** The same view, moved as little as it takes to show a box. */
export function revealing(view: View, { x, y, width, height }: Box, window: Size): View {
  const along = (at: number, from: number, size: number, seen: number) => {
    const start = at + from * view.scale;
    const end = start + size * view.scale;
    if (start < MARGIN) return MARGIN - start;
    return end > seen - MARGIN ? Math.max(seen - MARGIN - end, MARGIN - start) : 0;
  };
  return moved(view, {
    x: along(view.x, x, width, window.width),
    y: along(view.y, y, height, window.height),
  });
}

/** The part of the drawing that the window shows. */
export function seenBox({ x, y, scale }: View, { width, height }: Size): Box {
  return { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
}

/** What is drawn around what is seen; it stays the same while the window is moved a little. */
const TILE = 300;

/** The part of the drawing that the window shows, with what is near, in whole tiles. */
export function sightOf(view: View, window: Size): Box {
  const seen = seenBox(view, window);
  const x = (Math.floor(seen.x / TILE) - 1) * TILE;
  const y = (Math.floor(seen.y / TILE) - 1) * TILE;
  return {
    x,
    y,
    width: (Math.ceil((seen.x + seen.width) / TILE) + 1) * TILE - x,
    height: (Math.ceil((seen.y + seen.height) / TILE) + 1) * TILE - y,
  };
}

/** True if two boxes overlap. */
export function touches(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}
