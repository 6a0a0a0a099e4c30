import { Tooltip } from '@mantine/core';
import type { Tracker } from '@winnow/contract/tracker';
import { healthSummary, oldestCheck } from '../../features/trackers/sync-texts.ts';
import { TrackerIcon } from '../../features/trackers/tracker-icon.tsx';
import { RelativeTime } from '../../ui/texts/relative-time.tsx';
import classes from './metrics.module.css';
import { countText } from './numbers.ts';

/** Maximum number of trackers that are named. Further trackers are counted, as in '+2'. */
const MAX_NAMED_TRACKERS = 2;

/** Number of connected trackers, with the names of the first ones and a summary of their health. */
export function ConnectedTrackers({ trackers }: { trackers: readonly Tracker[] }) {
  const named = trackers.slice(0, MAX_NAMED_TRACKERS);
  const others = trackers.slice(MAX_NAMED_TRACKERS).map(({ name }) => name);
  const checkedAt = oldestCheck(trackers);
  return (
    <>
      <div className={classes.value}>
        {countText(trackers.length)}
        <span className={classes.pills}>
          {named.map(({ id, name, tracker_type }) => (
            <span className={classes.pill} key={id}>
              <TrackerIcon type={tracker_type} size={14} />
              <span className="trunc">{name}</span>
            </span>
          ))}
          {others.length === 0 ? null : (
            <Tooltip label={others.join(', ')}>
              <button
                type="button"
                className={classes.more}
                aria-label={`${others.length} more: ${others.join(', ')}`}
              >
                +{others.length}
              </button>
            </Tooltip>
          )}
        </span>
      </div>
      <p className={classes.sub}>
        {healthSummary(trackers)}
        {checkedAt === null ? null : (
          <>
            , checked <RelativeTime at={checkedAt} />
          </>
        )}
      </p>
    </>
  );
}
