import type { ClusterDetail } from '@winnow/contract/cluster';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from './details.module.css';

/** Maximum number of history entries displayed. */
const EVENTS_LISTED = 8;

/** History of a cluster, newest entry first. */
export function History({ cluster: { history } }: { cluster: ClusterDetail }) {
  if (history.length === 0) return null;
  const numbered = history.slice(0, EVENTS_LISTED).map((event, index) => ({ ...event, number: index }));
  return (
    <section className={classes.section} aria-labelledby="cluster-history">
      <h3 className={classes.heading} id="cluster-history">
        History
      </h3>
      <ol className={classes.history}>
        {numbered.map(({ number, text, by, at }) => (
          <li key={number}>
            <span dir="auto">{text}</span>{' '}
            <span className={classes.meta}>
              {by === null ? null : `${by}, `}
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
