import { Button } from '@mantine/core';
import type { PairDetail } from '@winnow/contract/duplicate';
import { Meter } from '../../theme/parts/meter.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { TextSkeleton } from '../../ui/states/skeletons.tsx';
import { InsteadOfNote } from '../models/instead-of.tsx';
import { useAskModel, useVerdicts } from './queries.ts';
import { VerdictBadge } from './verdict-badge.tsx';
import classes from './verdict-section.module.css';

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** The verdict on a pair with its confidence, reason and suggestion. */
export function VerdictSection({ pair }: { pair: PairDetail }) {
  const verdict = useVerdicts([pair])(pair);
  const asking = useAskModel();
  if (verdict === 'failed') return <p className={classes.reason}>Could not load verdict.</p>;
  const isChecking = verdict === null || verdict.decision === 'checking';
  return (
    <>
      <div className={classes.head}>
        <VerdictBadge verdict={verdict} />
        {verdict === null || verdict.confidence === null ? null : (
          <span className={classes.confidence}>
            <span>
              <b>{percent(verdict.confidence)}</b> confidence
            </span>
            <span className={classes.meter}>
              <Meter value={verdict.confidence} thin />
            </span>
          </span>
        )}
        {verdict === null ? null : <span className={classes.by}>{verdict.ai_model_name}</span>}
      </div>
      {isChecking ? (
        <p className={classes.reason}>
          <TextSkeleton width="72%" />
        </p>
      ) : (
        <>
          <p className={classes.reason} dir="auto">
            {verdict.reason === '' ? 'No reasoning provided.' : verdict.reason}
          </p>
          {verdict.stale ? (
            <p className={classes.suggestion}>
              The texts or the model have changed. The pair is being judged again.
            </p>
          ) : null}
          <InsteadOfNote value={verdict.instead_of} />
          {verdict.instead_of?.reason === 'not_worth_asking' ? (
            <Button
              size="xs"
              className={classes.ask}
              loading={asking.isPending}
              onClick={() => asking.mutate(pair)}
            >
              Ask {verdict.instead_of.ai_model_name}
            </Button>
          ) : null}
          {asking.isError ? <ErrorState error={asking.error} title="The model could not be asked" /> : null}
          {verdict.suggestion === null ? null : <p className={classes.suggestion}>{verdict.suggestion}</p>}
        </>
      )}
    </>
  );
}
