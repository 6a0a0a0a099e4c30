import type { ConnectableTrackerType, WebhookState } from '@winnow/contract/tracker';
import type { Tone } from '../../../theme/tones.ts';

export type WebhookWords = {
  tone: Extract<Tone, 'success' | 'warning' | 'neutral'>;
  label: string;
  sentence: string;
};

/** Label and explanation of each state of a webhook. */
export const WEBHOOK_STATES: Readonly<Record<WebhookState, WebhookWords>> = {
  active: {
    tone: 'success',
    label: 'Active',
    sentence: 'The tracker notifies Winnow of changes immediately.',
  },
  polling: {
    tone: 'neutral',
    label: 'Not set up',
    sentence: 'Winnow works without a webhook: it checks the tracker for changes every few minutes.',
  },
  failed: {
    tone: 'warning',
    label: 'Failed',
    sentence: 'Winnow still works: it checks the tracker for changes every few minutes.',
  },
};

/**
 * Instructions for creating a webhook, by tracker type. The events to select are listed below the
 * instructions.
 */
export const WEBHOOK_STEPS: Readonly<Record<ConnectableTrackerType, string>> = {
  github:
    'In the repository or the organization, open Settings, Webhooks, Add webhook, and paste both. Choose application/json and these events:',
  gitlab:
    'In the project or the group, open Settings, Webhooks, Add new webhook, and paste the address as URL and the secret as Secret token. Tick these triggers:',
  jira: 'As an administrator of Jira, open System, WebHooks, Create a WebHook, and paste the address; the secret is in it. Tick these events:',
};
