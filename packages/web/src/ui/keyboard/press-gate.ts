/**
 * Tells deliberate presses from hammering, by when they come (in milliseconds, from any fixed moment): a press is
 * deliberate when the one before it, deliberate or not, is at least `apartMs` ago. So of many quick presses only the
 * first counts, however long they go on.
 */
export function pressGate(apartMs: number): (atMs: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (atMs) => {
    const isApart = atMs - last >= apartMs;
    last = atMs;
    return isApart;
  };
}
