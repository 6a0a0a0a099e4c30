/** Pause in typing after which input is processed. */
export const TYPING_PAUSE_MS = 400;

/** Resolves after a delay; rejects with the signal's reason if aborted. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
