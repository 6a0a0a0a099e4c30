import { Button } from '@mantine/core';
import { Meter } from '../../../theme/parts/meter.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './scoring.module.css';
import { progressText } from './scoring-texts.ts';
import type { Scoring } from './use-scoring.ts';

export type ScoreProjectProps = {
  projectId: string;
  name: string;
  /** Number of issues in the project without a score. */
  unscored: number;
  scoring: Scoring;
};

/**
 * Button that starts or stops scoring all issues of a project. Shows the progress, and the error
 * after a failure.
 */
export function ScoreProject({ projectId, name, unscored, scoring }: ScoreProjectProps) {
  const run = scoring.runOf(projectId);
  if (run?.state === 'running') {
    return (
      <div className={classes.project}>
        <span className={classes.progress} role="status">
          <span className="vh">{name}, </span>
          {progressText([run])}
        </span>
        <Button
          size="xs"
          variant="subtle"
          aria-label={`Stop scoring ${name}`}
          disabled={scoring.stopping}
          onClick={() => scoring.stop([run])}
        >
          Stop
        </Button>
        <span className={classes.meter}>
          <Meter value={run.total === 0 ? null : run.done / run.total} thin />
        </span>
      </div>
    );
  }
  if (run?.state !== 'failed' && unscored === 0) return null;
  const isStarting = scoring.starting.includes(projectId);
  return (
    <div className={classes.project}>
      {run?.state === 'failed' ? (
        <p className={classes.failed} role="alert">
          {run.reason}
        </p>
      ) : null}
      {unscored > 0 ? (
        <Button
          size="xs"
          variant="subtle"
          aria-label={`Score all issues of ${name}, ${countText(unscored)} left`}
          loading={isStarting}
          disabled={scoring.starting.length > 0}
          onClick={() => scoring.start([projectId])}
        >
          Score all
        </Button>
      ) : null}
    </div>
  );
}
