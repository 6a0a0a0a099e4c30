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

/**
 * Reads the log entries that are not in the query cache yet, and returns them with the cached
 * entries.
 */
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
    // Also include entries that live events have added to the cache during the request.
    read = mergeEntries(cachedLog(cache, executionId), [...read, ...logs]);
    entries = logs.length;
  }
  return read;
}

/**
 * State of the live connection. Null before the first connection and after the execution has ended.
 */
export type LogLine = 'up' | 'down' | null;

/** Returns the log of an execution. While the execution runs, live events add entries. */
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
 * Opens a live channel that updates the cached execution and its log. Calls `onUpOrDown` when the
 * connection opens or closes. Returns a function that closes the channel.
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
        // Ignore tool calls, because each is also sent as a log entry.
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
    // The status may have changed before the last log entries arrived, so read the log again.
    refresh(logKey(executionId));
  };
}
