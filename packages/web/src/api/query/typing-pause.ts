/** So long after the last letter something is worked out of what is typed. */
export const TYPING_PAUSE_MS = 400;

/** Waits; rejects with the signal's reason when it is given up meanwhile. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
