import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueries } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import type { CommitResult, Dependency } from '@winnow/contract/dependency';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { queryClient } from '../../../api/query/query-client.ts';
import { sentenceOf as sentenceOfError } from '../../../api/session/api-error.ts';
import { changeAddress } from '../../../features/changes/change-search.ts';
import { retryChange, undoChange } from '../../../features/decisions/decision-requests.ts';
import { changeOptions } from '../../../features/decisions/queries.ts';
import { reasonOf } from '../../../features/decisions/recent-decisions.ts';
import frame from '../../../features/write-dialog/item-dialog.module.css';
import { Meter } from '../../../theme/parts/meter.tsx';
import { FOCUSABLE } from '../../../ui/keyboard/focusable.ts';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import { dependencyKey } from '../dependency-state.ts';
import { sentenceOf } from '../dependency-texts.ts';
import { announceCommitted } from '../dependency-toasts.ts';
import { refreshDependencies } from '../queries.ts';
import classes from './commit.module.css';
import { type CommitOutcome, countOutcomes, outcomesOf, outcomesText } from './commit-outcomes.ts';
import { Titles } from './titles.tsx';

/** URL of the list of changes that commit dependencies. */
export const COMMITTED_CHANGES = '/console/changes?kind=dependency';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const OUTCOME_DISPLAY: Record<CommitOutcome['state'], { label: string; icon: ReactNode }> = {
  done: { label: 'Done', icon: <IconCircleCheck {...ICON} color="var(--success-fg)" /> },
  failed: { label: 'Failed', icon: <IconAlertTriangle {...ICON} color="var(--danger-fg)" /> },
  undone: { label: 'Undone', icon: <IconArrowBackUp {...ICON} /> },
  pending: { label: 'Applying', icon: <Loader size={14} aria-hidden /> },
};

function changeOf(outcome: CommitOutcome): string | null {
  return outcome.state === 'done' ? outcome.committed.change_id : outcome.changeId;
}

/** Thrown if a change could not be undone. The message is displayed to the user. */
class UndoFailedError extends Error {}

/**
 * Undoes changes, starting with the last one. Calls `onUndone` after each. Stops at the first
 * failure.
 */
async function undoAll(changeIds: readonly string[], onUndone: (change: Change) => void): Promise<void> {
  for (const changeId of changeIds.toReversed()) {
    const undo = await undoChange(changeId);
    if (undo.status !== 'applied') throw new UndoFailedError(reasonOf(undo));
    onUndone(await queryClient.fetchQuery({ ...changeOptions(changeId), staleTime: 0 }));
  }
}

type OutcomeProps = {
  dependency: Dependency;
  issueOf: DependencyActions['issueOf'];
  outcome: CommitOutcome;
  onRetried: (change: Change) => void;
};

function Outcome({ dependency, issueOf, outcome, onRetried }: OutcomeProps) {
  const { label, icon } = OUTCOME_DISPLAY[outcome.state];
  const changeId = changeOf(outcome);
  const retry = useOneAtATime(useMutation({ mutationFn: retryChange, onSuccess: onRetried }));
  return (
    <li className={frame.item}>
      <div className={frame.itemHead}>
        <span className={frame.itemName}>{sentenceOf(dependency)}</span>
        <span className={frame.fate}>
          {icon}
          {label}
        </span>
      </div>
      <Titles dependency={dependency} issueOf={issueOf} />
      {outcome.state === 'failed' ? <p className={frame.refusal}>{outcome.detail}</p> : null}
      {retry.error === null ? null : <p className={frame.refusal}>{sentenceOfError(retry.error)}</p>}
      {changeId === null ? null : (
        <div className={classes.ways}>
          {outcome.state === 'failed' ? (
            <Button
              size="xs"
              aria-label={`Retry: ${sentenceOf(dependency)}`}
              loading={retry.isPending}
              onClick={() => retry.mutate(changeId)}
            >
              Retry
            </Button>
          ) : null}
          <Link className={`link ${classes.change}`} to={changeAddress(changeId)}>
            Show the change<span className="vh"> that states “{sentenceOf(dependency)}”</span>
          </Link>
        </div>
      )}
    </li>
  );
}

export type ResultsProps = {
  asked: readonly Dependency[];
  issueOf: DependencyActions['issueOf'];
  result: CommitResult;
  onClose: () => void;
  onTryAgain: (failed: readonly Dependency[]) => void;
};

/** Displays the outcome of each dependency, and refetches changes that are still being written. */
export function Results({ asked, issueOf, result, onClose, onTryAgain }: ResultsProps) {
  const changes = useQueries({
    queries: result.pending.map(({ change_id: changeId }) => changeOptions(changeId)),
    combine: (queries) => queries.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  const [retried, setRetried] = useState<ReadonlyMap<string, Change>>(new Map());
  const outcomes = outcomesOf(asked, result, new Map(changes.map((change) => [change.id, change])), retried);
  const { done, failed, pending } = countOutcomes(outcomes);
  // Dependencies that failed without a change. A failed change has a separate Retry button.
  const retriable = asked.filter((one) => {
    const outcome = outcomes.get(dependencyKey(one));
    return outcome?.state === 'failed' && outcome.changeId === null && !outcome.isFinal;
  });
  const settle = (dependency: Dependency, change: Change) => {
    setRetried((before) => new Map(before).set(dependencyKey(dependency), change));
    refreshDependencies();
  };
  const committed = asked.flatMap((one) => {
    const outcome = outcomes.get(dependencyKey(one));
    const changeId = outcome?.state === 'done' ? outcome.committed.change_id : null;
    return changeId === null ? [] : [{ one, changeId }];
  });
  const undo = useOneAtATime(
    useMutation({
      mutationFn: () =>
        undoAll(
          committed.map(({ changeId }) => changeId),
          (change) => {
            const undone = committed.find(({ changeId }) => changeId === change.id);
            if (undone !== undefined) settle(undone.one, change);
          },
        ),
    }),
  );
  const onSettled = useEffectEvent(() => {
    const [only] = [...outcomes.values()];
    refreshDependencies();
    if (asked.length !== 1 || only?.state !== 'done') return;
    if (only.committed.change_id !== null) void announceCommitted(only.committed.change_id);
    onClose();
  });
  useEffect(() => {
    if (pending === 0) onSettled();
  }, [pending]);
  return (
    <>
      <section className={frame.body} aria-label="Results" {...FOCUSABLE}>
        <div role="status">
          <p className={frame.headline}>{outcomesText(outcomes)}</p>
          <Meter value={(done + failed) / asked.length} tone={failed > 0 ? 'warning' : 'accent'} />
        </div>
        <ul className={frame.items} aria-label="Dependencies">
          {asked.map((dependency) => {
            const key = dependencyKey(dependency);
            const outcome = outcomes.get(key);
            return outcome === undefined ? null : (
              <Outcome
                key={key}
                dependency={dependency}
                issueOf={issueOf}
                outcome={outcome}
                onRetried={(change) => settle(dependency, change)}
              />
            );
          })}
        </ul>
        {undo.error === null ? null : (
          <p className={frame.refusal}>
            {undo.error instanceof UndoFailedError ? undo.error.message : sentenceOfError(undo.error)}
          </p>
        )}
      </section>
      <div className={frame.footer}>
        <Link className="link" to={COMMITTED_CHANGES}>
          Show in Changes
        </Link>
        <span className={frame.state}>{pending > 0 ? 'You can close this dialog.' : null}</span>
        {committed.length === 0 || pending > 0 ? null : (
          <Button loading={undo.isPending} onClick={() => undo.mutate()}>
            {committed.length === 1 ? 'Undo' : `Undo all ${committed.length}`}
          </Button>
        )}
        {retriable.length === 0 || pending > 0 ? null : (
          <Button onClick={() => onTryAgain(retriable)}>
            {retriable.length === 1 ? 'Try again' : `Try ${retriable.length} again`}
          </Button>
        )}
        <Button variant="filled" onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </>
  );
}
