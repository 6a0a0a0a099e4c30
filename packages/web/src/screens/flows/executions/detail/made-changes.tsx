import { Button } from '@mantine/core';
import type { Change } from '@winnow/contract/change';
import { Link } from 'react-router';
import { changeAddress } from '../../../../features/changes/change-search.ts';
import { titleOf } from '../../../../features/changes/change-texts.ts';
import { DecisionError } from '../../../../features/changes/decision-error.tsx';
import { StatusBadge } from '../../../../features/changes/status-badge.tsx';
import { StepItem } from '../../../../features/changes/step-item.tsx';
import { StoppedNotice } from '../../../../features/changes/stopped-notice.tsx';
import {
  availableActions,
  type ChangeAction,
  type ChangeActions,
  useChangeActions,
} from '../../../../features/changes/use-change-actions.ts';
import { useChange } from '../../../../features/decisions/queries.ts';
import { Card } from '../../../../ui/card.tsx';
import { ErrorState } from '../../../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../../../ui/states/skeletons.tsx';
import classes from './detail.module.css';

const ACTION_TEXTS: Record<ChangeAction, string> = {
  approve: 'Approve',
  reject: 'Reject',
  retry: 'Try again',
  undo: 'Undo',
};

/**
 * Lists the changes that an execution made, with buttons to decide on them. Renders nothing if it
 * made none.
 */
export function MadeChanges({ changeIds }: { changeIds: readonly string[] }) {
  const deciding = useChangeActions();
  if (changeIds.length === 0) return null;
  return (
    <Card title="Changes">
      <ul className={classes.changes} aria-label="Changes of this execution">
        {changeIds.map((changeId) => (
          <li key={changeId}>
            <MadeChange changeId={changeId} deciding={deciding} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function MadeChange({ changeId, deciding }: { changeId: string; deciding: ChangeActions }) {
  const { data, error, refetch, isFetching } = useChange(changeId);
  if (data !== undefined) return <ChangeItem change={data} deciding={deciding} />;
  if (error === null) {
    return (
      <Loading label="Loading the change">
        <RowsSkeleton rows={1} />
      </Loading>
    );
  }
  return (
    <ErrorState
      error={error}
      title="The change could not be loaded"
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  );
}

/** Moves the focus from a button to the title of its change, because the button will disappear. */
function leaveFocus(button: HTMLButtonElement): () => void {
  const title = button.closest('article')?.querySelector('a');
  return () => {
    if (document.activeElement === button) title?.focus();
  };
}

function ChangeItem({ change, deciding }: { change: Change; deciding: ChangeActions }) {
  const pending = deciding.pendingOn(change.id);
  const steps = change.steps.map((step, index) => ({ step, number: index + 1 }));
  return (
    <article className={classes.change} aria-label={titleOf(change)}>
      <div className={classes.changeHead}>
        <StatusBadge status={change.status} />
        <Link className={`${classes.changeTitle} link`} to={changeAddress(change.id)} dir="auto">
          {titleOf(change)}
        </Link>
      </div>
      {change.rationale === null ? null : (
        <p className={classes.rationale} dir="auto">
          {change.rationale}
        </p>
      )}
      <DecisionError change={change} error={deciding.errorOf(change.id)} />
      <StoppedNotice change={change} />
      <ol className={classes.steps}>
        {steps.map(({ step, number }) => (
          <StepItem key={step.id} step={step} number={number} changeStatus={change.status} />
        ))}
      </ol>
      {availableActions(change).length === 0 ? null : (
        <div className={classes.ways}>
          {availableActions(change).map((kind) => (
            <Button
              key={kind}
              ref={leaveFocus}
              size="xs"
              variant={kind === 'approve' || kind === 'retry' ? 'filled' : 'default'}
              loading={pending === kind}
              disabled={pending !== null && pending !== kind}
              onClick={() => deciding.decide(kind, change)}
            >
              {ACTION_TEXTS[kind]}
              <span className="vh"> {titleOf(change)}</span>
            </Button>
          ))}
        </div>
      )}
    </article>
  );
}
