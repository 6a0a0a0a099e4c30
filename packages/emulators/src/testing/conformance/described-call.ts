import { z } from 'zod';

/**
 * A call of a tracker's API. We wrote its schemas from the public documentation. Request schemas
 * have every field that Winnow sends; response schemas have the fields that Winnow reads.
 */
export interface DescribedCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** See `Exchange.path`. */
  path: RegExp;
  request?: z.ZodType;
  response?: z.ZodType;
}

/** A time with a time zone, in ISO 8601 format. */
export const instant = z.iso.datetime({ offset: true });
