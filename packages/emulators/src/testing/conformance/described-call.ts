import { z } from 'zod';

/**
 * A call of a tracker's API, written by us from the public documentation. Schemas of requests name
 * every field that Winnow sends. Schemas of responses name the fields that Winnow reads.
 */
export interface DescribedCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** See `Exchange.path`. */
  path: RegExp;
  request?: z.ZodType;
  response?: z.ZodType;
}

/** A timestamp with a time zone, in the form of ISO 8601. */
export const instant = z.iso.datetime({ offset: true });
