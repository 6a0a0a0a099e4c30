import { type InsteadOf, insteadOfText } from '@winnow/contract/verdict';
import { Link } from 'react-router';
import { LastSuccess } from './last-success.tsx';
import classes from './models.module.css';
import { useAiModels } from './queries.ts';

/**
 * Explains beside a verdict or score why the built-in analyst gave it instead of the model. For a
 * failing, paused or capped model, adds the last failure, the last success and a link to the
 * models.
 */
export function InsteadOfNote({ value }: { value: InsteadOf }) {
  const text = insteadOfText(value);
  if (value === null || text === null) return null;
  const needsPerson = value.reason === 'failed' || value.reason === 'paused' || value.reason === 'capped';
  return (
    <p className={classes.note}>
      {text} {needsPerson ? <Health modelId={value.ai_model_id} /> : null}
    </p>
  );
}

function Health({ modelId }: { modelId: string }) {
  const model = useAiModels().data?.find(({ id }) => id === modelId);
  return (
    <>
      {model === undefined ? null : (
        <>
          {model.health.last_failure === null ? null : `Last failure: ${model.health.last_failure} `}
          <LastSuccess health={model.health} />{' '}
        </>
      )}
      <Link className="link" to="/console/settings/ai-models">
        Models
      </Link>
    </>
  );
}
