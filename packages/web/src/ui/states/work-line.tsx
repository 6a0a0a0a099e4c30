import { Meter } from '../../theme/parts/meter.tsx';
import classes from './work-line.module.css';

export type WorkLineProps = {
  /** What is going on, in words. */
  label: string;
  /** How far it is, in words: `7 of 10 scored`; empty while not known. */
  count: string;
  /** How much of it is done, from 0 to 1; null while that is not known. */
  share: number | null;
};

/** What is running and how far it is, in one line over a bar. */
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
