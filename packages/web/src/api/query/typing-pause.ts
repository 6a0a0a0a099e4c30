/** Pause in typing after which input is processed. */
export const TYPING_PAUSE_MS = 400;

/** Resolves after the delay. If the signal aborts, rejects with the reason of the signal. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
