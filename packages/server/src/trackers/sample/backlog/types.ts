import { z } from 'zod';

const commentSchema = z.strictObject({
  author: z.string(),
  /** Age in days, counted back from the time when the sample is loaded. */
  daysAgo: z.number(),
  body: z.string(),
});

/**
 * A maintainer's assessment of an issue. Tests and benchmarks compare results with it; the sample
 * provider never shows it. Keys have the form `organization/project#number`.
 */
const truthSchema = z.strictObject({
  /** Key of the older issue that reports the same problem. That issue is not a duplicate itself. */
  duplicateOf: z.string().optional(),
  /**
   * Keys of similar issues that are not duplicates. Only the newer issue of a pair names the older
   * one.
   */
  relatedTo: z.array(z.string()).optional(),
  /**
   * Keys of the issues that must be finished first. The text of this issue may state that, or only
   * imply it.
   */
  blockedBy: z.array(z.string()).optional(),
  /** Set only for clear cases: the issue is refined enough to start, or too vague to work on. */
  quality: z.enum(['ready', 'vague']).optional(),
});

/** Front matter of an issue file. The description is the Markdown below it. */
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

/** One issue of the sample backlog. The description and comments are GitHub Markdown. */
export type SampleIssue = z.infer<typeof frontMatterSchema> & { number: number; body: string };

/** One project of the sample backlog, with its issues sorted by number. */
export interface SampleProject {
  name: string;
  identifier: string;
  description: string;
  issues: SampleIssue[];
}
