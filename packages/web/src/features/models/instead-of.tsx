import { type InsteadOf, MODEL_ABSENCES } from '@winnow/contract/verdict';
import { Link } from 'react-router';
import classes from './models.module.css';

/** States in a sentence why the built-in analyst answered; null where it is the default, or the model answered. */
export function insteadOfText(insteadOf: InsteadOf): string | null {
  if (insteadOf === null) return null;
  return `${insteadOf.ai_model_name} ${MODEL_ABSENCES[insteadOf.reason].label}, so this is the built-in analyst’s.`;
}

/** The same beside an answer, with a link to the models where a person can do something about it. */
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
