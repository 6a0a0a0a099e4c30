import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * Logs one line at the end of each request with its route template. The query is omitted, as it may
 * contain tokens of mailed links. Errors are logged by the error handler.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override incomingRequest(): void {
    // Logs nothing when a request arrives: the line at its end is enough.
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
