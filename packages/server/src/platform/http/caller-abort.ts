import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/** Returns a signal that aborts if the caller closes the connection before the response is sent. */
export function callerAbortSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(callerGone());
  });
  return gone.signal;
}

/**
 * Returns the abort reason. It appears only in the log, where it shows that the caller
 * disconnected.
 */
function callerGone(): AppError {
  return new AppError({
    code: 'caller_gone',
    category: 'aborted',
    detail: 'The caller disconnected. Nothing was written.',
  });
}
