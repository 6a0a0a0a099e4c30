import type { LiveEvent } from '@winnow/contract/live';
import { useSyncExternalStore } from 'react';

type PairsChanged = Extract<LiveEvent, { type: 'pairs_changed' }>;
export type AnalysisProgress = Pick<PairsChanged, 'state' | 'progress'>;

const IDLE_PROGRESS: AnalysisProgress = { state: 'idle', progress: null };
const listeners = new Set<() => void>();
let current = IDLE_PROGRESS;

/** Stores the latest progress event. `null` clears it after a disconnect or a change of user. */
export function storeAnalysisProgress(event: PairsChanged | null): void {
  current = event === null ? IDLE_PROGRESS : { state: event.state, progress: event.progress };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the progress of the search for similar issues, including events received before the
 * component mounted.
 */
export function useAnalysisProgress(): AnalysisProgress {
  return useSyncExternalStore(subscribe, () => current);
}
