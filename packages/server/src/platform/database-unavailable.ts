import { AppError } from './errors.ts';

/** The database cannot be reached, or dropped the connection. Work that was not committed did not happen. */
export class DatabaseUnavailable extends AppError {
  constructor(cause: unknown) {
    super({
      code: 'unavailable',
      status: 503,
      detail: 'The database cannot be reached just now. Try again in a few seconds.',
      retryAfterSeconds: 5,
      cause,
    });
  }
}

/**
 * Whether the database, not the statement, is the reason: unreachable, starting, stopping, or out of connections. Such
 * work can be tried again. Looks through the chain of causes.
 */
export function isConnectionError(error: unknown): boolean {
  for (let link = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    if (link instanceof DatabaseUnavailable || saysConnectionLost(link)) return true;
  }
  return false;
}

/** The error as {@link DatabaseUnavailable} when it came from the connection, else itself. Only for errors of `pg`. */
export function nameUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  // A failed system call (ECONNREFUSED, ENOENT of the socket) could come from anywhere; here it is the database's.
  return 'syscall' in error || saysConnectionLost(error) ? new DatabaseUnavailable(error) : error;
}

/**
 * SQLSTATE of PostgreSQL's appendix A: connection exceptions, too many connections, and the server's stopping,
 * crashing or starting.
 */
const LOST_STATES = /^(08...|53300|57P0[1235])$/;

/** What `pg` says without a code, as of 8.23. */
const LOST_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
];

function saysConnectionLost(error: Error): boolean {
  if ('code' in error && typeof error.code === 'string' && LOST_STATES.test(error.code)) return true;
  // The words of our own errors may begin with a name that somebody gave.
  if (error instanceof AppError) return false;
  return LOST_MESSAGES.some((message) => error.message.startsWith(message));
}
