import type { Pair } from '@winnow/contract/duplicate';
import { useSyncExternalStore } from 'react';
import { onAuthChange } from '../../api/session/session.ts';

/** A pair that was dismissed in this page. Dismissals are no changes, so the ledger does not have them. */
export type Dismissal = {
  pair: Pair;
  /** In milliseconds since 1970. */
  at: number;
  undone: boolean;
};

/** What was decided in this page, as far as the server does not tell it. */
export type MadeHere = {
  dismissals: readonly Dismissal[];
  /** When changes were asked for, by the clock that dismissals have too; in milliseconds since 1970. */
  decidedAt: ReadonlyMap<string, number>;
};

const NOTHING: MadeHere = { dismissals: [], decidedAt: new Map() };
const listeners = new Set<() => void>();
let kept = NOTHING;

function keep(next: MadeHere): void {
  kept = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was decided in this page until now. */
export function madeHere(): MadeHere {
  return kept;
}

/** The same, followed. */
export function useMadeHere(): MadeHere {
  return useSyncExternalStore(subscribe, madeHere);
}

/** Keeps that a pair was dismissed just now. */
export function keepDismissal(pair: Pair): void {
  const dismissal = { pair, at: Date.now(), undone: false };
  keep({ ...kept, dismissals: [dismissal, ...others(pair)] });
}

/** Keeps that a dismissed pair was brought back. */
export function keepRestored(pair: Pair): void {
  const dismissals = kept.dismissals.map((dismissal) =>
    dismissal.pair.id === pair.id ? { ...dismissal, undone: true } : dismissal,
  );
  keep({ ...kept, dismissals });
}

/** Forgets a dismissal that did not take effect. */
export function forgetDismissal(pair: Pair): void {
  keep({ ...kept, dismissals: others(pair) });
}

/** Keeps when a change was asked for. */
export function keepDecidedAt(changeId: string, at: number): void {
  keep({ ...kept, decidedAt: new Map(kept.decidedAt).set(changeId, at) });
}

function others(pair: Pair): readonly Dismissal[] {
  return kept.dismissals.filter((dismissal) => dismissal.pair.id !== pair.id);
}

// What one person decided is not the next one's to undo.
onAuthChange(() => keep(NOTHING));
