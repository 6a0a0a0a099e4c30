import { Button } from '@mantine/core';
import type { Change } from '@winnow/contract/change';
import { Link } from 'react-router';
import { Meter } from '../../theme/parts/meter.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../ui/states/skeletons.tsx';
import { changeAddress } from '../changes/change-search.ts';
import { undoDecision } from '../decisions/decision-toasts.ts';
import { useChange } from '../decisions/queries.ts';
import { StepOutcomes } from '../decisions/step-outcomes.tsx';
import classes from './write-dialog.module.css';

/** States the progress of a change that is being written or has stopped. */
function headline({ status, steps }: Change): string {
  const done = steps.filter((step) => step.status === 'applied').length;
  const count = `${done} of ${steps.length} steps done`;
  if (status === 'partly_applied') return `${count}. The rest could not be written.`;
  if (status === 'failed') return 'Nothing was written.';
  return count;
}

function StoppedButtons({ change, writing, onClose }: ProgressProps & { change: Change }) {
  const { id, status } = change;
  const undo = () => {
    onClose();
    void undoDecision({ kind: 'change', change });
  };
  return (
    <>
      {status === 'partly_applied' ? (
        <Button onClick={undo} disabled={writing.pending}>
          Undo what was written
        </Button>
      ) : null}
      <Button
        variant="filled"
        className={classes.confirm ?? ''}
        loading={writing.pending}
        onClick={() => writing.retry(id)}
      >
        Retry
      </Button>
    </>
  );
}

/** State of a change that a dialog writes. */
export type WriteState = {
  /** Retries the failed steps of a change. */
  retry: (changeId: string) => void;
  pending: boolean;
  /** Error of the last attempt to write or retry; null if it succeeded. */
  error: unknown;
};

export type ProgressProps = { changeId: string; writing: WriteState; onClose: () => void };

/**
 * Progress of a change while it is being written. If the change stops, lists the remaining steps.
 */
export function Progress(props: ProgressProps) {
  const { data: change, error, refetch } = useChange(props.changeId);
  const stopped = change?.status === 'partly_applied' || change?.status === 'failed';
  const done = change?.steps.filter((step) => step.status === 'applied').length ?? 0;
  return (
    <>
      <div className={classes.progress}>
        {change === undefined && error === null ? (
          <Loading label="Applying">
            <TextSkeleton width="60%" />
          </Loading>
        ) : null}
        {change === undefined && error !== null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : null}
        {change === undefined ? null : (
          <>
            <div role={stopped ? 'alert' : 'status'}>
              <p className={classes.headline}>{headline(change)}</p>
              <Meter value={done / change.steps.length} tone={stopped ? 'warning' : 'accent'} />
            </div>
            <StepOutcomes change={change} />
            {stopped ? (
              <Link className="link" to={changeAddress(change.id)}>
                Show the change
              </Link>
            ) : null}
          </>
        )}
        {props.writing.error === null ? null : <ErrorState error={props.writing.error} />}
      </div>
      <div className={classes.footer}>
        <Button onClick={props.onClose}>Close</Button>
        <span className={classes.state}>{stopped ? null : 'You can close this dialog.'}</span>
        {stopped && change !== undefined ? <StoppedButtons change={change} {...props} /> : null}
      </div>
    </>
  );
}
