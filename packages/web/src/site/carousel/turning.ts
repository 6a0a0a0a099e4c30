/** How far a pointer may move, in pixels, before letting go of it is no click any more. */
const DRAG_FROM_PX = 10;
/** How far it has to move, in pixels, to turn to the next slide. */
const TURN_FROM_PX = 48;

/** The slide `by` steps on from `index` of `total`: after the last comes the first. */
export function turned(index: number, by: number, total: number): number {
  return (((index + by) % total) + total) % total;
}

/** Whether a pointer that moved so far sideways (in pixels) was dragged, so that its click does not count. */
export function isDrag(movedPx: number): boolean {
  return Math.abs(movedPx) >= DRAG_FROM_PX;
}

/** The steps that a drag turns: dragging to the left brings the next slide, to the right the one before. */
export function stepsOfDrag(movedPx: number): -1 | 0 | 1 {
  if (Math.abs(movedPx) < TURN_FROM_PX) return 0;
  return movedPx < 0 ? 1 : -1;
}

/** The steps that a key turns; 0 for one that turns nothing. */
export function stepsOfKey(key: string): -1 | 0 | 1 {
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowLeft' ? -1 : 0;
}
