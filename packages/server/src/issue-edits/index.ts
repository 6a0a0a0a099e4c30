// Other features may import this file only.
export type { LikelyOriginal, SimilarIssue } from './issue-creation.ts';
export type { IssueEdits } from './service.ts';
