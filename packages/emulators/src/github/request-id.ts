import type { Incoming } from '../http/host.ts';

/** Returns the request id for the header `x-github-request-id` and error texts. */
export function requestIdOf({ serial }: Incoming): string {
  return `E000:${serial.toString(16).toUpperCase().padStart(6, '0')}`;
}
