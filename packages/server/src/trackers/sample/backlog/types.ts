import { z } from 'zod';

const commentSchema = z.strictObject({
  author: z.string(),
  /** Days before the moment the sample is loaded. */
  daysAgo: z.number(),
  body: z.string(),
});

/**
 * A maintainer's judgement of an issue. Tests and benchmarks measure against it; the sample
 * provider never shows it. Keys have the form `organization/project#number`.
 */
const truthSchema = z.strictObject({
  /** The older issue that reports the same thing; never a duplicate itself. */
  duplicateOf: z.string().optional(),
  /** Similar issues that are no duplicates. Only the newer issue of a pair names the other. */
  relatedTo: z.array(z.string()).optional(),
  /** Issues that must be finished first, whether the text states it or only implies it. */
  blockedBy: z.array(z.string()).optional(),
  /** Set on clear cases only: refined enough to start, or too vague to act on. */
  quality: z.enum(['ready', 'vague']).optional(),
});

/** Front matter of an issue file; the Markdown below it is the description. */
export const frontMatterSchema = z.strictObject({
  title: z.string(),
  type: z.enum(['bug', 'feature', 'task', 'question']),
  priority: z.enum(['low', 'medium', 'high', 'urgent']).nullable(),
  labels: z.array(z.string()),
  author: z.string(),
  assignees: z.array(z.string()),
  state: z.enum(['opened', 'closed']),
  createdDaysAgo: z.number(),
  updatedDaysAgo: z.number(),
  truth: truthSchema.default({}),
  comments: z.array(commentSchema).default([]),
});

/** One issue of the sample backlog. `body` and comments are GitHub Markdown. */
export type SampleIssue = z.infer<typeof frontMatterSchema> & { number: number; body: string };

/** One project of the sample backlog, with its issues in the order of their numbers. */
export interface SampleProject {
  name: string;
  identifier: string;
  description: string;
  issues: SampleIssue[];
}
