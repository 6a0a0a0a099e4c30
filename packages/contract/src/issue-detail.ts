import { z } from 'zod';
import { change } from './change.ts';
import { complianceResult } from './compliance.ts';
import { dependency } from './dependency.ts';
import { pair } from './duplicate.ts';
import { comment, issue } from './issue.ts';

/**
 * Maximum pairs and maximum changes in the detail of an issue. The detail contains the most
 * probable pairs and the newest changes.
 */
export const RELATED_SHOWN = 20;

/** An issue with all related information. */
export const issueDetail = issue.extend({
  comments: z.array(comment),
  /** The most probable pairs of the issue, including resolved pairs. Omits dismissed pairs. */
  pairs: z.array(pair),
  /** The latest score for each prompt. */
  compliance: z.array(complianceResult),
  /** Known dependencies of the issue: issues that it waits for, and issues that wait for it. */
  dependencies: z.array(dependency),
  /** Changes of the issue, newest first. */
  changes: z.array(change),
});
export type IssueDetail = z.infer<typeof issueDetail>;
