import { Button } from '@mantine/core';
import { type CompliancePromptDraft, type ComplianceResult, MOST_TRIED } from '@winnow/contract/compliance';
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
  // They come under what was pressed, where the dialog may have no room left.
  useEffect(() => {
    if (results.length > 0) place.current?.scrollIntoView({ block: 'nearest' });
  }, [results]);
  return (
    <div className={classes.results} ref={place}>
      {outdated ? (
        <p className={classes.outdated} role="status">
          These scores are of what was written before. Try out again.
        </p>
      ) : null}
      <ul className={classes.tried} aria-label="Scores by this prompt" data-outdated={outdated || undefined}>
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
  /** Of the page that is listed: it is tried on them unless others are chosen. */
  issues: readonly Issue[];
  /** The prompt as it is written; null while something is missing. */
  draft: CompliancePromptDraft | null;
  /** Says at the fields what is missing. */
  onMissing: () => void;
};

/** Judges some issues by a prompt that is being written. Nothing is kept. */
export function TryOut({ issues, draft, onMissing }: TryOutProps) {
  const trial = useOneAtATime(useTryPrompt());
  const [chosen, setChosen] = useState<readonly Issue[] | null>(null);
  const [tried, setTried] = useState<readonly Issue[]>([]);
  const meant = chosen ?? issues.slice(0, MOST_TRIED);
  const run = () => {
    if (draft === null) {
      onMissing();
      return;
    }
    setTried(meant);
    trial.mutate({ prompt: draft, issue_ids: meant.map(({ id }) => id) });
  };
  const asked = trial.variables?.prompt;
  return (
    <section className={classes.tryOut} aria-label="Try out">
      <TriedIssues listed={issues} chosen={meant} onChoose={setChosen} />
      <div className={classes.tryOutHead}>
        <p className={classes.note}>See how these issues would score. Nothing is kept.</p>
        <Button onClick={run} loading={trial.isPending} disabled={meant.length === 0}>
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
