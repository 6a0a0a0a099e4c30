import { useMutation } from '@tanstack/react-query';
import type { Change, ProposalPayload, ResolutionPayload } from '@winnow/contract/change';
import { useEffect, useRef, useState } from 'react';
import { useOneAtATime } from '../../../app/one-at-a-time.ts';
import { titleOf } from '../../changes/words.ts';
import { announceChange } from '../decide/announce.ts';
import { proposeResolution, resolvePair, retryChange } from '../decide/decisions.ts';
import { showToast } from '../decide/toast.tsx';

export type Resolving = {
  resolve: (payload: ResolutionPayload) => void;
  /** Leaves the decision to whoever approves it. */
  propose: (payload: ProposalPayload) => void;
  retry: (changeId: string) => void;
  pending: boolean;
  /** Why nothing was begun; null when nothing went wrong. */
  error: unknown;
  /** The change that is being written, or that stopped on the way; null before there is one, and once it is done. */
  changeId: string | null;
};

/**
 * Resolves a pair from the dialog. A decision that is written says so in a toast, whether or not the dialog is still
 * there; one that stopped on the way is shown in the dialog, or in a toast when the dialog is gone.
 */
export function useResolve(onDone: () => void): Resolving {
  const [changeId, setChangeId] = useState<string | null>(null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const tell = (change: Change) => {
    if (change.status === 'applied' || !shown.current) announceChange(change);
  };
  const whileShown = {
    onSuccess: (change: Change) => {
      if (change.status === 'applied') onDone();
    },
  };
  const resolving = useOneAtATime(
    useMutation({
      mutationFn: (payload: ResolutionPayload) => resolvePair(payload, setChangeId),
      onSuccess: tell,
    }),
  );
  const retrying = useOneAtATime(useMutation({ mutationFn: retryChange, onSuccess: tell }));
  const proposing = useOneAtATime(
    useMutation({
      mutationFn: proposeResolution,
      onSuccess: (proposal) =>
        showToast({
          id: proposal.id,
          kind: 'done',
          text: `Proposed: ${titleOf(proposal)}. It is written once somebody approves it.`,
        }),
    }),
  );
  return {
    resolve: (payload) => {
      proposing.reset();
      resolving.mutate(payload, whileShown);
    },
    propose: (payload) => {
      resolving.reset();
      proposing.mutate(payload, { onSuccess: onDone });
    },
    retry: (id) => retrying.mutate(id, whileShown),
    pending: resolving.isPending || retrying.isPending || proposing.isPending,
    error: retrying.error ?? proposing.error ?? resolving.error,
    changeId,
  };
}
