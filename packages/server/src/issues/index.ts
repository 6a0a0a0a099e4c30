// Public interface of this feature. Other features import only this file.
export { markAnalyzed, setAnalysisProgress, snapshotVersionOf } from './analysis-state-store.ts';
export { contentHashOf } from './content-hash.ts';
export type { Engine } from './engine/engine.ts';
export type {
  DependencyInTexts,
  DependencyReading,
  FoundIssue,
  IndexStatus,
  PairColumns,
  SearchedText,
  SettledReading,
} from './engine/messages.ts';
export type { CommentChange, IssueChange, IssueIntake, ProjectRef, RemovedIssue } from './intake.ts';
export { ANY_TRACKER, type KeyScope, labelOf, toMentionedIssue, trackerLabel, within } from './key-scope.ts';
export { couldBeConfused, keyBeside, mention } from './mention.ts';
export { presentIssue, presentIssueSummary, presentReference, trackerOf } from './present.ts';
export type { RelatedToIssue } from './routes.ts';
export type { Search } from './search/service.ts';
export type { Issues } from './service.ts';
export type { SimilarIssuesFinder } from './similar.ts';
export { stateHashInTracker, stateHashOf } from './state-hash.ts';
export {
  countCommentOff,
  deleteComment,
  findHeadlines,
  findIssueIn,
  findIssues,
  findIssuesByKey,
  findOrganization,
  findProject,
  type IssueHeadline,
  type IssuePlace,
  type IssueView,
  lockKnownIssues,
  type ProjectNames,
  placesOf,
} from './store.ts';
