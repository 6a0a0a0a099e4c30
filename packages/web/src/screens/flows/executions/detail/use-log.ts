import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ExecutionLog,
  executionLog,
  executionLogs,
  executionStatus,
  type FlowExecution,
  flowLiveMessage,
} from '@winnow/contract/flow';
import { useEffect, useState } from 'react';
import { createLiveChannel } from '../../../../api/live/channel.ts';
import { liveAddress, openWebSocket } from '../../../../api/live/web-socket-line.ts';
import { queryKeys } from '../../../../api/query/query-keys.ts';
import { accessToken, api, loseSession, refreshSession } from '../../../../api/session/session.ts';
import { FOLLOW_MS, hasEnded } from '../queries.ts';
import { withEntries } from './log-entries.ts';

const AT_ONCE = 500;

function heldLog(cache: QueryClient, executionId: string): readonly ExecutionLog[] {
  return cache.getQueryData<ExecutionLog[]>(queryKeys.flows.log(executionId)) ?? [];
}

/** Reads what follows the entries that are held, to the end. */
async function readOn(cache: QueryClient, executionId: string, signal: AbortSignal): Promise<ExecutionLog[]> {
  let read: ExecutionLog[] = [...heldLog(cache, executionId)];
  for (let entries = AT_ONCE; entries === AT_ONCE; ) {
    const { logs } = await api('GET', `/flows/executions/${executionId}/logs`, {
      query: { after: read.at(-1)?.seq ?? 0, limit: AT_ONCE },
      schema: executionLogs,
      signal,
    });
    // The live channel may have told more meanwhile.
    read = withEntries(heldLog(cache, executionId), [...read, ...logs]);
    entries = logs.length;
  }
  return read;
}

/** How the line is over which more comes; null while it is opened for the first time, or nothing more comes. */
export type LogLine = 'up' | 'down' | null;

/** What an execution wrote down so far. While it runs, more comes over the live channel. */
export function useExecutionLog(execution: FlowExecution) {
  const cache = useQueryClient();
  const { id } = execution;
  const ended = hasEnded(execution);
  const log = useQuery({
    queryKey: queryKeys.flows.log(id),
    queryFn: ({ signal }) => readOn(cache, id, signal),
    refetchInterval: ended ? false : FOLLOW_MS,
  });
  const isLive = log.isSuccess && !ended;
  const [line, setLine] = useState<LogLine>(null);
  useEffect(() => {
    if (!isLive) return undefined;
    const leave = followExecution(cache, id, (isUp) => setLine(isUp ? 'up' : 'down'));
    return () => {
      leave();
      setLine(null);
    };
  }, [cache, id, isLive]);
  return { ...log, line };
}

/** Listens to an execution until the function that it answers is called, and tells when the line is up or down. */
function followExecution(
  cache: QueryClient,
  executionId: string,
  onUpOrDown: (isUp: boolean) => void,
): () => void {
  const refresh = (key: readonly unknown[]) => void cache.invalidateQueries({ queryKey: key });
  const { execution: executionKey, log: logKey } = queryKeys.flows;
  const change = (changed: Partial<FlowExecution>) =>
    cache.setQueryData<FlowExecution>(executionKey(executionId), (held) => held && { ...held, ...changed });

  function hear(said: unknown): void {
    const message = flowLiveMessage.safeParse(said);
    if (!message.success || message.data.execution_id !== executionId) return;
    const { type, payload } = message.data;
    switch (type) {
      case 'log': {
        const entry = executionLog.safeParse(payload);
        if (!entry.success) return;
        cache.setQueryData(logKey(executionId), withEntries(heldLog(cache, executionId), [entry.data]));
        if (entry.data.type === 'change') refresh(executionKey(executionId));
        return;
      }
      case 'status_update': {
        const status = executionStatus.safeParse(payload.status);
        if (!status.success) return;
        change({ status: status.data });
        refresh(executionKey(executionId));
        return;
      }
      case 'budget_update':
        if (typeof payload.budget_used === 'number') change({ budget_used: payload.budget_used });
        return;
      case 'tool_call':
        // Counted from the log, where each is once however often the line breaks.
        return;
    }
  }

  const channel = createLiveChannel({
    open: (listener) => {
      const after = heldLog(cache, executionId).at(-1)?.seq ?? 0;
      const path = `/api/v1/ws/flow-updates?execution_id=${executionId}&after=${after}`;
      return openWebSocket(liveAddress(path), listener);
    },
    token: accessToken,
    renew: refreshSession,
    now: Date.now,
    random: Math.random,
    onMessage: hear,
    onReconnected: () => refresh(executionKey(executionId)),
    onUpOrDown,
    onGone: () => refresh(executionKey(executionId)),
    onSessionLost: loseSession,
  });
  channel.start();
  return () => {
    channel.stop();
    // How it ended may have been heard of elsewhere first.
    refresh(logKey(executionId));
  };
}
