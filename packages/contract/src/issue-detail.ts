import { z } from 'zod';
import { change } from './change.ts';
import { complianceResult } from './compliance.ts';
import { dependency } from './dependency.ts';
import { pair } from './duplicate.ts';
import { comment, issue } from './issue.ts';

/** Maximum pairs and changes in an issue's detail: the most likely pairs, the newest changes. */
export const RELATED_SHOWN = 20;

/** An issue with all related information. */
export const issueDetail = issue.extend({
  comments: z.array(comment),
  /** Its most likely pairs that are not dismissed, including resolved ones. */
  pairs: z.array(pair),
  /** Its latest score by each prompt. */
  compliance: z.array(complianceResult),
  /** Known dependencies of the issue in both directions. */
  dependencies: z.array(dependency),
  /** Changes and decisions about it, newest first. */
  changes: z.array(change),
});
export type IssueDetail = z.infer<typeof issueDetail>;
