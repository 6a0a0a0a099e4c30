import { type Tone, toneTokens } from '../tones.ts';
import classes from './meter.module.css';

export type MeterProps = {
  /** Progress from 0 to 1. Null if the total is unknown. */
  value: number | null;
  tone?: Tone;
  /** True for a height of 3 px instead of 4, for table cells. */
  thin?: boolean;
};

/** Progress bar beside a number. Hidden from screen readers, because they read the number. */
export function Meter({ value, tone = 'accent', thin = false }: MeterProps) {
  const background = toneTokens(tone).mark;
  const known = value !== null;
  const width = known ? `${Math.max(0, Math.min(1, value)) * 100}%` : undefined;
  return (
    <span className={`${classes.meter} ${thin ? classes.thin : ''}`} aria-hidden="true">
      <span
        className={`${classes.fill} ${known ? '' : classes.unknown}`}
        style={{ background, ...(width === undefined ? {} : { width }) }}
      />
    </span>
  );
}
