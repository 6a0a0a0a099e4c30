import type { Pair } from '@winnow/contract/duplicate';
import { useSyncExternalStore } from 'react';
import { onAuthChange } from '../../api/session/session.ts';

/** A pair dismissed in this page. Dismissals are not changes, so the ledger does not list them. */
export type Dismissal = {
  pair: Pair;
  /** Milliseconds since the Unix epoch. */
  at: number;
  undone: boolean;
};

/** Decisions of this page that the server does not report. */
export type LocalDecisions = {
  dismissals: readonly Dismissal[];
  /**
   * Client-clock time of each change request, by change id, in milliseconds since the Unix epoch.
   * Dismissals use the same clock.
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

/** Records when a change was requested. */
export function recordDecidedAt(changeId: string, at: number): void {
  keep({ ...kept, decidedAt: new Map(kept.decidedAt).set(changeId, at) });
}

function others(pair: Pair): readonly Dismissal[] {
  return kept.dismissals.filter((dismissal) => dismissal.pair.id !== pair.id);
}

// Decisions of one user must not be undone by the next one to sign in.
onAuthChange(() => keep(NO_DECISIONS));
