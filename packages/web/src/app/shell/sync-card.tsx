import { useAnalysisProgress } from '../../api/live/analysis-progress.ts';
import { useTrackers } from '../../features/trackers/tracker-list.ts';
import { Meter } from '../../theme/parts/meter.tsx';
import classes from './sync-card.module.css';

type Progress = { done: number; total: number };
type Work = { label: string; unit: string; progress: Progress | null; more: number };

const count = new Intl.NumberFormat('en');

/** Returns the running sync, or the first queued sync. Null if there is none. */
function useSyncWork(): Work | null {
  const { data: trackers = [] } = useTrackers();
  const busy = trackers.filter(({ sync }) => sync.state === 'running' || sync.state === 'queued');
  const first = busy.find(({ sync }) => sync.state === 'running') ?? busy[0];
  if (first === undefined) return null;
  return {
    label: first.sync.state === 'running' ? `Syncing ${first.name}` : `${first.name} waits to sync`,
    unit: 'issues',
    progress: first.sync.progress,
    more: busy.length - 1,
  };
}

/** Returns the running search for similar issues; null if none is running. */
function useAnalysisWork(): Work | null {
  const { state, progress } = useAnalysisProgress();
  if (state === 'idle') return null;
  return { label: 'Finding similar issues', unit: 'issues', progress, more: 0 };
}

/** Returns the progress text below the bar. Empty if the progress is unknown. */
function progressText({ progress, unit }: Work): string {
  if (progress === null) return '';
  if (progress.total <= 0) return `${count.format(progress.done)} ${unit} so far`;
  return `${count.format(progress.done)} of ${count.format(progress.total)} ${unit}`;
}

/** Card at the bottom of the sidebar that shows the running job. Renders nothing if no job runs. */
export function SyncCard() {
  const sync = useSyncWork();
  const analysis = useAnalysisWork();
  const work = sync ?? analysis;
  if (work === null) return null;
  const { progress } = work;
  const share = progress !== null && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null;
  return (
    <div className={classes.card} role="status">
      <div className={classes.line}>
        <span className="trunc">{work.label}</span>
        {share === null ? null : <span className={classes.percent}>{Math.floor(share * 100)}%</span>}
      </div>
      <Meter value={share} />
      <div className={classes.detail}>
        <span className="trunc">{progressText(work)}</span>
        {work.more > 0 ? <span className={classes.more}>+{work.more} waiting</span> : null}
      </div>
    </div>
  );
}
