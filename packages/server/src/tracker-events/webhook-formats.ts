import type { TrackerType } from '@winnow/contract/tracker';
import { gitHubWebhook, gitLabWebhook, jiraWebhook, type WebhookFormat } from '../trackers/index.ts';

/** Webhook formats by tracker type. The sample backlog has none. */
export const WEBHOOK_FORMATS: Readonly<Record<TrackerType, WebhookFormat | null>> = {
  github: gitHubWebhook,
  gitlab: gitLabWebhook,
  jira: jiraWebhook,
  sample: null,
};
