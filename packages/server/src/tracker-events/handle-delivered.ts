import { AppError } from '../platform/errors.ts';
import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { TrackerError } from '../trackers/index.ts';
import { readDelivered, readDeliveredQueueKey } from './job.ts';
import type { DeliveredReader } from './read-delivered.ts';

/**
 * Returns the job handler that reads the issues named in webhook deliveries. Postpones the job
 * during a rate limit, and retries it after a temporary fault. If a user must fix the fault, the
 * next sync reports it.
 */
export function handleDelivered({ reader, jobs }: { reader: DeliveredReader; jobs: Jobs }): HandledJob {
  return handle(readDelivered, async (payload, { signal, isLastAttempt }) => {
    try {
      await reader.read(payload, signal);
    } catch (error) {
      if (error instanceof AppError && error.category === 'not_found') return;
      if (signal.aborted || !(error instanceof TrackerError)) throw error;
      if (error.retryAt !== null) {
        const queueKey = readDeliveredQueueKey(payload.tracker_id, payload.project_external_id);
        await jobs.enqueue(readDelivered, payload, { ...queueKey, runAt: error.retryAt });
      } else if (error.transient && !isLastAttempt) throw error;
      else await reader.leaveToSync(payload);
    }
  });
}
