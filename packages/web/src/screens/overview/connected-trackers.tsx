import { Tooltip } from '@mantine/core';
import type { Tracker } from '@winnow/contract/tracker';
import { healthSummary, oldestCheck } from '../../features/trackers/sync-texts.ts';
import { TrackerIcon } from '../../features/trackers/tracker-icon.tsx';
import { RelativeTime } from '../../ui/texts/relative-time.tsx';
import classes from './metrics.module.css';
import { countText } from './numbers.ts';

/** How many trackers are named before '+N'. */
const NAMED = 2;

/** How many trackers there are, the first of them by name, and whether they can be reached. */
export function ConnectedTrackers({ trackers }: { trackers: readonly Tracker[] }) {
  const named = trackers.slice(0, NAMED);
  const others = trackers.slice(NAMED).map(({ name }) => name);
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
