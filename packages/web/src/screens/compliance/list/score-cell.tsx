import { Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconLoader } from '@tabler/icons-react';
import { insteadOfText } from '@winnow/contract/verdict';
import { meaningOf, NOT_EVALUATED, scoreText } from '../../../features/compliance/score.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Meter } from '../../../theme/parts/meter.tsx';
import { factorOf, partText, type ShownScore, toneOf } from '../shown-score.ts';
import classes from './issue-table.module.css';

/**
 * Score of an issue, as a number above a bar. Without a score, states that it is being computed or
 * could not be loaded.
 */
export function ScoreCell({ score }: { score: ShownScore }) {
  if (score === 'failed') return <span className={classes.none}>Could not load</span>;
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
  const part = partText(score);
  const author = insteadOfText(score.instead_of) ?? `Scored by: ${score.ai_model_name}.`;
  const about = [author, score.stale ? 'Being judged again.' : null, part, meaningOf(score.prompt_id)]
    .filter((text) => text !== null)
    .join(' ');
  return (
    <span
      className={classes.scored}
      data-stale={score.stale || undefined}
      title={about === '' ? undefined : about}
    >
      <span className={classes.number}>{scoreText(factor)}</span>
      <Meter value={factor} tone={toneOf(score)} thin />
      {part === null ? null : <span className={classes.partly}>Partly judged</span>}
      {part !== null || score.ai_model_id === null ? null : (
        <span className={classes.model}>{score.ai_model_name}</span>
      )}
    </span>
  );
}
