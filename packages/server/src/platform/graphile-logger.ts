import { Logger } from 'graphile-worker';
import type { Log } from './log.ts';

/**
 * Writes messages of the job queue to our log, one level lower, since our own code logs the
 * important events of jobs.
 */
export function graphileLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { queue: scope.label ?? null, job_id: scope.jobId ?? null };
    if (level === 'error') log.warn(fields, message);
    else if (level === 'warning') log.info(fields, message);
    else log.trace(fields, message);
  });
}
