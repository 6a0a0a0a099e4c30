import { useMutation } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { retryChange } from '../decisions/decision-requests.ts';
import { announceChange } from '../decisions/decision-toasts.ts';
import type { WriteState } from './progress.tsx';

/**
 * Function that writes a change and waits until it is settled. Calls `onUnderWay` with the change
 * id if writing takes time.
 */
export type Write<Payload> = (payload: Payload, onUnderWay: (changeId: string) => void) => Promise<Change>;

export type DialogWrite<Payload> = WriteState & {
  write: (payload: Payload) => void;
  /** Clears the error of the last attempt to write. */
  forgetError: () => void;
  /**
   * Id of the change that is being written or has stopped. Null before the start and after success.
   */
  changeId: string | null;
};

/**
 * Writes a change from a dialog. On success, the dialog closes and a toast is shown. If the change
 * stops, the dialog shows it. If the dialog is already closed, a toast shows it.
 */
export function useDialogWrite<Payload>(write: Write<Payload>, onDone: () => void): DialogWrite<Payload> {
  const [changeId, setChangeId] = useState<string | null>(null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const showResult = (change: Change) => {
    const isDone = change.status === 'applied';
    // Close the dialog before the toast appears. Otherwise keyboard shortcuts would not reach the
    // toast's action immediately.
    if (isDone && shown.current) flushSync(onDone);
    if (isDone || !shown.current) announceChange(change);
  };
  const writing = useOneAtATime(
    useMutation({ mutationFn: (payload: Payload) => write(payload, setChangeId), onSuccess: showResult }),
  );
  const retrying = useOneAtATime(useMutation({ mutationFn: retryChange, onSuccess: showResult }));
  return {
    write: (payload) => writing.mutate(payload),
    forgetError: writing.reset,
    retry: (id) => retrying.mutate(id),
    pending: writing.isPending || retrying.isPending,
    error: retrying.error ?? writing.error,
    changeId,
  };
}
