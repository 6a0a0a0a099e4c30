import { z } from 'zod';
import { change } from './change.ts';
import { complianceResult } from './compliance.ts';
import { dependency } from './dependency.ts';
import { pair } from './duplicate.ts';
import { comment, issue } from './issue.ts';

/** How many of an issue's pairs and changes its detail holds: the best, and the newest. */
export const RELATED_SHOWN = 20;

/** An issue with everything that is known of it. */
export const issueDetail = issue.extend({
  comments: z.array(comment),
  /** Its most similar pairs that are not dismissed, resolved ones included. */
  pairs: z.array(pair),
  /** How it stood by each prompt when it was judged last. */
  compliance: z.array(complianceResult),
  /** What it has to wait for, and what waits for it, as far as is known. */
  dependencies: z.array(dependency),
  /** What was written to its tracker, or decided, about it; newest first. */
  changes: z.array(change),
});
export type IssueDetail = z.infer<typeof issueDetail>;
