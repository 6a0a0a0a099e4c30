import { z } from 'zod';
import { issue } from './issue.ts';

/** Body of every error response. `detail` is safe to display. */
export const errorBody = z.object({
  detail: z.string(),
  code: z.string(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** The current issue, for the error code `changed_since`. */
  issue: issue.optional(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;
