import { AppError } from './errors.ts';

/** The database is unreachable or has closed the connection. Uncommitted changes are lost. */
export class DatabaseUnavailable extends AppError {
  constructor(cause: unknown) {
    super({
      code: 'unavailable',
      category: 'unavailable',
      detail: 'The database cannot be reached right now. Try again in a few seconds.',
      retryAfterSeconds: 5,
      cause,
    });
  }
}

/**
 * True if the connection to the database failed, and not the statement: the server is unreachable,
 * starting, stopping, or out of connections. The work can then be retried. Searches the chain of
 * causes.
 */
export function isConnectionError(error: unknown): boolean {
  for (let link = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    if (link instanceof DatabaseUnavailable || isConnectionLost(link)) return true;
  }
  return false;
}

/**
 * Returns {@link DatabaseUnavailable} for a connection error, and any other error unchanged. Pass
 * only errors that `pg` threw.
 */
export function toDatabaseUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  // `pg` makes system calls only for its connection, so a failed system call is a connection error.
  return 'syscall' in error || isConnectionLost(error) ? new DatabaseUnavailable(error) : error;
}

/**
 * SQLSTATE codes of PostgreSQL's appendix A: connection exceptions, too many connections, and a
 * server that stops, crashes or starts.
 */
const LOST_STATES = /^(08...|53300|57P0[1235])$/;

/** Messages of connection errors that `pg` 8.23 throws without an error code. */
const LOST_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
];

function isConnectionLost(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && LOST_STATES.test(error.code)) return true;
  // One of our errors may begin with a name that a user chose, and so match by chance.
  if (error instanceof AppError) return false;
  return LOST_MESSAGES.some((message) => error.message.startsWith(message));
}
