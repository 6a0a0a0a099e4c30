import { type FlowLiveMessage, logNumber } from '@winnow/contract/flow';
import { CLOSE_GONE } from '@winnow/contract/live-close';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { badRequest } from '../../platform/errors.ts';
import type { LiveRoute } from '../../platform/realtime/live-channel.ts';
import type { Follow } from '../../platform/realtime/live-socket.ts';
import type { Db } from '../../schema/tables.ts';
import { presentLog } from './present.ts';
import { findExecution, listLogs } from './store.ts';

/** Maximum number of log entries that one query reads. */
const LOG_BATCH_SIZE = 200;

const watching = z.object({
  execution_id: id,
  /**
   * Number of the last log entry that the client has. Later entries are sent. If omitted, only new
   * entries are sent.
   */
  after: logNumber.optional(),
});

/** Returns the WebSocket route that sends the status, the cost and the log of one execution. */
export function executionChannel({ db, now }: { db: Db; now: () => Date }): LiveRoute {
  return {
    url: '/api/v1/ws/flow-updates',
    follow(query) {
      const asked = watching.safeParse(query);
      if (!asked.success) throw badRequest('The query parameter execution_id is required.');
      return followExecution(db, now, asked.data.execution_id, asked.data.after ?? null);
    },
  };
}

function followExecution(db: Db, now: () => Date, executionId: string, after: number | null): Follow {
  // Position of the last update sent. It survives a re-authentication of the client.
  let sent: { seq: number | null; status: string; cost: number } = { seq: after, status: '', cost: -1 };
  return (accountId, line) => {
    let hasLeft = false;
    let isStale = false;
    let isReading = false;

    const send = (type: FlowLiveMessage['type'], payload: FlowLiveMessage['payload'], at = now()) => {
      const timestamp = at.toISOString();
      line.send({ execution_id: executionId, type, payload, timestamp } satisfies FlowLiveMessage);
    };
    async function sendNews(): Promise<void> {
      const execution = await findExecution(db, accountId, executionId);
      if (hasLeft) return;
      if (!execution) {
        line.close(CLOSE_GONE, 'Execution not found.');
        return;
      }
      sent.seq ??= execution.log_entries;
      for (let entries = LOG_BATCH_SIZE; entries === LOG_BATCH_SIZE && !hasLeft; ) {
        const logs = await listLogs(db, accountId, executionId, sent.seq, LOG_BATCH_SIZE);
        for (const log of logs) {
          const { seq, type, payload, timestamp } = presentLog(log);
          send('log', { seq, type, payload, timestamp }, log.at);
          if (type === 'tool_call') send('tool_call', { seq, ...payload }, log.at);
          sent.seq = seq;
        }
        entries = logs.length;
      }
      const { status, budget_used: cost } = execution;
      if (cost !== sent.cost) send('budget_update', { budget_used: cost });
      if (status !== sent.status) send('status_update', { status });
      sent = { ...sent, status, cost };
    }
    /** Sends new log entries. Runs again if entries arrived while it was reading. */
    async function readOn(): Promise<void> {
      isReading = true;
      try {
        while (isStale && !hasLeft) {
          isStale = false;
          await sendNews();
        }
      } catch (error) {
        line.fail(error);
      } finally {
        isReading = false;
      }
    }
    function look(): void {
      isStale = true;
      if (!isReading) void readOn();
    }
    return {
      listening: look,
      hear(event) {
        if (event.type === 'execution_logged' && event.execution_id === executionId) look();
      },
      leave() {
        hasLeft = true;
      },
    };
  };
}
