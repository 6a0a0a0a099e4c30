import type { TrackerType } from '@winnow/contract/tracker';
import { gitHubWebhook } from '../trackers/github/webhook.ts';
import { gitLabWebhook } from '../trackers/gitlab/webhook.ts';
import { jiraWebhook } from '../trackers/jira/webhook.ts';
import type { WebhookFormat } from '../trackers/provider.ts';

/** How trackers of each type deliver; not at all the sample, which is ours. */
export const WEBHOOK_FORMATS: Readonly<Record<TrackerType, WebhookFormat | null>> = {
  github: gitHubWebhook,
  gitlab: gitLabWebhook,
  jira: jiraWebhook,
  sample: null,
};

/** Reads what is meant for a tracker there is not, so that finding out takes as long as for one there is. */
export const STRANGERS_FORMAT: WebhookFormat = gitHubWebhook;
