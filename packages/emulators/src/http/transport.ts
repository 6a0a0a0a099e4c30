import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultAction } from './faults.ts';
import type { Outgoing } from './host.ts';

/**
 * Sends a response. A fault may slow it down or cut it off. Stops without an error if the caller
 * disconnects or `signal` is aborted.
 */
export async function send(
  response: ServerResponse,
  answer: Outgoing,
  fault: FaultAction | null,
  signal: AbortSignal,
): Promise<void> {
  const body = Buffer.from(answer.body);
  switch (fault?.kind) {
    case 'malformed':
      response.writeHead(answer.status, answer.headers);
      response.end(cutJson(answer.body));
      return;
    case 'drop':
      response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    case 'slow':
      response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
      await drip(response, body, fault.chunkBytes ?? 64, fault.intervalMs, signal);
      return;
    default:
      if (answer.status !== 304 && answer.status !== 204)
        answer.headers['content-length'] = String(body.length);
      response.writeHead(answer.status, answer.headers);
      response.end(body);
  }
}

/**
 * Returns the first half of a JSON text, which is invalid JSON. Returns an opening brace for an
 * empty text.
 */
function cutJson(text: string): string {
  return text.length < 2 ? '{' : text.slice(0, Math.ceil(text.length / 2));
}

async function drip(
  response: ServerResponse,
  body: Buffer,
  chunkBytes: number,
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < body.length && !response.destroyed; from += chunkBytes) {
    if (from > 0 && !(await pause(intervalMs, signal))) break;
    response.write(body.subarray(from, from + chunkBytes));
  }
  response.end();
}

/** Waits for `ms` milliseconds. Returns false if `signal` is aborted during this time. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
