/**
 * Returns a function that filters out accidental repeated key presses. It takes the time of a press
 * in milliseconds and returns true if the previous press was at least `pauseMs` earlier. Only the
 * first of many quick presses is accepted.
 */
export function pressGate(pauseMs: number): (atMs: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (atMs) => {
    const isAccepted = atMs - last >= pauseMs;
    last = atMs;
    return isAccepted;
  };
}
