import { FLOW_LIMITS } from '@winnow/contract/flow';
import type { Events } from '../../platform/events.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';
import { ExecutionFailed } from './execution-failed.ts';

/** A user asked to stop the execution. */
export class StopRequested extends Error {}

export interface StopWatch {
  /**
   * Aborted with {@link StopRequested} or {@link ExecutionFailed} if the execution must end early.
   */
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * Watches a running execution. Ends it at its time limit, or when a user stops it in any process.
 */
export function watchExecution(
  { accountId, executionId, startedAt }: { accountId: string; executionId: string; startedAt: Date },
  options: {
    events: Pick<Events<AccountEvent>, 'subscribe' | 'listening'>;
    now: () => Date;
    /** Resolves to true if a user asked to stop the execution, or if it was removed. */
    shouldStop: () => Promise<boolean>;
    onError: (error: unknown) => void;
  },
): StopWatch {
  const { events, now, shouldStop, onError } = options;
  const stop = new AbortController();
  const look = () => {
    shouldStop()
      .then((isAsked) => {
        if (isAsked) stop.abort(new StopRequested());
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
  // Checks once at the start, because the stop may have been requested before the subscription
  // began.
  void events.listening(accountId).then(look);
  const leftMs = startedAt.getTime() + FLOW_LIMITS.duration * 60_000 - now().getTime();
  const timer = setTimeout(
    () => stop.abort(new ExecutionFailed(`The run took longer than ${FLOW_LIMITS.duration} minutes.`)),
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
