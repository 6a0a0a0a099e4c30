import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconLoader } from '@tabler/icons-react';
import type { ComplianceResult } from '@winnow/contract/compliance';
import { meaningOf, NOT_EVALUATED, scoreText } from '../../../features/compliance/score.ts';
import { InsteadOfNote } from '../../../features/models/instead-of.tsx';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Meter } from '../../../theme/parts/meter.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { factorOf, partText, type ShownScore, toneOf } from '../shown-score.ts';
import classes from './panel.module.css';

function Estimate({ estimate }: { estimate: NonNullable<ComplianceResult['estimate']> }) {
  const { points, reason } = estimate;
  return (
    <p className={classes.estimate} dir="auto">
      <b>{points === 1 ? '1 story point' : `${points} story points`}</b> {reason}
    </p>
  );
}

function Judged({ result }: { result: ComplianceResult }) {
  return (
    <span className={classes.by}>
      {result.ai_model_name}
      {result.evaluated_at === null ? null : (
        <>
          , <RelativeTime at={result.evaluated_at} />
        </>
      )}
    </span>
  );
}

/** Overall score of an issue, with its author, date and reason, and what to do next. */
export function ScoreSection({ score, metric }: { score: ShownScore; metric: string }) {
  const factor = factorOf(score);
  if (score === 'failed') return <p className={classes.reason}>The score could not be loaded.</p>;
  if (score === null || factor === null) {
    return (
      <div className={classes.scoreHead} role="status">
        <Badge icon={IconLoader} dashed>
          Checking
        </Badge>
        {score === null ? null : <Judged result={score} />}
      </div>
    );
  }
  const meaning = meaningOf(score.prompt_id);
  const part = partText(score);
  return (
    <>
      <div className={classes.scoreHead}>
        <span className={classes.metric}>{meaning === null ? metric : `${metric}: ${meaning}`}</span>
        <span className={classes.total}>{scoreText(factor)}</span>
        <span className={classes.totalBar}>
          <Meter value={factor} tone={toneOf(score)} />
        </span>
        <Judged result={score} />
      </div>
      {factor === 0 ? (
        <Alert color="warning" role="note" icon={<IconAlertTriangle size={16} aria-hidden />} mt={10}>
          {NOT_EVALUATED}
        </Alert>
      ) : null}
      {part === null ? null : (
        <p className={classes.stale}>
          <Badge small>Partly judged</Badge> {part}
        </p>
      )}
      {score.stale ? (
        <p className={classes.stale}>
          The texts, the prompt or the model have changed. The issue is being judged again.
        </p>
      ) : null}
      <InsteadOfNote value={score.instead_of} />
      <p className={classes.reason} dir="auto">
        {score.reason}
      </p>
      {score.suggestion === null ? null : (
        <p className={classes.next} dir="auto">
          <b>Next:</b> {score.suggestion}
        </p>
      )}
      {score.estimate === null ? null : <Estimate estimate={score.estimate} />}
    </>
  );
}
