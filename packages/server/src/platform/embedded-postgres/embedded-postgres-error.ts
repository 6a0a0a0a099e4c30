/**
 * The embedded PostgreSQL cannot be used. The message tells the operator the reason and what to do.
 */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
  }
}

/** Returns the `code` of a failed system call, such as `ENOENT`; undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
