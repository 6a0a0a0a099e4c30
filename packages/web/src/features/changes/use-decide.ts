import { useMutation } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { showToast } from '../../ui/toasts/toast.tsx';
import { approveChange, rejectChange } from '../decisions/decision-requests.ts';
import { announceChange, announceRetry, undoDecision } from '../decisions/decision-toasts.ts';
import { canBeRetried, canBeUndone } from '../decisions/recent-decisions.ts';
import { titleOf } from './change-texts.ts';

export type DecideKind = 'approve' | 'reject' | 'retry' | 'undo';

/** What can be done about a change as it stands. */
export function waysOf(change: Change): readonly DecideKind[] {
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

type Asked = { kind: DecideKind; change: Change };

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

export type Deciding = {
  /** Does what can be done, and nothing else. */
  decide: (kind: DecideKind, change: Change) => void;
  /** What is being done about a change; null when nothing is. */
  pendingOn: (changeId: string) => DecideKind | null;
  /** Why nothing came of the last try at a change. */
  errorOf: (changeId: string) => unknown;
};

/** Approving, rejecting, trying again and taking back, one at a time. How it went is told in a toast. */
export function useDecide(): Deciding {
  const { mutate, variables, isPending, error } = useOneAtATime(useMutation({ mutationFn: carryOut }));
  return {
    decide: (kind, change) => {
      if (waysOf(change).includes(kind)) mutate({ kind, change });
    },
    pendingOn: (changeId) => (isPending && variables?.change.id === changeId ? variables.kind : null),
    errorOf: (changeId) => (variables?.change.id === changeId ? error : null),
  };
}
