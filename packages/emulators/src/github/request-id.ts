import type { Incoming } from '../http/host.ts';

/** The id GitHub gives a request in the header `x-github-request-id` and in its sentences about limits. */
export function requestIdOf({ serial }: Incoming): string {
  return `E000:${serial.toString(16).toUpperCase().padStart(6, '0')}`;
}
