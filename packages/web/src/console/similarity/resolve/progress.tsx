import { Button } from '@mantine/core';
import type { Change } from '@winnow/contract/change';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { undoDecision } from '../decide/announce.ts';
import { StepOutcomes } from '../decide/step-outcomes.tsx';
import { useChange } from '../queries.ts';
import classes from './resolve-dialog.module.css';
import type { Resolving } from './use-resolve.ts';

/** What is left to say about a change that is on its way or stopped there. */
function headline({ status, steps }: Change): string {
  const done = steps.filter((step) => step.status === 'applied').length;
  const count = `${done} of ${steps.length} steps done`;
  if (status === 'partly_applied') return `${count}. The rest could not be written.`;
  if (status === 'failed') return 'Nothing was written.';
  return count;
}

function StoppedButtons({ change, resolving, onClose }: ProgressProps & { change: Change }) {
  const { id, status } = change;
  const undo = () => {
    onClose();
    void undoDecision({ kind: 'change', change });
  };
  return (
    <>
      {status === 'partly_applied' ? (
        <Button onClick={undo} disabled={resolving.pending}>
          Undo what was written
        </Button>
      ) : null}
      <Button
        variant="filled"
        className={classes.confirm ?? ''}
        loading={resolving.pending}
        onClick={() => resolving.retry(id)}
      >
        Retry
      </Button>
    </>
  );
}

export type ProgressProps = { changeId: string; resolving: Resolving; onClose: () => void };

/** The steps of a decision while they are written, and what is left when one of them failed. */
export function Progress(props: ProgressProps) {
  const { data: change, error, refetch } = useChange(props.changeId);
  const stopped = change?.status === 'partly_applied' || change?.status === 'failed';
  const done = change?.steps.filter((step) => step.status === 'applied').length ?? 0;
  return (
    <>
      <div className={classes.progress}>
        {change === undefined && error === null ? (
          <Loading label="Writing">
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
          </>
        )}
        {props.resolving.error === null ? null : <ErrorState error={props.resolving.error} />}
      </div>
      <div className={classes.footer}>
        <Button onClick={props.onClose}>Close</Button>
        <span className={classes.state}>{stopped ? null : 'It goes on when you close this.'}</span>
        {stopped && change !== undefined ? <StoppedButtons change={change} {...props} /> : null}
      </div>
    </>
  );
}
