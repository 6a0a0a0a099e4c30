import { Logger } from 'graphile-worker';
import type { Log } from './log.ts';

/** The job queue's own messages in our log, one level lower: what matters about a job we say ourselves. */
export function graphileLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { queue: scope.label ?? null, job_id: scope.jobId ?? null };
    if (level === 'error') log.warn(fields, message);
    else if (level === 'warning') log.info(fields, message);
    else log.trace(fields, message);
  });
}
