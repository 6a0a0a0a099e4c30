// Public interface of this feature. Other features import only this file.
export { markerOf } from './comment-marker.ts';
export { connectionProblem } from './connections.ts';
export { gitHubWebhook } from './github/webhook.ts';
export { gitLabWebhook } from './gitlab/webhook.ts';
export { jiraWebhook } from './jira/webhook.ts';
export {
  type IssuePage,
  type IssueTarget,
  type NewIssue,
  type Page,
  type Provider,
  type ProviderComment,
  type ProviderIssue,
  type ProviderOrganization,
  type ProviderProject,
  type ProviderUser,
  type ProviderWebhooks,
  type RateLimitUse,
  TrackerError,
  type TrackerErrorCode,
  type TrackerEvent,
  type WebhookDelivery,
  type WebhookFormat,
  type WebhookRequest,
} from './provider.ts';
export { cleanText } from './rest/read.ts';
export { includedOrganizations, scopeOf } from './scope.ts';
export type { OpenTracker, Trackers } from './service.ts';
export { findTracker, isSyncing, lockTrackerRow } from './store.ts';
