import type { LiveEvent } from '@winnow/contract/live';
import type { TrackerType, TrackerWebhook } from '@winnow/contract/tracker';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { Trackers } from '../trackers/service.ts';
import { webhookUrl } from './address.ts';
import * as hookStore from './hook-store.ts';
import type { WebhookSecrets } from './secret.ts';

/** How long a delivery, or having seen the webhook in the tracker, shows that it works. */
const HEARD_MS = 24 * 60 * 60_000;

/** What to have a webhook tell of, in the words of the tracker's page. */
const EVENTS: Readonly<Record<Exclude<TrackerType, 'sample'>, readonly string[]>> = {
  github: ['Issues', 'Issue comments', 'Pull requests', 'Pushes'],
  gitlab: [
    'Issues events',
    'Confidential issues events',
    'Comments',
    'Confidential comments',
    'Merge request events',
    'Push events',
  ],
  jira: ['Issue: created, updated, deleted', 'Comment: created, updated, deleted'],
};

export interface TrackerEventsOptions {
  db: Db;
  trackers: Trackers;
  secrets: WebhookSecrets;
  now: () => Date;
  /** Where trackers reach us; null: nowhere. */
  publicUrl: string | null;
  /** The address people reach us at, whether or not a tracker could. */
  shownUrl: () => string;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** How trackers tell us what happens in them. */
export class TrackerEvents {
  readonly #options: TrackerEventsOptions;

  constructor(options: TrackerEventsOptions) {
    this.#options = options;
  }

  /** Whether webhooks tell of all that a tracker has in scope: then it need not be polled often. */
  webhooksAreActive(accountId: string, trackerId: string): Promise<boolean> {
    return hookStore.isActive(this.#options.db, accountId, trackerId);
  }

  /** Works out anew whether a tracker's webhooks do their work, and tells the console when that changed. */
  async refreshState(accountId: string, trackerId: string): Promise<void> {
    const { db, publish } = this.#options;
    const changed = await hookStore.settleState(db, accountId, trackerId, this.#working(trackerId));
    if (!changed) return;
    const { sync_state: state, sync_done: done, sync_total: total } = changed;
    const progress = done === null || total === null ? null : { done, total };
    await publish(accountId, { type: 'sync_progress', tracker_id: trackerId, state, progress });
  }

  /** What somebody needs who makes a webhook by hand. 404 for the sample, which nobody calls from. */
  async byHand(accountId: string, trackerId: string): Promise<TrackerWebhook> {
    const { db, trackers, secrets, publicUrl, shownUrl } = this.#options;
    const { tracker_type: type, webhook_state: state } = await trackers.get(accountId, trackerId);
    if (type === 'sample') throw notFound();
    const secret = await secrets.of(accountId, trackerId);
    const url = webhookUrl(shownUrl(), trackerId);
    const hooks = await hookStore.hooksOf(db, accountId, trackerId);
    return {
      url: type === 'jira' ? `${url}?secret=${secret}` : url,
      secret,
      events: [...EVENTS[type]],
      state,
      problem:
        publicUrl === null
          ? 'PUBLIC_URL is not set, so this address may be one that the tracker cannot reach.'
          : (hooks.find(({ problem }) => problem !== null)?.problem ?? null),
    };
  }

  #working(trackerId: string): hookStore.WorkingHook {
    const { publicUrl, now } = this.#options;
    return {
      url: publicUrl === null ? null : webhookUrl(publicUrl, trackerId),
      heardSince: new Date(now().getTime() - HEARD_MS),
    };
  }
}
