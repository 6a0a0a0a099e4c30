import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { CompliancePrompt, ComplianceTrialResult } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { sentenceOf } from '../../../api/session/api-error.ts';
import {
  isFullyMet,
  meaningOf,
  scoreChangeText,
  scoreText,
  scoreTone,
} from '../../../features/compliance/score.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import classes from './improve.module.css';
import { InsertQuestions } from './insert-questions.tsx';
import { checklistInsertion, type Insertion } from './questions.ts';

function Total({ score }: Pick<ComplianceTrialResult, 'score'>) {
  const { before, after } = score;
  // A score of 0 means that no criterion could be judged.
  if (before === 0 && after === 0)
    return <p className={classes.by}>The built-in analyst cannot judge this.</p>;
  return (
    <p className={classes.move}>
      <span className={classes.from}>{scoreText(before)}</span>
      <span aria-hidden="true">→</span>
      <span className="vh">would become</span>
      <b>{scoreText(after)}</b>
      <span className={classes.by}>{scoreChangeText(before, after)}</span>
    </p>
  );
}

type CriteriaProps = Pick<ComplianceTrialResult, 'criteria'> & {
  description: string;
  disabled: boolean;
  onInsert: (insertion: Insertion) => void;
};

function Criteria({ criteria, description, disabled, onInsert }: CriteriaProps) {
  return (
    <ul className={classes.criteria}>
      {criteria.map(({ id, name, score, fix }) => (
        <li key={id}>
          <span className={classes.criterion}>{name}</span>
          {score === null ? (
            <span className={classes.unjudged}>Not judged</span>
          ) : (
            <>
              <span className={classes.share}>{scoreText(score)}</span>
              <Meter value={score} tone={scoreTone(score)} thin />
            </>
          )}
          {fix === null ? (
            <span className={classes.met}>
              {score === null ? null : (
                <>
                  <IconCircleCheck size={14} stroke={1.75} aria-hidden /> Nothing is missing
                </>
              )}
            </span>
          ) : (
            <span className={classes.fix}>
              <span dir="auto">{isFullyMet(score) ? `To improve: ${fix}` : fix}</span>
              <InsertQuestion
                question={fix}
                description={description}
                disabled={disabled}
                onInsert={onInsert}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

type InsertQuestionProps = Omit<CriteriaProps, 'criteria'> & { question: string };

/**
 * Button that inserts a question into the description. If the description already contains the
 * question, shows a note instead.
 */
function InsertQuestion({ question, description, disabled, onInsert }: InsertQuestionProps) {
  const insertion = checklistInsertion(description, [question]);
  if (insertion === null) return <span className={classes.asks}>In the description</span>;
  return (
    <Button
      className={classes.show ?? ''}
      variant="transparent"
      color="accent"
      size="xs"
      disabled={disabled}
      aria-label={`Insert the question: ${question}`}
      onClick={() => onInsert(insertion)}
    >
      Insert
    </Button>
  );
}

/** States that answering questions would raise the score. Null without open questions. */
function questionsText(questions: number): string | null {
  if (questions === 0) return null;
  return questions === 1
    ? 'Answer the question in the description to raise the score.'
    : `Answer the ${questions} questions in the description to raise the score.`;
}

export type ScoreMoveProps = {
  prompt: CompliancePrompt;
  issue: Pick<Issue, 'issue_type'>;
  /** Number of unanswered questions in the description. */
  questions: number;
  description: string;
  /** True while the description cannot be edited. */
  disabled: boolean;
  onInsert: (insertion: Insertion) => void;
  trial: {
    data: ComplianceTrialResult | undefined;
    error: unknown;
    isPlaceholderData: boolean;
  };
};

/**
 * Compares the current score with the expected score of the edited texts. Lists what each criterion
 * still lacks.
 */
export function ScoreMove(props: ScoreMoveProps) {
  const { prompt, issue, questions, description, disabled, onInsert, trial } = props;
  const { data, error, isPlaceholderData } = trial;
  const meaning = meaningOf(prompt.id);
  const asked = questionsText(questions);
  return (
    <section className={classes.part} aria-label="Score" aria-busy={isPlaceholderData}>
      <h3 className={classes.heading}>
        {prompt.name}, as the {BUILT_IN_ANALYST.toLowerCase()} scores it
      </h3>
      {meaning === null ? null : <p className={classes.by}>{meaning}.</p>}
      {error === null ? null : <p className={classes.by}>{sentenceOf(error)}</p>}
      {data === undefined && error === null ? <TextSkeleton width="100%" height={120} /> : null}
      {data === undefined ? null : (
        <div className={isPlaceholderData ? classes.outdated : undefined}>
          <Total score={data.score} />
          {asked === null ? null : <p className={classes.asked}>{asked}</p>}
          {data.judged_share === 1 ? null : (
            <p className={classes.by}>
              Based on criteria worth {scoreText(data.judged_share)} of the score. The others need a language
              model.
            </p>
          )}
          <InsertQuestions
            issue={issue}
            prompt={prompt}
            criteria={data.criteria}
            description={description}
            disabled={disabled}
            onInsert={onInsert}
          />
          <Criteria
            criteria={data.criteria}
            description={description}
            disabled={disabled}
            onInsert={onInsert}
          />
        </div>
      )}
    </section>
  );
}
