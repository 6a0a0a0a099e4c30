import { countText } from '../../../ui/count-text.ts';
import { Meter } from '../../../ui/meter.tsx';
import type { Work } from '../use-work.ts';
import classes from './work-line.module.css';

/** How far work is: nothing while not known, a count while the total is not. */
function progressText(progress: Work['progress']): string {
  if (progress === null) return '';
  const done = countText(progress.done);
  return progress.total > 0 ? `${done} of ${countText(progress.total)} issues` : `${done} issues so far`;
}

/** What is running and how far it is, in one line over a bar. */
export function WorkLine({ work }: { work: Work }) {
  const { label, progress } = work;
  if (label === null) return null;
  const share = progress !== null && progress.total > 0 ? progress.done / progress.total : null;
  return (
    <div className={classes.line} role="status">
      <div className={classes.words}>
        <span>{label}</span>
        <span className={classes.count}>{progressText(progress)}</span>
      </div>
      <Meter value={share} thin />
    </div>
  );
}
