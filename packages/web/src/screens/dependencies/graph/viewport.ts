import type { Point } from './layout/layout.ts';

/**
 * Position and scale of a drawing. Point `p` of the drawing appears in the window at `x + p.x *
 * scale`, `y + p.y * scale`.
 */
export type View = { x: number; y: number; scale: number };
export type Size = { width: number; height: number };
export type Box = Point & Size;

export const MIN_SCALE = 0.04;
export const MAX_SCALE = 2;
/** Minimum scale at which titles are readable. */
export const READABLE_SCALE = 0.75;
const MARGIN_PX = 24;

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Zooms by a factor; above 1 zooms in. The point at window position `around` does not move. */
export function zoomView(view: View, factor: number, around: Point): View {
  const scale = clamp(view.scale * factor, MIN_SCALE, MAX_SCALE);
  const by = scale / view.scale;
  return { scale, x: around.x - (around.x - view.x) * by, y: around.y - (around.y - view.y) * by };
}

export function moveView(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/**
 * Returns the view that fits the whole drawing into the window, centered. The scale is at most 1.
 */
export function fitView(drawing: Size, window: Size): View {
  const scale = clamp(
    Math.min(
      (window.width - 2 * MARGIN_PX) / drawing.width,
      (window.height - 2 * MARGIN_PX) / drawing.height,
    ),
    MIN_SCALE,
    1,
  );
  return {
    scale,
    x: (window.width - drawing.width * scale) / 2,
    y: (window.height - drawing.height * scale) / 2,
  };
}

/**
 * Returns the scale at which the drawing fits the width of the window. It is at least the readable
 * scale, and at most 1.
 */
export function scaleFor(drawn: number, seen: number): number {
  return drawn === 0 ? 1 : clamp((seen - 2 * MARGIN_PX) / drawn, READABLE_SCALE, 1);
}

/**
 * Returns the initial view: the whole drawing if it is readable, otherwise the part around `start`.
 */
export function initialView(drawing: Size, window: Size, start: Point): View {
  const whole = fitView(drawing, window);
  if (whole.scale >= READABLE_SCALE) return whole;
  const scale = Math.max(READABLE_SCALE, whole.scale);
  const alongside = (from: number, drawn: number, seen: number) => {
    if (drawn * scale <= seen - 2 * MARGIN_PX) return (seen - drawn * scale) / 2;
    return clamp(MARGIN_PX - from * scale, seen - MARGIN_PX - drawn * scale, MARGIN_PX);
  };
  return {
    scale,
    x: alongside(start.x, drawing.width, window.width),
    y: alongside(start.y - window.height / scale / 3, drawing.height, window.height),
  };
}

/** Moves the view only as far as needed to show a box. */
export function revealBox(view: View, { x, y, width, height }: Box, window: Size): View {
  const along = (at: number, from: number, size: number, seen: number) => {
    const start = at + from * view.scale;
    const end = start + size * view.scale;
    if (start < MARGIN_PX) return MARGIN_PX - start;
    return end > seen - MARGIN_PX ? Math.max(seen - MARGIN_PX - end, MARGIN_PX - start) : 0;
  };
  return moveView(view, {
    x: along(view.x, x, width, window.width),
    y: along(view.y, y, height, window.height),
  });
}

/** Returns the part of the drawing that is visible. */
export function visibleBox({ x, y, scale }: View, { width, height }: Size): Box {
  return { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale };
}

/**
 * Size in pixels of the grid to which the rendered part is aligned. With a grid, the rendered part
 * rarely changes while dragging.
 */
const TILE_PX = 300;

/**
 * Returns the part of the drawing to render: the visible part with a margin, aligned to the grid.
 */
export function renderedBox(view: View, window: Size): Box {
  const seen = visibleBox(view, window);
  const x = (Math.floor(seen.x / TILE_PX) - 1) * TILE_PX;
  const y = (Math.floor(seen.y / TILE_PX) - 1) * TILE_PX;
  return {
    x,
    y,
    width: (Math.ceil((seen.x + seen.width) / TILE_PX) + 1) * TILE_PX - x,
    height: (Math.ceil((seen.y + seen.height) / TILE_PX) + 1) * TILE_PX - y,
  };
}

/** True if two boxes overlap or touch. */
export function touches(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}
