import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/** A signal that is aborted when the caller closes its connection before the response is sent. */
export function whenCallerGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(callerGone());
  });
  return gone.signal;
}

/** Nobody reads it; the log names it as no fault of ours. */
function callerGone(): AppError {
  return new AppError({
    code: 'caller_gone',
    status: 499,
    detail: 'The caller went away. Nothing was written.',
  });
}
