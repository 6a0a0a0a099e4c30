import { Button } from '@mantine/core';
import type { PairDetail } from '@winnow/contract/duplicate';
import { undoDecision } from '../../../features/decisions/decision-toasts.ts';
import { useChange } from '../../../features/decisions/queries.ts';
import { canBeUndone } from '../../../features/decisions/recent-decisions.ts';
import { StepOutcomes } from '../../../features/decisions/step-outcomes.tsx';
import { TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { PairBadge } from '../list/pair-badge.tsx';
import classes from './panel.module.css';

function Decision({ changeId }: { changeId: string }) {
  const { data: change } = useChange(changeId);
  if (change === undefined) return <TextSkeleton width="70%" />;
  return (
    <>
      <p className={classes.done}>{change.title}</p>
      <p className={classes.meta}>
        {change.actor.name}, <RelativeTime at={change.applied_at ?? change.created_at} />
      </p>
      {change.kind === 'resolution' && change.steps.length > 1 ? (
        <div className={classes.outcomes}>
          <StepOutcomes change={change} />
        </div>
      ) : null}
      {canBeUndone(change) ? (
        <Button mt="sm" size="xs" onClick={() => void undoDecision({ kind: 'change', change })}>
          Undo
        </Button>
      ) : null}
    </>
  );
}

/** Decision on a resolved pair, with its author and time, and a button to undo it. */
export function Outcome({ pair }: { pair: PairDetail }) {
  return (
    <section className={classes.section} aria-label="What was decided">
      <PairBadge pair={pair} />
      {pair.change_id === null ? null : <Decision changeId={pair.change_id} />}
    </section>
  );
}
