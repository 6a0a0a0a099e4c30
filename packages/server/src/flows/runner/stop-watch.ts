import { FLOW_LIMITS } from '@winnow/contract/flow';
import type { Events } from '../../platform/events.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';
import { ExecutionFailed } from './execution-failed.ts';

/** Somebody wants the execution to end. */
export class StopAsked extends Error {}

export interface StopWatch {
  /** Aborted with {@link StopAsked} or {@link ExecutionFailed} when the execution is to end before it is done. */
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * Watches over an execution while it is run: it ends within moments when somebody stops it, wherever they are, and when its
 * time is over.
 */
export function watchExecution(
  { accountId, executionId, startedAt }: { accountId: string; executionId: string; startedAt: Date },
  options: {
    events: Pick<Events<AccountEvent>, 'subscribe' | 'listening'>;
    now: () => Date;
    /** Whether somebody wants it to end, or it is gone. */
    isToStop: () => Promise<boolean>;
    onError: (error: unknown) => void;
  },
): StopWatch {
  const { events, now, isToStop, onError } = options;
  const stop = new AbortController();
  const look = () => {
    isToStop()
      .then((isAsked) => {
        if (isAsked) stop.abort(new StopAsked());
      })
      .catch(onError);
  };
  const unsubscribe = events.subscribe(
    accountId,
    (event) => {
      if (event.type === 'execution_updated' && event.execution_id === executionId) look();
    },
    { onMissed: look },
  );
  // It may have been asked for before anything could be heard.
  void events.listening(accountId).then(look);
  const leftMs = startedAt.getTime() + FLOW_LIMITS.duration * 60_000 - now().getTime();
  const timer = setTimeout(
    () => stop.abort(new ExecutionFailed(`It took longer than ${FLOW_LIMITS.duration} minutes.`)),
    Math.max(0, leftMs),
  );
  return {
    signal: stop.signal,
    close() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
