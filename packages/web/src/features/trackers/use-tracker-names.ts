import { TRACKER_TYPES, type TrackerType } from '@winnow/contract/tracker';
import { useTrackers } from './tracker-list.ts';

export type TrackerName = {
  /** Name for use in a sentence, such as `GitHub` or `the sample backlog`. */
  inSentence: string;
  /** Login that Winnow uses to write to the tracker; null if unknown. */
  login: string | null;
};

function inSentence(type: TrackerType): string {
  return type === 'sample' ? 'the sample backlog' : TRACKER_TYPES[type].label;
}

/**
 * Returns a function that finds the name of a tracker by id. While loading, and for unknown
 * trackers, the name is "the tracker".
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
