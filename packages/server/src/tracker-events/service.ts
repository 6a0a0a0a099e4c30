import type { LiveEvent } from '@winnow/contract/live';
import type { TrackerWebhook } from '@winnow/contract/tracker';
import { notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { lockTrackerRow, type Trackers } from '../trackers/index.ts';
import * as hookStore from './hook-store.ts';
import type { Hooks } from './hooks.ts';
import { WEBHOOK_FORMATS } from './webhook-formats.ts';
import type { WebhookSecrets } from './webhook-secret.ts';
import { webhookUrl } from './webhook-url.ts';

export type { StreamEvent, UnmatchedEvent } from './stream-store.ts';
export { findEvents, markMatched, newestEvents, takeUnmatched } from './stream-store.ts';

/**
 * Maximum age of a webhook's last delivery or check. Beyond it, the webhook does not count as
 * working.
 */
const WEBHOOK_WORKING_MS = 24 * 60 * 60_000;

export interface TrackerEventsOptions {
  db: Db;
  trackers: Trackers;
  secrets: WebhookSecrets;
  hooks: Hooks;
  now: () => Date;
  /** Base URL at which trackers reach this server. Null if they cannot reach it. */
  publicUrl: string | null;
  /** Base URL at which users reach this server. Trackers may not be able to reach it. */
  shownUrl: () => string;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** Webhooks of trackers: their state, their secrets and how to create them manually. */
export class TrackerEvents {
  readonly #options: TrackerEventsOptions;

  constructor(options: TrackerEventsOptions) {
    this.#options = options;
  }

  /**
   * True if working webhooks report the events of all projects in scope. Polling can then run
   * rarely.
   */
  webhooksAreActive(accountId: string, trackerId: string): Promise<boolean> {
    return hookStore.isActive(this.#options.db, accountId, trackerId);
  }

  /** Recomputes the state of a tracker's webhooks. Publishes the state if it has changed. */
  async refreshState(accountId: string, trackerId: string): Promise<void> {
    const { db, publish } = this.#options;
    const changed = await hookStore.settleState(db, accountId, trackerId, this.#working(trackerId));
    if (!changed) return;
    const { sync_state: state, sync_done: done, sync_total: total } = changed;
    const progress = done === null || total === null ? null : { done, total };
    await publish(accountId, { type: 'sync_progress', tracker_id: trackerId, state, progress });
  }

  /**
   * Returns all values that a user needs to create a webhook manually.
   * @throws {AppError} `not_found` for the sample backlog, which has no webhooks
   */
  async manualSetup(accountId: string, trackerId: string): Promise<TrackerWebhook> {
    const { db, trackers, secrets, publicUrl, shownUrl } = this.#options;
    const { tracker_type: type, webhook_state: state } = await trackers.get(accountId, trackerId);
    const format = WEBHOOK_FORMATS[type];
    if (format === null) throw notFound();
    const { secret, formerAcceptedUntil } = await secrets.secretOf(accountId, trackerId);
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
          ? 'PUBLIC_URL is not set, so the tracker may not be able to reach this address.'
          : (hooks.flatMap((hook) => problemOf(hook) ?? [])[0] ?? null),
    };
  }

  /**
   * Replaces the webhook secret of a tracker and schedules the update of its webhooks. The previous
   * secret is accepted until every project has a webhook with the new one, but at most for a day.
   * @throws {AppError} `not_found` for the sample backlog
   * @throws {AppError} `conflict` while the previous secret is still accepted
   */
  async replaceSecret(accountId: string, trackerId: string): Promise<TrackerWebhook> {
    const { db, trackers, secrets, hooks } = this.#options;
    const { tracker_type: type } = await trackers.get(accountId, trackerId);
    if (WEBHOOK_FORMATS[type] === null) throw notFound();
    await db.transaction().execute(async (transaction) => {
      if (!(await lockTrackerRow(transaction, accountId, trackerId))) throw notFound();
      await secrets.replace(transaction, accountId, trackerId);
      await hooks.requestSettling(accountId, trackerId, transaction);
    });
    return this.manualSetup(accountId, trackerId);
  }

  #working(trackerId: string): hookStore.WorkingHook {
    const { publicUrl, now } = this.#options;
    return {
      url: publicUrl === null ? null : webhookUrl(publicUrl, trackerId),
      heardSince: new Date(now().getTime() - WEBHOOK_WORKING_MS),
    };
  }
}

/**
 * Returns a sentence that explains why a project's webhook does not work. Returns null if no
 * problem is known.
 */
function problemOf({ problem, is_silent, project_identifier: name }: hookStore.HookRow): string | null {
  if (problem !== null || !is_silent) return problem;
  return `The webhook of ${name} exists, but nothing has been delivered for more than a day. Check its deliveries in the tracker, and whether the tracker can reach the address.`;
}
