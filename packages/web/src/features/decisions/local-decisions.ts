import type { Pair } from '@winnow/contract/duplicate';
import { useSyncExternalStore } from 'react';
import { onAuthChange } from '../../api/session/session.ts';

/**
 * A pair dismissed since this page was loaded. Dismissals are not changes, so the ledger does not
 * list them.
 */
export type Dismissal = {
  pair: Pair;
  /** Time of the dismissal in milliseconds since the Unix epoch. */
  at: number;
  undone: boolean;
};

/** Data about decisions made since this page was loaded, which the server does not return. */
export type LocalDecisions = {
  dismissals: readonly Dismissal[];
  /**
   * Time of each change request on the clock of the browser, by change id, in milliseconds since
   * the Unix epoch. Times of dismissals are from the same clock.
   */
  decidedAt: ReadonlyMap<string, number>;
};

const NO_DECISIONS: LocalDecisions = { dismissals: [], decidedAt: new Map() };
const listeners = new Set<() => void>();
let kept = NO_DECISIONS;

function keep(next: LocalDecisions): void {
  kept = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function localDecisions(): LocalDecisions {
  return kept;
}

export function useLocalDecisions(): LocalDecisions {
  return useSyncExternalStore(subscribe, localDecisions);
}

/** Records that a pair was dismissed just now. */
export function recordDismissal(pair: Pair): void {
  const dismissal = { pair, at: Date.now(), undone: false };
  keep({ ...kept, dismissals: [dismissal, ...others(pair)] });
}

/** Records that a dismissed pair was restored. */
export function recordRestored(pair: Pair): void {
  const dismissals = kept.dismissals.map((dismissal) =>
    dismissal.pair.id === pair.id ? { ...dismissal, undone: true } : dismissal,
  );
  keep({ ...kept, dismissals });
}

/** Removes a dismissal whose request failed. */
export function forgetDismissal(pair: Pair): void {
  keep({ ...kept, dismissals: others(pair) });
}

/** Stores when the user requested a change. */
export function recordDecidedAt(changeId: string, at: number): void {
  keep({ ...kept, decidedAt: new Map(kept.decidedAt).set(changeId, at) });
}

function others(pair: Pair): readonly Dismissal[] {
  return kept.dismissals.filter((dismissal) => dismissal.pair.id !== pair.id);
}

// The next user who signs in must not be able to undo the decisions of this user.
onAuthChange(() => keep(NO_DECISIONS));
