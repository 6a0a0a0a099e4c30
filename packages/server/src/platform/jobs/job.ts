import type { z } from 'zod';

/** Dedicated slots for a kind of job that mostly waits for other systems, per process. */
export interface JobSlots {
  readonly maxConcurrent: number;
  /**
   * Maximum concurrent jobs per value of a payload field. The first field identifies the account.
   */
  readonly shares: readonly JobShare[];
}
export interface JobShare {
  readonly field: string;
  readonly max: number;
}

/** Name and payload of a job. Defined in a file beside its feature, separate from its handler. */
export interface JobDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Increment when the meaning of the payload changes. Workers take only jobs of their version. */
  readonly version: number;
  readonly payload: Schema;
  /**
   * Maximum attempts. An attempt that a process crash interrupts counts. An attempt that a database
   * outage interrupts does not count.
   */
  readonly maxAttempts: number;
  /**
   * True if the job may take minutes. Some slots are reserved for short jobs, so that users do not
   * wait for long ones.
   */
  readonly isLong: boolean;
  /** Null for a job that runs in the shared slots. */
  readonly slots: JobSlots | null;
  /** Name and version, as stored in the queue. */
  readonly identifier: string;
}

/** Information for a handler about the current attempt. */
export interface JobContext {
  /**
   * Aborted when the work should end soon: Winnow stops, or another worker has taken over the job.
   * A handler that then throws is run again without losing an attempt.
   */
  readonly signal: AbortSignal;
  readonly jobId: string;
  /** Starts at 1. */
  readonly attempt: number;
  /** True if there is no retry after a failure. The handler must then report it to the user. */
  readonly isLastAttempt: boolean;
}

export type JobHandler<Schema extends z.ZodObject> = (
  payload: z.output<Schema>,
  context: JobContext,
) => Promise<void>;

/** A definition with its handler, without the payload's type. */
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
 * Thrown by a handler if a retry would fail as well. The job is not retried and stores the message
 * as its reason.
 */
export class JobCannotSucceed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'JobCannotSucceed';
  }
}

/**
 * Thrown by a handler whose work has to wait. The slot is released. The job runs again after
 * `pauseMs`, before new ones, and loses no attempt.
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
 * Defines a job. A failed attempt is repeated after e, e², e³… seconds (at most six hours), up to
 * `maxAttempts` attempts in total. The default is 25; use 1 for work that must never be done twice.
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

/** Binds a handler to its job. It must be idempotent: a job runs at least once. */
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
