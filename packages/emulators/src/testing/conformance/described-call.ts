import { z } from 'zod';

/**
 * A call of a tracker's API with our own schemas, which follow its public documentation. The
 * request schema has all fields that Winnow sends. The response schema has the fields that Winnow
 * reads.
 */
export interface DescribedCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Regular expression for the decoded path; see `Exchange.path`. */
  path: RegExp;
  request?: z.ZodType;
  response?: z.ZodType;
}

/** A time with a time zone, in ISO 8601 format. */
export const instant = z.iso.datetime({ offset: true });
