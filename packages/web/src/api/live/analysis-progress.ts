import type { LiveEvent } from '@winnow/contract/live';
import { useSyncExternalStore } from 'react';

type PairsChanged = Extract<LiveEvent, { type: 'pairs_changed' }>;
export type AnalysisProgress = Pick<PairsChanged, 'state' | 'progress'>;

const RESTING: AnalysisProgress = { state: 'idle', progress: null };
const listeners = new Set<() => void>();
let current = RESTING;

/** Keeps what the channel last said; `null` forgets it, when the line was down or somebody else signed in. */
export function keepAnalysisProgress(event: PairsChanged | null): void {
  current = event === null ? RESTING : { state: event.state, progress: event.progress };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How far the search for similar issues is, also for what is mounted after it was last told. */
export function useAnalysisProgress(): AnalysisProgress {
  return useSyncExternalStore(subscribe, () => current);
}
