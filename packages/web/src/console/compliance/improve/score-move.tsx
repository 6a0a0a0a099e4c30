import { IconCircleCheck } from '@tabler/icons-react';
import type { ComplianceTrialResult } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { sentenceOf } from '../../../app/session/api-error.ts';
import { Meter } from '../../../ui/meter.tsx';
import { TextSkeleton } from '../../../ui/skeletons.tsx';
import { moveText, scoreText, scoreTone } from '../score.ts';
import classes from './improve.module.css';

function Total({ score }: Pick<ComplianceTrialResult, 'score'>) {
  const { before, after } = score;
  return (
    <p className={classes.move}>
      <span className={classes.from}>{scoreText(before)}</span>
      <span aria-hidden="true">→</span>
      <span className="vh">would become</span>
      <b>{scoreText(after)}</b>
      <span className={classes.by}>{moveText(before, after)}</span>
    </p>
  );
}

function Criteria({ criteria }: Pick<ComplianceTrialResult, 'criteria'>) {
  return (
    <ul className={classes.criteria}>
      {criteria.map(({ id, name, score, fix }) => (
        <li key={id}>
          <span className={classes.criterion}>{name}</span>
          <span className={classes.share}>{score === null ? '–' : scoreText(score)}</span>
          <span className={classes.bar}>
            {score === null ? null : <Meter value={score} tone={scoreTone(score)} thin />}
          </span>
          {fix === null ? (
            <span className={classes.met}>
              {score === null ? null : (
                <>
                  <IconCircleCheck size={14} stroke={1.75} aria-hidden /> Nothing is missing
                </>
              )}
            </span>
          ) : (
            <span className={classes.fix} dir="auto">
              {fix}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

export type ScoreMoveProps = {
  metric: string;
  trial: {
    data: ComplianceTrialResult | undefined;
    error: unknown;
    isPlaceholderData: boolean;
  };
};

/** What the issue scores, what it would with these texts, and what would still be missing. */
export function ScoreMove({ metric, trial }: ScoreMoveProps) {
  const { data, error, isPlaceholderData } = trial;
  return (
    <section className={classes.part} aria-label="Score" aria-busy={isPlaceholderData}>
      <h3 className={classes.heading}>
        {metric}, as the {BUILT_IN_ANALYST.toLowerCase()} scores it
      </h3>
      {error === null ? null : <p className={classes.by}>{sentenceOf(error)}</p>}
      {data === undefined && error === null ? <TextSkeleton width="100%" height={120} /> : null}
      {data === undefined ? null : (
        <div className={isPlaceholderData ? classes.outdated : undefined}>
          <Total score={data.score} />
          <Criteria criteria={data.criteria} />
        </div>
      )}
    </section>
  );
}
