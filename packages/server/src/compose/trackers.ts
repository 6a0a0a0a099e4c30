import type { PlanQuotas } from '../billing/quotas/quotas.ts';
import { IssueIntake } from '../issues/intake.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { retention } from '../platform/jobs/daily.ts';
import { handleSync, resumeSyncs } from '../sync/handle-sync.ts';
import { trackersLeavingOut } from '../sync/left-out-store.ts';
import type { ReadingOptions } from '../sync/read-project.ts';
import { Sync } from '../sync/sync.ts';
import { handleDelivered } from '../tracker-events/handle-delivered.ts';
import { handleRemoval, handleSettle } from '../tracker-events/handle-webhooks.ts';
import { Hooks } from '../tracker-events/hooks.ts';
import { DeliveredReader } from '../tracker-events/read-delivered.ts';
import { requestHookRemoval } from '../tracker-events/remove-hooks.ts';
import { registerTrackerEventRoutes } from '../tracker-events/routes.ts';
import { TrackerEvents } from '../tracker-events/service.ts';
import { removeBefore } from '../tracker-events/store.ts';
import { EventStream } from '../tracker-events/stream.ts';
import { WebhookReceiver } from '../tracker-events/webhook-receiver.ts';
import { WebhookSecrets } from '../tracker-events/webhook-secret.ts';
import { providerFactory } from '../trackers/provider-factory.ts';
import { registerTrackerRoutes } from '../trackers/routes.ts';
import { Trackers } from '../trackers/service.ts';
import type { AccountServices } from './accounts.ts';
import type { Foundation } from './foundation.ts';

export type TrackerServices = ReturnType<typeof composeTrackers>;

/** Composes tracker connections and how they are read: by polling syncs and by webhooks. */
export function composeTrackers(
  base: Foundation,
  { amounts, expectConfirmedEmail }: { amounts: PlanQuotas } & Pick<AccountServices, 'expectConfirmedEmail'>,
) {
  const { clock, config, db, jobs, limiter, log, now, outbound, publish, requests, secrets } = base;
  const intake = new IssueIntake(now);
  const trackers = new Trackers({
    db,
    secrets,
    now,
    openProvider: providerFactory({ db, fetch: outbound.fetch, limiter, log, clock }),
    requestSync: requests.sync,
    expectConfirmedEmail,
    onTrackerRemoved: async (transaction, accountId, trackerId) => {
      await intake.prepareRemoval(transaction, accountId, trackerId);
      await requestHookRemoval(transaction, jobs, accountId, trackerId);
    },
  });

  const webhookSecrets = new WebhookSecrets(db, secrets, now);
  const hooks = new Hooks({ db, trackers, jobs, secrets: webhookSecrets, now, publicUrl: config.publicUrl });
  const trackerEvents = new TrackerEvents({
    db,
    trackers,
    secrets: webhookSecrets,
    hooks,
    now,
    publicUrl: config.publicUrl,
    shownUrl: base.publicUrl,
    publish,
  });
  const stream = new EventStream({
    now,
    onMissed: (transaction, place) => hooks.noteMissedEvent(transaction, place),
    requestMatching: requests.matching,
  });
  const receiver = new WebhookReceiver({
    db,
    secrets: webhookSecrets,
    stream,
    jobs,
    now,
    onHeard: (accountId, trackerId) => trackerEvents.refreshState(accountId, trackerId),
  });
  const onRead: ReadingOptions['onRead'] = (transaction, place, changes, connectedAt) =>
    stream.appendRead(transaction, place, changes, connectedAt);
  const reader = new DeliveredReader({
    db,
    trackers,
    intake,
    now,
    publish,
    onRead,
    amounts,
    requestMatching: requests.matching,
  });
  const sync = new Sync({
    db,
    trackers,
    intake,
    now,
    publish,
    onRead,
    amounts,
    onScopeSettled: (accountId, trackerId) => hooks.requestSettling(accountId, trackerId),
  });
  const oldEvents = retention('remove-old-events', {
    jobs,
    now,
    keptDays: config.retention.trackerEventsDays,
    removeBefore: (before) => removeBefore(db, before),
  });

  return {
    intake,
    trackers,
    stream,
    /** Syncs trackers with issues left out by the quota, if the plan now allows more. */
    async readLeftOut(accountId: string): Promise<void> {
      if (!(await amounts.hasUnitsLeft(accountId, 'issues_ingested_monthly'))) return;
      for (const trackerId of await trackersLeavingOut(db, accountId)) {
        await trackers.requestSync(accountId, trackerId);
      }
    },
    handlers: [
      handleSync({
        sync,
        jobs,
        now,
        webhooksAreActive: (accountId, trackerId) => trackerEvents.webhooksAreActive(accountId, trackerId),
        onEnded: async (accountId) => {
          await requests.indexing(accountId);
          await requests.dependencies(accountId);
          await requests.analysis(accountId);
        },
      }),
      handleDelivered({ reader, jobs }),
      handleSettle({
        hooks,
        jobs,
        onSettled: (accountId, trackerId) => trackerEvents.refreshState(accountId, trackerId),
      }),
      handleRemoval({ trackers, log }),
      oldEvents.handler,
    ],
    async registerRoutes(app: App, auth: Authentication): Promise<void> {
      registerTrackerRoutes(app, trackers, auth);
      await registerTrackerEventRoutes(app, { receiver, trackerEvents, auth });
    },
    async resume(): Promise<void> {
      await resumeSyncs(db, jobs, now);
      await oldEvents.resume();
    },
  };
}
