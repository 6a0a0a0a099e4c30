import { Meter } from '../../theme/parts/meter.tsx';
import classes from './work-line.module.css';

export type WorkLineProps = {
  /** Description of the running task. */
  label: string;
  /** Progress as text, such as `7 of 10 scored`. Empty while the progress is unknown. */
  count: string;
  /** Progress from 0 to 1. Null while it is unknown. */
  share: number | null;
};

/** Shows a running task with its progress as text and as a bar. */
export function WorkLine({ label, count, share }: WorkLineProps) {
  return (
    <div className={classes.line} role="status">
      <div className={classes.words}>
        <span>{label}</span>
        <span className={classes.count}>{count}</span>
      </div>
      <Meter value={share} thin />
    </div>
  );
}
