import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@winnow/contract/error';

const RESPONSES: Record<string, [status: number, code: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request took too long to arrive.'],
};

/**
 * Responds with the usual error body to bytes that are not a valid HTTP request, and closes the
 * connection.
 */
export function respondToClientError(error: { code?: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, detail] = RESPONSES[error.code ?? ''] ?? [
    400,
    'malformed',
    'This is not an HTTP request.',
  ];
  const body = JSON.stringify({ detail, code, request_id: randomUUID() } satisfies ErrorBody);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
