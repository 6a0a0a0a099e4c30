import type { Tracker } from '@winnow/contract/tracker';
import { useState } from 'react';
import { useLiveEvent } from '../../api/live/live.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';

type Progress = { done: number; total: number };

/** What is still running that will change the list. */
export type Work = {
  syncing: boolean;
  analyzing: boolean;
  /** What is going on, in words; null when nothing is. */
  label: string | null;
  progress: Progress | null;
};

function syncOf(trackers: readonly Tracker[]): Tracker | undefined {
  const busy = trackers.filter(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  return busy.find(({ sync }) => sync.state === 'running') ?? busy[0];
}

/** Syncs and the search for similar issues, as the live channel tells. */
export function useWork(): Work {
  const { data: trackers = [] } = useTrackers();
  const [analysis, setAnalysis] = useState<{ analyzing: boolean; progress: Progress | null }>({
    analyzing: false,
    progress: null,
  });
  useLiveEvent('pairs_changed', ({ state, progress }) =>
    setAnalysis({ analyzing: state === 'analyzing', progress }),
  );
  const syncing = syncOf(trackers);
  const { analyzing } = analysis;
  const shared = { syncing: syncing !== undefined, analyzing };
  if (analyzing) return { ...shared, label: 'Finding similar issues', progress: analysis.progress };
  if (syncing !== undefined) {
    return { ...shared, label: `Reading issues from ${syncing.name}`, progress: syncing.sync.progress };
  }
  return { ...shared, label: null, progress: null };
}
