import { STRENGTH_LABELS, type Strength } from '@winnow/passwords/levels';
import classes from './strength-meter.module.css';

export interface StrengthMeterProps {
  strength: Strength | null;
  /** The error of the field. It says more than the hint, which is left out then. */
  error?: string | undefined;
}

/** Four bars and a word for the strength of a password, with a hint how to improve it. */
export function StrengthMeter({ strength, error }: StrengthMeterProps) {
  const label = strength === null ? '' : `Strength: ${STRENGTH_LABELS[strength.score]}.`;
  const hint = error ? '' : (strength?.hint ?? '');
  // One bar for the weakest password, so that the meter is seen to work.
  const bars = strength === null ? 0 : Math.max(1, strength.score);
  return (
    <div className={classes.meter} data-score={strength?.score ?? 'none'}>
      <div className={classes.bars} aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={bar <= bars ? classes.on : ''} />
        ))}
      </div>
      <p className={classes.text} role="status">
        {`${label} ${hint}`.trim()}
      </p>
    </div>
  );
}
