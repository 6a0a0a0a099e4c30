import { type Operations, OUTSIDE_ERRORS } from '../operation.ts';

export const trackerOperations: Operations = {
  'GET /api/v1/trackers': {
    id: 'listTrackers',
    summary: 'List trackers',
    description:
      'Returns the connected trackers with their scope, health and sync state. Secrets are never returned.',
  },
  'POST /api/v1/trackers': {
    id: 'createTracker',
    summary: 'Connect a tracker',
    description:
      'Checks the connection, stores the tracker and starts its first sync. `{"name", "type": "sample"}` creates the sample backlog.',
    errors: [
      'connection_failed',
      'email_unconfirmed',
      'tracker_name_taken',
      'too_many_trackers',
      ...OUTSIDE_ERRORS,
    ],
  },
  'GET /api/v1/trackers/:tracker_id': {
    id: 'getTracker',
    summary: 'Get a tracker',
    description: 'Returns one tracker with its scope, health and sync state.',
  },
  'PUT /api/v1/trackers/:tracker_id': {
    id: 'updateTracker',
    summary: 'Change a tracker',
    description:
      'Changes name, address, credentials or scope. Without `api_key` the stored one is retained. Issues that leave the scope are removed.',
    errors: [
      'connection_failed',
      'email_unconfirmed',
      'tracker_name_taken',
      'tracker_busy',
      ...OUTSIDE_ERRORS,
    ],
  },
  'DELETE /api/v1/trackers/:tracker_id': {
    id: 'deleteTracker',
    summary: 'Remove a tracker',
    description:
      'Removes the tracker, and all data that was read from it or derived from that data. Nothing changes in the tracker itself.',
    errors: ['tracker_busy'],
  },
  'POST /api/v1/trackers/:tracker_id/sync': {
    id: 'syncTracker',
    summary: 'Start a sync',
    description:
      'Queues a sync of the tracker and returns the tracker. The live channel reports the progress.',
  },
  'POST /api/v1/trackers/test-and-list-orgs': {
    id: 'testConnection',
    summary: 'Test a connection',
    description:
      'Tests credentials and returns the organizations that they can read. If the connection fails, the response has `success: false`. With `tracker_id` and no key, the stored key is used for its own host.',
    errors: ['email_unconfirmed', 'not_found', 'secret_unreadable'],
  },
  'POST /api/v1/trackers/list-projects-for-org': {
    id: 'listProjectChoices',
    summary: 'List the projects of an organization',
    description:
      'Reads the projects of an organization from the tracker, for choosing the scope. Stores nothing.',
    errors: ['connection_failed', 'email_unconfirmed', 'not_found', ...OUTSIDE_ERRORS],
  },
  'GET /api/v1/trackers/:tracker_id/webhook': {
    id: 'getTrackerWebhook',
    summary: 'Get the webhook settings',
    description: 'Returns the URL, secret and events for creating a webhook manually in the tracker.',
    errors: ['secret_unreadable'],
  },
  'POST /api/v1/trackers/:tracker_id/webhook/rotate': {
    id: 'rotateTrackerWebhookSecret',
    summary: 'Replace the webhook secret',
    description: 'Replaces the secret. The previous one is accepted until `former_accepted_until`.',
    errors: ['webhook_secret_pending', 'secret_unreadable'],
  },
  'POST /api/v1/trackers/:tracker_id/webhook': {
    id: 'receiveTrackerEvent',
    summary: 'Receive an event of a tracker',
    description:
      'Receives a delivery that GitHub, GitLab or Jira signed with the secret of the tracker. A delivery without a valid signature or secret gets 404.',
    takesBytes: true,
  },
};
