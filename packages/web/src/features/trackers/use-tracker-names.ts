import { TRACKER_TYPES, type TrackerType } from '@winnow/contract/tracker';
import { useTrackers } from './tracker-list.ts';

export type TrackerName = {
  /** Name within a sentence, such as `GitHub` or `the sample backlog`. */
  inSentence: string;
  /** User as whom Winnow writes; null if unknown. */
  login: string | null;
};

function inSentence(type: TrackerType): string {
  return type === 'sample' ? 'the sample backlog' : TRACKER_TYPES[type].label;
}

/**
 * Returns a function that names trackers by id. Unknown trackers, and all while loading, are "the
 * tracker".
 */
export function useTrackerNames(): (trackerId: string) => TrackerName {
  const { data: trackers = [] } = useTrackers();
  return (trackerId) => {
    const found = trackers.find(({ id }) => id === trackerId);
    return found === undefined
      ? { inSentence: 'the tracker', login: null }
      : { inSentence: inSentence(found.tracker_type), login: found.tracker_login };
  };
}
