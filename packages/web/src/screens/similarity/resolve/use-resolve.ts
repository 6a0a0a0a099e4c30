import { useMutation } from '@tanstack/react-query';
import type { ProposalPayload, ResolutionPayload } from '@winnow/contract/change';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { titleOf } from '../../../features/changes/change-texts.ts';
import { proposeResolution, resolvePair } from '../../../features/decisions/decision-requests.ts';
import type { WriteState } from '../../../features/write-dialog/progress.tsx';
import { useDialogWrite } from '../../../features/write-dialog/use-dialog-write.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';

export type Resolving = WriteState & {
  resolve: (payload: ResolutionPayload) => void;
  /** Proposes a resolution for approval. */
  propose: (payload: ProposalPayload) => void;
  /**
   * Id of the change that is being written or has stopped. Null before the start and after success.
   */
  changeId: string | null;
};

/** Returns functions that resolve a pair or propose its resolution, and their state. */
export function useResolve(onDone: () => void): Resolving {
  const { write, forgetError, ...writing } = useDialogWrite(resolvePair, onDone);
  const proposing = useOneAtATime(
    useMutation({
      mutationFn: proposeResolution,
      onSuccess: (proposal) =>
        showToast({
          id: proposal.id,
          kind: 'done',
          text: `Proposed: ${titleOf(proposal)}. It will be written when approved.`,
        }),
    }),
  );
  return {
    ...writing,
    resolve: (payload) => {
      proposing.reset();
      write(payload);
    },
    propose: (payload) => {
      forgetError();
      proposing.mutate(payload, { onSuccess: onDone });
    },
    pending: writing.pending || proposing.isPending,
    error: writing.error ?? proposing.error,
  };
}
