import type { Tracker } from '@winnow/contract/tracker';
import { useState } from 'react';
import { useLiveEvent } from '../../api/live/live.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';

type Progress = { done: number; total: number };

/** Jobs that are running and may change the list of pairs. */
export type Work = {
  syncing: boolean;
  analyzing: boolean;
  /** Description of the running job; null if none is running. */
  label: string | null;
  progress: Progress | null;
};

function syncOf(trackers: readonly Tracker[]): Tracker | undefined {
  const busy = trackers.filter(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  return busy.find(({ sync }) => sync.state === 'running') ?? busy[0];
}

/** Returns the running sync, or the running search for similar issues. Live events update it. */
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
