import { STRENGTH_LABELS, type Strength } from '@winnow/passwords/levels';
import classes from './strength-meter.module.css';

/** Four bars and a word for the strength of a password, with a hint how to improve it. */
export function StrengthMeter({ strength }: { strength: Strength | null }) {
  return (
    <div className={classes.meter} data-score={strength?.score ?? 'none'}>
      <div className={classes.bars} aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={strength !== null && strength.score >= bar ? classes.on : ''} />
        ))}
      </div>
      <p className={classes.text} role="status">
        {strength === null ? '' : `Strength: ${STRENGTH_LABELS[strength.score]}. ${strength.hint}`}
      </p>
    </div>
  );
}
