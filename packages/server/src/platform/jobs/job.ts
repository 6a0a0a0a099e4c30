import type { z } from 'zod';

/** Places that one kind of job has for itself in a process, because it mostly waits for others. */
export interface JobPlaces {
  readonly atOnce: number;
  /** Maximum jobs with the same value in a field of their payload; the first field is whose jobs they are. */
  readonly shares: readonly JobShare[];
}
export interface JobShare {
  readonly field: string;
  readonly max: number;
}

/** What a job is called and what it is told. Kept in a file of its own beside the feature; its handler is elsewhere. */
export interface JobDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Raised when the payload changes its meaning: workers of each version take only what is meant for them. */
  readonly version: number;
  readonly payload: Schema;
  /** How often it is begun at most; one that a dying process interrupts counts, one that was without the database does not. */
  readonly maxAttempts: number;
  /** It may take minutes; places are kept free of such jobs, so that what somebody waits for need not wait for them. */
  readonly isLong: boolean;
  /** Null for a job that runs in the places that all jobs share. */
  readonly places: JobPlaces | null;
  /** What the queue calls it: name and version. */
  readonly identifier: string;
}

/** What a handler knows about the attempt it is. */
export interface JobContext {
  /**
   * Aborted when the work should end soon: Winnow stops, or the job was given to another worker. A handler that then
   * throws is run again from the beginning, without losing an attempt.
   */
  readonly signal: AbortSignal;
  readonly jobId: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** When this one fails, nobody tries again: tell the people concerned. */
  readonly isLastAttempt: boolean;
}

export type JobHandler<Schema extends z.ZodObject> = (
  payload: z.output<Schema>,
  context: JobContext,
) => Promise<void>;

/** A definition with its handler; the type of the payload is settled inside. */
export interface HandledJob {
  readonly identifier: string;
  readonly isLong: boolean;
  readonly places: JobPlaces | null;
  /** Checks the payload and handles it. Throws {@link JobCannotSucceed} for a payload that does not fit. */
  readonly run: (payload: unknown, context: JobContext) => Promise<void>;
}

/** Thrown by a handler when trying again is of no use: the job is not run again, and keeps the message as its reason. */
export class JobCannotSucceed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'JobCannotSucceed';
  }
}

/**
 * Thrown by a handler whose work has to wait. Its place becomes free. The job is run again after `pauseMs`, before those
 * that were not begun, and loses no attempt.
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
 * Defines a job. A failed attempt is repeated after e, e², e³… seconds (up to six hours), in all `maxAttempts` times
 * (25 by default; 1 for what must rather be lost than done twice).
 */
export function defineJob<Schema extends z.ZodObject>(definition: {
  name: string;
  version: number;
  payload: Schema;
  maxAttempts?: number;
  isLong?: boolean;
  places?: JobPlaces;
}): JobDefinition<Schema> {
  const { name, version, maxAttempts = DEFAULT_ATTEMPTS, isLong = false, places = null } = definition;
  const { payload } = definition;
  const identifier = `${name}:v${version}`;
  return Object.freeze({ name, version, payload, maxAttempts, isLong, places, identifier });
}

/** Binds a handler to the job it handles. It must be safe to run again: a job is run at least once, not exactly once. */
export function handle<Schema extends z.ZodObject>(
  job: JobDefinition<Schema>,
  handler: JobHandler<Schema>,
): HandledJob {
  return {
    identifier: job.identifier,
    isLong: job.isLong,
    places: job.places,
    async run(payload, context) {
      const parsed = job.payload.safeParse(payload);
      if (!parsed.success) {
        throw new JobCannotSucceed(
          `The payload of ${job.identifier} does not fit: ${parsed.error.message}`,
          parsed.error,
        );
      }
      await handler(parsed.data, context);
    },
  };
}
