import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/** Returns a signal that aborts if the caller closes its connection before the response is sent. */
export function callerAbortSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(callerGone());
  });
  return gone.signal;
}

/** Never sent. In the log it marks an aborted call as not our fault. */
function callerGone(): AppError {
  return new AppError({
    code: 'caller_gone',
    category: 'aborted',
    detail: 'The caller disconnected. Nothing was written.',
  });
}
