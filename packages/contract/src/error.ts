import { z } from 'zod';

/** What every failed call answers. `detail` is safe to show a person. */
export const errorBody = z.object({
  detail: z.string(),
  code: z.string(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;
