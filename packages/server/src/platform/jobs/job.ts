import type { z } from 'zod';

/** Dedicated slots per process for a kind of job that mostly waits for other systems. */
export interface JobSlots {
  readonly maxConcurrent: number;
  /**
   * Maximum concurrent jobs with the same value in a payload field. The first entry must be the
   * field that identifies the account.
   */
  readonly shares: readonly JobShare[];
}
export interface JobShare {
  readonly field: string;
  readonly max: number;
}

/** Name and payload of a job. Define it in a file of its feature, separate from its handler. */
export interface JobDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /**
   * Increment it when the meaning of the payload changes. A worker takes only jobs of the version
   * that it knows.
   */
  readonly version: number;
  readonly payload: Schema;
  /**
   * Maximum attempts. An attempt that a crash of the process interrupts counts. An attempt that a
   * database outage interrupts does not count.
   */
  readonly maxAttempts: number;
  /**
   * True if the job may take minutes. Some slots accept only short jobs, so that users do not wait
   * for long ones.
   */
  readonly isLong: boolean;
  /** Dedicated slots of this kind of job. Null if it runs in the shared slots. */
  readonly slots: JobSlots | null;
  /** Name and version, as stored in the queue. */
  readonly identifier: string;
}

/** Information for a handler about the current attempt. */
export interface JobContext {
  /**
   * Aborted when the handler should stop soon: Winnow stops, or another worker has taken over the
   * job. If the handler then throws, the job runs again and the attempt does not count.
   */
  readonly signal: AbortSignal;
  readonly jobId: string;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /**
   * True if the job is not retried after a failure. The handler must then report the failure to the
   * user.
   */
  readonly isLastAttempt: boolean;
}

export type JobHandler<Schema extends z.ZodObject> = (
  payload: z.output<Schema>,
  context: JobContext,
) => Promise<void>;

/** A job definition with its handler. The type of the payload is erased. */
export interface HandledJob {
  readonly identifier: string;
  readonly isLong: boolean;
  readonly slots: JobSlots | null;
  /**
   * Validates the payload and handles it. Throws {@link JobCannotSucceed} for an invalid payload.
   */
  readonly run: (payload: unknown, context: JobContext) => Promise<void>;
}

/**
 * Thrown by a handler if a retry would fail as well. The job is not retried, and the queue stores
 * the message as the reason.
 */
export class JobCannotSucceed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'JobCannotSucceed';
  }
}

/**
 * Thrown by a handler whose work cannot start yet. The job releases its slot and runs again after
 * `pauseMs`, with priority over new jobs. The attempt does not count.
 */
export class JobPostponed extends Error {
  readonly pauseMs: number;

  constructor(pauseMs: number) {
    super(`The job waits for ${pauseMs} ms.`);
    this.name = 'JobPostponed';
    this.pauseMs = pauseMs;
  }
}

const DEFAULT_ATTEMPTS = 25;

/**
 * Defines a job. A failed job is retried after e, e², e³… seconds, at most six hours. `maxAttempts`
 * is the number of attempts in total, 25 by default. Use 1 for work that must never be done twice.
 */
export function defineJob<Schema extends z.ZodObject>(definition: {
  name: string;
  version: number;
  payload: Schema;
  maxAttempts?: number;
  isLong?: boolean;
  slots?: JobSlots;
}): JobDefinition<Schema> {
  const { name, version, maxAttempts = DEFAULT_ATTEMPTS, isLong = false, slots = null } = definition;
  const { payload } = definition;
  const identifier = `${name}:v${version}`;
  return Object.freeze({ name, version, payload, maxAttempts, isLong, slots, identifier });
}

/**
 * Binds a handler to its job. The handler must be idempotent, because a job may run more than once.
 */
export function handle<Schema extends z.ZodObject>(
  job: JobDefinition<Schema>,
  handler: JobHandler<Schema>,
): HandledJob {
  return {
    identifier: job.identifier,
    isLong: job.isLong,
    slots: job.slots,
    async run(payload, context) {
      const parsed = job.payload.safeParse(payload);
      if (!parsed.success) {
        throw new JobCannotSucceed(
          `The payload of ${job.identifier} is invalid: ${parsed.error.message}`,
          parsed.error,
        );
      }
      await handler(parsed.data, context);
    },
  };
}
