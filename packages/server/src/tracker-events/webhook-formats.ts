import type { TrackerType } from '@winnow/contract/tracker';
import { gitHubWebhook } from '../trackers/github/webhook.ts';
import { gitLabWebhook } from '../trackers/gitlab/webhook.ts';
import { jiraWebhook } from '../trackers/jira/webhook.ts';
import type { WebhookFormat } from '../trackers/provider.ts';

/** Webhook formats by tracker type. The built-in sample has none. */
export const WEBHOOK_FORMATS: Readonly<Record<TrackerType, WebhookFormat | null>> = {
  github: gitHubWebhook,
  gitlab: gitLabWebhook,
  jira: jiraWebhook,
  sample: null,
};
