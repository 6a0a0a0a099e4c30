import { z } from 'zod';

/**
 * Types of events. `push` concerns any branch, `commit_to_main` only the default branch. The
 * analysis creates `cluster_grew`. All other events come from trackers.
 */
const trackerEventType = z.enum([
  'issue_opened',
  'issue_updated',
  'issue_closed',
  'issue_reopened',
  'issue_deleted',
  'change_request_opened',
  'change_request_updated',
  'change_request_closed',
  'change_request_merged',
  'comment_created',
  'comment_updated',
  'comment_deleted',
  'push',
  'commit_to_main',
  'cluster_grew',
]);
export type TrackerEventType = z.infer<typeof trackerEventType>;
