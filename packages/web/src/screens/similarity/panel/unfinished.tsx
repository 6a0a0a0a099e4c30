import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { PairDetail } from '@winnow/contract/duplicate';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { retryChange } from '../../../features/decisions/decision-requests.ts';
import { announceChange, undoDecision } from '../../../features/decisions/decision-toasts.ts';
import { StepOutcomes } from '../../../features/decisions/step-outcomes.tsx';
import { useUnfinishedChange } from '../queries.ts';
import classes from './panel.module.css';

const TITLES = {
  applying: 'A decision is being written',
  partly_applied: 'A decision is only partly written',
  failed: 'A decision could not be written',
} as const;

/**
 * Notice that a decision on the pair is still being written or has stopped midway, with buttons to
 * retry and undo it.
 */
export function Unfinished({ pair }: { pair: PairDetail }) {
  const { data: change } = useUnfinishedChange(pair);
  const retry = useMutation({ mutationFn: retryChange, onSuccess: announceChange });
  if (!change) return null;
  const { id, status } = change;
  if (status !== 'applying' && status !== 'partly_applied' && status !== 'failed') return null;
  const stopped = status !== 'applying';
  return (
    <div className={classes.unfinished}>
      <Alert title={TITLES[status]} color={stopped ? 'warning' : 'info'} role={stopped ? 'alert' : 'status'}>
        <StepOutcomes change={change} />
        {retry.error === null ? null : <p>{sentenceOf(retry.error)}</p>}
        {stopped ? (
          <div className={classes.ways}>
            <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate(id)}>
              Retry
            </Button>
            {status === 'partly_applied' ? (
              <Button
                size="xs"
                disabled={retry.isPending}
                onClick={() => void undoDecision({ kind: 'change', change })}
              >
                Undo what was written
              </Button>
            ) : null}
          </div>
        ) : null}
      </Alert>
    </div>
  );
}
