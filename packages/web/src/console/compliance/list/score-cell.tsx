import { Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconLoader } from '@tabler/icons-react';
import { Badge } from '../../../ui/badge.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { NOT_EVALUATED, scoreText, scoreTone } from '../score.ts';
import { factorOf, type ShownScore } from '../shown-score.ts';
import classes from './issue-table.module.css';

/** How an issue stands, as a number over a bar; that it is being judged; or that it could not be. */
export function ScoreCell({ score }: { score: ShownScore }) {
  if (score === 'failed') return <span className={classes.none}>Not known</span>;
  const factor = factorOf(score);
  if (score === null || factor === null) {
    return (
      <Badge icon={IconLoader} dashed>
        Checking
      </Badge>
    );
  }
  if (factor === 0) {
    return (
      <Tooltip label={NOT_EVALUATED} multiline w={280}>
        <span className={classes.unevaluated}>
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
          <span className={classes.number}>0%</span>
          <span className="vh">{NOT_EVALUATED}</span>
        </span>
      </Tooltip>
    );
  }
  return (
    <span className={classes.scored} data-stale={score.stale || undefined}>
      <span className={classes.number} title={score.stale ? 'Being judged anew' : undefined}>
        {scoreText(factor)}
      </span>
      <Meter value={factor} tone={scoreTone(factor)} thin />
    </span>
  );
}
