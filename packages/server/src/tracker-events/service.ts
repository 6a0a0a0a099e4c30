import type { LiveEvent } from '@winnow/contract/live';
import type { TrackerWebhook } from '@winnow/contract/tracker';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { holdTracker, type Trackers } from '../trackers/service.ts';
import { webhookUrl } from './address.ts';
import { WEBHOOK_FORMATS } from './formats.ts';
import * as hookStore from './hook-store.ts';
import type { Hooks } from './hooks.ts';
import type { WebhookSecrets } from './secret.ts';

export type { StreamEvent, UnmatchedEvent } from './stream-store.ts';
export { findEvents, markMatched, newestEvents, takeUnmatched } from './stream-store.ts';

/** How long a delivery, or having seen the webhook in the tracker, shows that it works. */
const HEARD_MS = 24 * 60 * 60_000;

export interface TrackerEventsOptions {
  db: Db;
  trackers: Trackers;
  secrets: WebhookSecrets;
  hooks: Hooks;
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
    const format = WEBHOOK_FORMATS[type];
    if (format === null) throw notFound();
    const { secret, formerAcceptedUntil } = await secrets.of(accountId, trackerId);
    const url = webhookUrl(shownUrl(), trackerId);
    const hooks = await hookStore.hooksOf(db, accountId, trackerId);
    return {
      url: format.isSecretInAddress ? `${url}?secret=${secret}` : url,
      secret,
      former_accepted_until: formerAcceptedUntil?.toISOString() ?? null,
      events: [...format.events],
      state,
      problem:
        publicUrl === null
          ? 'PUBLIC_URL is not set, so this address may be one that the tracker cannot reach.'
          : (hooks.flatMap((hook) => problemOf(hook) ?? [])[0] ?? null),
    };
  }

  /**
   * Gives a tracker another secret and its webhooks with it; the former one is accepted until every project has a webhook
   * with the new one, at most for a day. 404 for the sample, 409 while it is.
   */
  async replaceSecret(accountId: string, trackerId: string): Promise<TrackerWebhook> {
    const { db, trackers, secrets, hooks } = this.#options;
    const { tracker_type: type } = await trackers.get(accountId, trackerId);
    if (WEBHOOK_FORMATS[type] === null) throw notFound();
    await db.transaction().execute(async (transaction) => {
      if (!(await holdTracker(transaction, accountId, trackerId))) throw notFound();
      await secrets.replace(transaction, accountId, trackerId);
      await hooks.requestSettling(accountId, trackerId, transaction);
    });
    return this.byHand(accountId, trackerId);
  }

  #working(trackerId: string): hookStore.WorkingHook {
    const { publicUrl, now } = this.#options;
    return {
      url: publicUrl === null ? null : webhookUrl(publicUrl, trackerId),
      heardSince: new Date(now().getTime() - HEARD_MS),
    };
  }
}

/** Why a project's webhook does not do its work; null where nothing is known to be in the way. */
function problemOf({ problem, is_silent, project_identifier: name }: hookStore.HookRow): string | null {
  if (problem !== null || !is_silent) return problem;
  return `The webhook of ${name} is there, but nothing it tells has come here for more than a day. See in the tracker what became of its deliveries, and whether the tracker can reach the address.`;
}
