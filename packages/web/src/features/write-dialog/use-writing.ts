import { useMutation } from '@tanstack/react-query';
import type { Change } from '@winnow/contract/change';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { retryChange } from '../decisions/decision-requests.ts';
import { announceChange } from '../decisions/decision-toasts.ts';
import type { Writing } from './progress.tsx';

/** Writes a change and waits until it is settled. `onUnderWay` hears its id when it is not written at once. */
export type Write<Payload> = (payload: Payload, onUnderWay: (changeId: string) => void) => Promise<Change>;

export type DialogWriting<Payload> = Writing & {
  write: (payload: Payload) => void;
  /** Forgets why the last try came to nothing. */
  forgetError: () => void;
  /** The change that is being written, or that stopped on the way; null before there is one, and once it is done. */
  changeId: string | null;
};

/**
 * Writes a change from a dialog. One that is written says so in a toast, whether or not the dialog is still there; one that
 * stopped on the way is shown in the dialog, or in a toast when the dialog is gone.
 */
export function useWriting<Payload>(write: Write<Payload>, onDone: () => void): DialogWriting<Payload> {
  const [changeId, setChangeId] = useState<string | null>(null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const tell = (change: Change) => {
    const isDone = change.status === 'applied';
    // The dialog goes before its toast comes: what the toast offers is within reach of the screen's keys at once.
    if (isDone && shown.current) flushSync(onDone);
    if (isDone || !shown.current) announceChange(change);
  };
  const writing = useOneAtATime(
    useMutation({ mutationFn: (payload: Payload) => write(payload, setChangeId), onSuccess: tell }),
  );
  const retrying = useOneAtATime(useMutation({ mutationFn: retryChange, onSuccess: tell }));
  return {
    write: (payload) => writing.mutate(payload),
    forgetError: writing.reset,
    retry: (id) => retrying.mutate(id),
    pending: writing.isPending || retrying.isPending,
    error: retrying.error ?? writing.error,
    changeId,
  };
}
