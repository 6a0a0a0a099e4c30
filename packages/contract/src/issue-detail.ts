import { z } from 'zod';
import { change } from './change.ts';
import { pair } from './duplicate.ts';
import { comment, issue } from './issue.ts';

/** How many of an issue's pairs and changes its detail holds: the best, and the newest. */
export const RELATED_SHOWN = 20;

/** An issue with everything that is known of it. */
export const issueDetail = issue.extend({
  comments: z.array(comment),
  /** Its most similar pairs that are not dismissed, resolved ones included. */
  pairs: z.array(pair),
  /** What was written to its tracker, or decided, about it; newest first. */
  changes: z.array(change),
});
export type IssueDetail = z.infer<typeof issueDetail>;
