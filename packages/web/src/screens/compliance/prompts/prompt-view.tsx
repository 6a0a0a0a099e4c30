import { type CompliancePrompt, CRITERION_CHECKS } from '@winnow/contract/compliance';
import { scoreText } from '../../../features/compliance/score.ts';
import classes from './prompts.module.css';

/**
 * Displays a built-in prompt with the weight and description of each criterion. It cannot be
 * edited.
 */
export function PromptView({ prompt }: { prompt: CompliancePrompt }) {
  return (
    <div className={classes.view}>
      <h3 className={classes.name}>{prompt.name}</h3>
      <p className={classes.text}>{prompt.description}</p>
      <dl className={classes.criteria}>
        {prompt.criteria.map(({ id, name, weight, description, check }) => (
          <div key={id}>
            <dt>
              {name} <small>{scoreText(weight)}</small>
            </dt>
            <dd>{description}</dd>
            <dd className={classes.note}>
              {check === null
                ? 'Only a language model can judge this'
                : `The built-in analyst looks for: ${CRITERION_CHECKS[check].label.toLowerCase()}`}
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>Built-in prompts cannot be changed.</p>
    </div>
  );
}
