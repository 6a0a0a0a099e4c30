import { z } from 'zod';
import { issue } from './issue.ts';

/** What every failed call answers. `detail` is safe to show a person. */
export const errorBody = z.object({
  detail: z.string(),
  code: z.string(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** With the code `changed_since`: the issue as it is now. */
  issue: issue.optional(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;
