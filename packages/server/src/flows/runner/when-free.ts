import { inTheWay } from '../../changes/being-changed.ts';
import type { Ledger } from '../../changes/ledger.ts';

/** Two flows that one event starts write to the same issue at the same time; a write takes seconds. */
const LONGEST_WAIT_MS = 20_000;

/** Writes as soon as no change that is being applied is in the way. @throws {AppError} 409 when that takes too long. */
export async function whenFree<T>(
  ledger: Ledger,
  accountId: string,
  write: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const late = AbortSignal.timeout(LONGEST_WAIT_MS);
  const ending = AbortSignal.any([signal, late]);
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const changeId = inTheWay(error);
      if (changeId === null || late.aborted) throw error;
      await ledger.whenSettled(accountId, changeId, { withinMs: LONGEST_WAIT_MS, signal: ending });
      signal.throwIfAborted();
    }
  }
}
