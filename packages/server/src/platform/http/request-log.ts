import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * Logs one line at the end of each request, with its route template. Omits the query, because it
 * may contain tokens from emailed links. The error handler logs errors.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override incomingRequest(): void {
    // Disables the framework's line for arriving requests: the line at the end is enough.
  }

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const route = request.routeOptions.url;
    reply.log.info(
      {
        method: request.method,
        ...(route === undefined ? { path: request.url.split('?', 1)[0]?.slice(0, 200) } : { route }),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request completed',
    );
  }
}
