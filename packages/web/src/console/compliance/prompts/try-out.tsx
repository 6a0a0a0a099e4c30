import { Button } from '@mantine/core';
import { type CompliancePromptDraft, type ComplianceResult, MOST_TRIED } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { RowKey } from '../../../ui/row-key.tsx';
import { ScoreCell } from '../list/score-cell.tsx';
import { useTryPrompt } from '../queries.ts';
import { PlanRefusal } from './plan-refusal.tsx';
import classes from './prompts.module.css';

function Results({ issues, results }: { issues: readonly Issue[]; results: readonly ComplianceResult[] }) {
  const byId = new Map(results.map((result) => [result.issue_id, result]));
  return (
    <ul className={classes.tried} aria-label="Scores by this prompt">
      {issues.map(({ id, key, title }) => {
        const result = byId.get(id);
        if (result === undefined) return null;
        return (
          <li key={id}>
            <RowKey>{key}</RowKey>
            <span className="trunc" title={title} dir="auto">
              {title}
            </span>
            <span className={classes.triedScore}>
              <ScoreCell score={result} />
            </span>
            <span className={classes.triedReason} dir="auto">
              {result.reason}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

export type TryOutProps = {
  /** Of the page that is listed. */
  issues: readonly Issue[];
  /** The prompt as it is written; null while something is missing, which is said then. */
  draft: () => CompliancePromptDraft | null;
};

/** Judges the first issues of the page by a prompt that is being written. Nothing is kept. */
export function TryOut({ issues, draft }: TryOutProps) {
  const trial = useOneAtATime(useTryPrompt());
  const tried = issues.slice(0, MOST_TRIED);
  const run = () => {
    const prompt = draft();
    if (prompt !== null) trial.mutate({ prompt, issue_ids: tried.map(({ id }) => id) });
  };
  return (
    <section className={classes.tryOut} aria-label="Try out">
      <div className={classes.tryOutHead}>
        <p className={classes.note}>
          {tried.length === 0
            ? 'There are no issues on the page to try it out on.'
            : `See how ${tried.length === 1 ? 'the issue' : `the ${tried.length} issues`} of this page would score. Nothing is kept.`}
        </p>
        <Button onClick={run} loading={trial.isPending} disabled={tried.length === 0}>
          Try out
        </Button>
      </div>
      <PlanRefusal error={trial.error} />
      {trial.data === undefined ? null : <Results issues={tried} results={trial.data.results} />}
    </section>
  );
}
