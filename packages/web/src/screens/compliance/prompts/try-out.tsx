import { Button } from '@mantine/core';
import {
  type CompliancePromptDraft,
  type ComplianceResult,
  MAX_TRIED_ISSUES,
} from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import { useEffect, useRef, useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { RowKey } from '../../../features/issues/row-key.tsx';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { ScoreCell } from '../list/score-cell.tsx';
import classes from './prompts.module.css';
import { useTryPrompt } from './queries.ts';
import { TriedIssues } from './tried-issues.tsx';

type ResultsProps = { issues: readonly Issue[]; results: readonly ComplianceResult[]; outdated: boolean };

function Results({ issues, results, outdated }: ResultsProps) {
  const place = useRef<HTMLDivElement>(null);
  const byId = new Map(results.map((result) => [result.issue_id, result]));
  // Scroll to the results, since they appear below the button and may be outside the visible part
  // of the dialog.
  useEffect(() => {
    if (results.length > 0) place.current?.scrollIntoView({ block: 'nearest' });
  }, [results]);
  return (
    <div className={classes.results} ref={place}>
      {outdated ? (
        <p className={classes.outdated} role="status">
          These scores are for an earlier draft. Try out again.
        </p>
      ) : null}
      <ul className={classes.tried} aria-label="Scores for this prompt" data-outdated={outdated || undefined}>
        {issues.map(({ id, key, title, project_id: projectId }) => {
          const result = byId.get(id);
          if (result === undefined) return null;
          return (
            <li key={id}>
              <RowKey>{key}</RowKey>
              <span className="trunc" title={title} dir="auto">
                <TrackerMark projectId={projectId} /> {title}
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
    </div>
  );
}

export type TryOutProps = {
  /**
   * Issues on the current page of the list. By default, the prompt is tried on the first of them.
   */
  issues: readonly Issue[];
  /** The prompt as edited; null if the form is invalid. */
  draft: CompliancePromptDraft | null;
  /** Called if the form is invalid, to display the errors beside its fields. */
  onInvalid: () => void;
};

/** Scores some issues with the unsaved prompt. The scores are not stored. */
export function TryOut({ issues, draft, onInvalid }: TryOutProps) {
  const trial = useOneAtATime(useTryPrompt());
  const [chosen, setChosen] = useState<readonly Issue[] | null>(null);
  const [tried, setTried] = useState<readonly Issue[]>([]);
  const selectedIssues = chosen ?? issues.slice(0, MAX_TRIED_ISSUES);
  const run = () => {
    if (draft === null) {
      onInvalid();
      return;
    }
    setTried(selectedIssues);
    trial.mutate({ prompt: draft, issue_ids: selectedIssues.map(({ id }) => id) });
  };
  const asked = trial.variables?.prompt;
  return (
    <section className={classes.tryOut} aria-label="Try out">
      <TriedIssues listed={issues} chosen={selectedIssues} onChoose={setChosen} />
      <div className={classes.tryOutHead}>
        <p className={classes.note}>See how these issues would score. Nothing is saved.</p>
        <Button onClick={run} loading={trial.isPending} disabled={selectedIssues.length === 0}>
          Try out
        </Button>
      </div>
      {trial.isError ? <ErrorState error={trial.error} /> : null}
      {trial.data === undefined ? null : (
        <Results
          issues={tried}
          results={trial.data.results}
          outdated={JSON.stringify(draft) !== JSON.stringify(asked)}
        />
      )}
    </section>
  );
}
