import { useMutation } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { approveChange, rejectChange } from '../decisions/decision-requests.ts';
import { announceChange, announceRetry, undoDecision } from '../decisions/decision-toasts.ts';
import { canBeRetried, canBeUndone } from '../decisions/recent-decisions.ts';
import { titleOf } from './change-texts.ts';

export type ChangeAction = 'approve' | 'reject' | 'retry' | 'undo';

/** Returns the actions available for a change in its current status. */
export function availableActions(change: Change): readonly ChangeAction[] {
  switch (change.status) {
    case 'proposed':
      return ['approve', 'reject'];
    case 'failed':
    case 'partly_applied':
    case 'applied':
      return [
        ...(canBeRetried(change) ? (['retry'] as const) : []),
        ...(canBeUndone(change) ? (['undo'] as const) : []),
      ];
    case 'applying':
    case 'rejected':
    case 'undone':
      return [];
  }
}

type Asked = { kind: ChangeAction; change: Change };

async function carryOut({ kind, change }: Asked): Promise<void> {
  switch (kind) {
    case 'approve':
      return announceChange(await approveChange(change.id));
    case 'reject':
      await rejectChange(change.id);
      return showToast({ id: change.id, kind: 'undone', text: `Rejected: ${titleOf(change)}.` });
    case 'retry':
      return announceRetry(change.id);
    case 'undo':
      return undoDecision({ kind: 'change', change });
  }
}

export type ChangeActions = {
  /** Runs an action if it is available for the change. */
  decide: (kind: ChangeAction, change: Change) => void;
  /** Returns the action that is in progress on a change; null if none is. */
  pendingOn: (changeId: string) => ChangeAction | null;
  /** Returns the error of the last action on a change; null if it succeeded. */
  errorOf: (changeId: string) => unknown;
};

/**
 * Approves, rejects, retries and undoes changes, one at a time. Shows the result of each action in
 * a toast.
 */
export function useChangeActions(): ChangeActions {
  const { mutate, variables, isPending, error } = useOneAtATime(useMutation({ mutationFn: carryOut }));
  return {
    decide: (kind, change) => {
      if (availableActions(change).includes(kind)) mutate({ kind, change });
    },
    pendingOn: (changeId) => (isPending && variables?.change.id === changeId ? variables.kind : null),
    errorOf: (changeId) => (variables?.change.id === changeId ? error : null),
  };
}
