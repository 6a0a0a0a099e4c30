import { STRENGTH_LABELS, type Strength } from '@winnow/passwords/levels';
import classes from './strength-meter.module.css';

export interface StrengthMeterProps {
  strength: Strength | null;
  /** Error of the password field, displayed in place of the hint. */
  error?: string | undefined;
}

/** Password strength as four bars and a word, with a hint on how to improve it. */
export function StrengthMeter({ strength, error }: StrengthMeterProps) {
  const label = strength === null ? '' : `Strength: ${STRENGTH_LABELS[strength.score]}.`;
  const hint = error ? '' : (strength?.hint ?? '');
  // Display at least one bar for any password, so that the meter is visibly active.
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
