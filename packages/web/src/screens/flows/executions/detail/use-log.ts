import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { liveAddress, openWebSocket } from '../../../../api/live/web-socket.ts';
import { queryKeys } from '../../../../api/query/query-keys.ts';
import {
  accessToken,
  api,
  leaveLostWorkspace,
  loseSession,
  refreshSession,
  selectedWorkspace,
} from '../../../../api/session/session.ts';
import { FOLLOW_MS, hasEnded } from '../queries.ts';
import { mergeEntries } from './log-entries.ts';

const LOG_PAGE_SIZE = 500;

function cachedLog(cache: QueryClient, executionId: string): readonly ExecutionLog[] {
  return cache.getQueryData<ExecutionLog[]>(queryKeys.flows.log(executionId)) ?? [];
}

/** Reads all entries after the cached ones. */
async function readNewEntries(
  cache: QueryClient,
  executionId: string,
  signal: AbortSignal,
): Promise<ExecutionLog[]> {
  let read: ExecutionLog[] = [...cachedLog(cache, executionId)];
  for (let entries = LOG_PAGE_SIZE; entries === LOG_PAGE_SIZE; ) {
    const { logs } = await api('GET', `/flows/executions/${executionId}/logs`, {
      query: { after: read.at(-1)?.seq ?? 0, limit: LOG_PAGE_SIZE },
      schema: executionLogs,
      signal,
    });
    // Live events may have added entries meanwhile.
    read = mergeEntries(cachedLog(cache, executionId), [...read, ...logs]);
    entries = logs.length;
  }
  return read;
}

/** State of the live connection; null before it first opens, and when the execution has ended. */
export type LogLine = 'up' | 'down' | null;

/** Returns the log of an execution so far. While it runs, live events add entries. */
export function useExecutionLog(execution: FlowExecution) {
  const cache = useQueryClient();
  const { id } = execution;
  const ended = hasEnded(execution);
  const log = useQuery({
    queryKey: queryKeys.flows.log(id),
    queryFn: ({ signal }) => readNewEntries(cache, id, signal),
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

/**
 * Follows an execution over a live channel and reports connects and disconnects. Returns the
 * unsubscribe function.
 */
function followExecution(
  cache: QueryClient,
  executionId: string,
  onUpOrDown: (isUp: boolean) => void,
): () => void {
  const refresh = (key: QueryKey) => void cache.invalidateQueries({ queryKey: key });
  const { execution: executionKey, log: logKey } = queryKeys.flows;
  const change = (changed: Partial<FlowExecution>) =>
    cache.setQueryData<FlowExecution>(
      executionKey(executionId),
      (current) => current && { ...current, ...changed },
    );

  function receive(data: unknown): void {
    const message = flowLiveMessage.safeParse(data);
    if (!message.success || message.data.execution_id !== executionId) return;
    const { type, payload } = message.data;
    switch (type) {
      case 'log': {
        const entry = executionLog.safeParse(payload);
        if (!entry.success) return;
        cache.setQueryData(logKey(executionId), mergeEntries(cachedLog(cache, executionId), [entry.data]));
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
        // Ignored: calls are counted from the log, which lists each once.
        return;
    }
  }

  const channel = createLiveChannel({
    open: (listener) => {
      const after = cachedLog(cache, executionId).at(-1)?.seq ?? 0;
      const path = `/api/v1/ws/flow-updates?execution_id=${executionId}&after=${after}`;
      return openWebSocket(liveAddress(path), listener);
    },
    token: accessToken,
    workspace: selectedWorkspace,
    onNotAMember: leaveLostWorkspace,
    renew: refreshSession,
    now: Date.now,
    random: Math.random,
    onMessage: receive,
    onReconnected: () => refresh(executionKey(executionId)),
    onUpOrDown,
    onGone: () => refresh(executionKey(executionId)),
    onSessionLost: loseSession,
  });
  channel.start();
  return () => {
    channel.stop();
    // The end may have been announced elsewhere before its last entries arrived.
    refresh(logKey(executionId));
  };
}
