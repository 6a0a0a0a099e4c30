/** Minimum horizontal pointer movement that counts as a drag. Shorter movements are clicks. */
const MIN_DRAG_PX = 10;
/** Minimum drag distance that changes the slide. */
const MIN_SLIDE_DRAG_PX = 48;

/** Returns the index of the slide `by` steps after `index`, wrapping around at both ends. */
export function slideAfter(index: number, by: number, total: number): number {
  return (((index + by) % total) + total) % total;
}

/** True if the pointer movement was a drag. The click that ends a drag must be ignored. */
export function isDrag(movedPx: number): boolean {
  return Math.abs(movedPx) >= MIN_DRAG_PX;
}

/**
 * Returns the number of slides to move after a drag. A drag to the left moves forward, a drag to
 * the right moves back.
 */
export function stepsOfDrag(movedPx: number): -1 | 0 | 1 {
  if (Math.abs(movedPx) < MIN_SLIDE_DRAG_PX) return 0;
  return movedPx < 0 ? 1 : -1;
}

/**
 * Returns the number of slides to move when a key is pressed. 0 for keys other than the left and
 * right arrow.
 */
export function stepsOfKey(key: string): -1 | 0 | 1 {
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowLeft' ? -1 : 0;
}
