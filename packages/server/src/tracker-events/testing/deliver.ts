import { createHmac, randomUUID } from 'node:crypto';
import { trackerWebhook } from '@winnow/contract/tracker';
import { type Answer, type Caller, call } from '../../testing/caller.ts';

/**
 * The repository `acme/app` of a newly started GitHub emulator, with the fields that webhook
 * deliveries contain.
 */
export interface DeliveredRepository {
  id: number;
  full_name: string;
}

/** A webhook delivery of GitHub. */
export interface GitHubDelivery {
  event?: string;
  id?: string | null;
  body: string;
  secret: string;
  headers?: Record<string, string>;
}

/** Returns the body of an issue event. */
export function issueEvent(
  repository: DeliveredRepository,
  number: number,
  { action = 'edited', title = 'As delivered', at = new Date() } = {},
): string {
  return JSON.stringify({
    action,
    issue: { number, title, updated_at: at.toISOString(), html_url: `https://example.org/${number}` },
    repository,
    sender: { login: 'ada', id: 1 },
  });
}

/** Returns the signed request by which GitHub would deliver the event. */
export function requestOf(
  trackerId: string,
  { event = 'issues', id = randomUUID(), body, secret, headers }: GitHubDelivery,
) {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    path: `/api/v1/trackers/${trackerId}/webhook`,
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      ...(id === null ? {} : { 'x-github-delivery': id }),
      'x-hub-signature-256': `sha256=${signature}`,
      ...headers,
    },
  };
}

/** Sends a signed delivery to the server, as GitHub does. */
export function deliver(origin: string, trackerId: string, delivery: GitHubDelivery): Promise<Answer> {
  const { path, body, headers } = requestOf(trackerId, delivery);
  return call(origin, 'POST', path, { raw: body, headers });
}

/** Returns the webhook secret of a tracker, as its owner sees it. */
export async function secretOf(caller: Caller, trackerId: string): Promise<string> {
  return (await caller.get(`/trackers/${trackerId}/webhook`, trackerWebhook)).secret;
}
