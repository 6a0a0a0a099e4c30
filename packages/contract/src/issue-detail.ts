import { z } from 'zod';
import { change } from './change.ts';
import { complianceResult } from './compliance.ts';
import { dependency } from './dependency.ts';
import { pair } from './duplicate.ts';
import { comment, issue } from './issue.ts';

/**
 * Maximum pairs and maximum changes in an issue's detail. It contains the most likely pairs and the
 * newest changes.
 */
export const RELATED_SHOWN = 20;

/** An issue with all related information. */
export const issueDetail = issue.extend({
  comments: z.array(comment),
  /** The most likely pairs of the issue, including resolved ones. Omits dismissed pairs. */
  pairs: z.array(pair),
  /** The latest score by each prompt. */
  compliance: z.array(complianceResult),
  /** Known dependencies of the issue in both directions. */
  dependencies: z.array(dependency),
  /** Changes of the issue, newest first. */
  changes: z.array(change),
});
export type IssueDetail = z.infer<typeof issueDetail>;
