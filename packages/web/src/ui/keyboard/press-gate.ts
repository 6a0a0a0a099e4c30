/**
 * Returns a function that detects accidental repeated key presses.
 * The function takes the time of a key press in milliseconds. It returns true if the previous press
 * was at least `pauseMs` earlier. If the user presses a key several times quickly, only the
 * first press is accepted.
 */
export function pressGate(pauseMs: number): (atMs: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (atMs) => {
    const isAccepted = atMs - last >= pauseMs;
    last = atMs;
    return isAccepted;
  };
}
