import { TRACKER_TYPES, type TrackerType } from '@winnow/contract/tracker';
import { useTrackers } from './tracker-list.ts';

export type TrackerName = {
  /** How the tracker is called within a sentence: `GitHub`, `the sample backlog`. */
  inSentence: string;
  /** As whom it is written to; null when not known. */
  login: string | null;
};

function inSentence(type: TrackerType): string {
  return type === 'sample' ? 'the sample backlog' : TRACKER_TYPES[type].label;
}

/** Names trackers by id. While they are not loaded, and for one that is gone, it is 'the tracker'. */
export function useTrackerNames(): (trackerId: string) => TrackerName {
  const { data: trackers = [] } = useTrackers();
  return (trackerId) => {
    const found = trackers.find(({ id }) => id === trackerId);
    return found === undefined
      ? { inSentence: 'the tracker', login: null }
      : { inSentence: inSentence(found.tracker_type), login: found.tracker_login };
  };
}
