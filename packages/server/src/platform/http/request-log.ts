import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * One line per request, at its end, with the route template and never the query: links in mails carry tokens there.
 * Errors are logged where they are answered.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override incomingRequest(): void {
    // The line at the end says it all.
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
