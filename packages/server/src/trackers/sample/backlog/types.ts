/** A comment under a sample issue; `daysAgo` counts back from the moment the sample is loaded. */
export interface SampleComment {
  author: string;
  body: string;
  daysAgo: number;
}

/**
 * What a maintainer would say about an issue. Tests and benchmarks measure against it; the sample provider never
 * shows it. Keys are written `organization/project#number`.
 */
export interface SampleTruth {
  /** The older issue that reports the same thing, always the root of its group and never a duplicate itself. */
  duplicateOf?: string;
  /** Issues that look alike and are not duplicates, named on the newer side of each pair only. */
  relatedTo?: string[];
  /** Issues that must be finished first, whether the text says so or only implies it. */
  blockedBy?: string[];
  /** Set on the clear cases only: refined enough to start, or too vague to act on. */
  quality?: 'ready' | 'vague';
}

/** One issue of the sample backlog; `body` and comments are GitHub Markdown. */
export interface SampleIssue {
  number: number;
  title: string;
  body: string;
  type: 'bug' | 'feature' | 'task' | 'question';
  priority: 'low' | 'medium' | 'high' | 'urgent' | null;
  labels: string[];
  author: string;
  assignees: string[];
  state: 'opened' | 'closed';
  createdDaysAgo: number;
  updatedDaysAgo: number;
  comments: SampleComment[];
  truth: SampleTruth;
}

/** One project of the sample backlog with its issues in the order of their numbers. */
export interface SampleProject {
  name: string;
  identifier: string;
  description: string;
  issues: SampleIssue[];
}
