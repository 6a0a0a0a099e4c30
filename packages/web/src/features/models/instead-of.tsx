import { type InsteadOf, MODEL_ABSENCES } from '@winnow/contract/verdict';
import { Link } from 'react-router';
import classes from './models.module.css';

/** Explains why the built-in analyst was used; null if it is the default or the model was used. */
export function insteadOfText(insteadOf: InsteadOf): string | null {
  if (insteadOf === null) return null;
  return `${insteadOf.ai_model_name} ${MODEL_ABSENCES[insteadOf.reason].label}, so this is the built-in analyst’s.`;
}

/**
 * The explanation beside a verdict or score, with a link to the models if the user can fix the
 * cause.
 */
export function InsteadOfNote({ value }: { value: InsteadOf }) {
  const text = insteadOfText(value);
  if (value === null || text === null) return null;
  const isFixable = value.reason === 'paused' || value.reason === 'capped';
  return (
    <p className={classes.note}>
      {text}{' '}
      {isFixable ? (
        <Link className="link" to="/console/settings/ai-models">
          Models
        </Link>
      ) : null}
    </p>
  );
}
