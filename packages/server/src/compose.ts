import { FreshCopies } from './changes/fresh-copies.ts';
import { Ledger } from './changes/ledger.ts';
import { composeAccountDeletion } from './compose/account-deletion.ts';
import { composeAccounts } from './compose/accounts.ts';
import { composeAnalysts } from './compose/analysts.ts';
import { composeBilling } from './compose/billing.ts';
import { composeChanges } from './compose/changes.ts';
import { composeFlows } from './compose/flows.ts';
import { type FoundationOptions, openFoundation } from './compose/foundation.ts';
import { openHttp } from './compose/http.ts';
import { composeIssueEdits } from './compose/issue-edits.ts';
import { composeSearch } from './compose/search.ts';
import { composeStripe } from './compose/stripe.ts';
import { composeTrackers } from './compose/trackers.ts';
import { registerMcpRoutes } from './mcp/routes.ts';
import type { App } from './platform/http/app.ts';
import { handleMail } from './platform/mail/mail-queue.ts';
import { createMailer, type Mailer } from './platform/mail/mailer.ts';
import { VERSION } from './platform/version.ts';

/** Maximum number of jobs (syncs, analyses, changes) that one process runs concurrently. */
const MAX_CONCURRENT_JOBS = 8;
/**
 * Maximum number of these jobs that may be long. The remaining slots stay free for emails and
 * changes while trackers are slow.
 */
const MAX_CONCURRENT_LONG_JOBS = 5;

export interface Composition {
  /** Creates the HTTP application with all routes. It does not listen yet. */
  createServer(publicUrl: string): Promise<App>;
  /** Starts processing jobs. */
  startWork(): Promise<void>;
  /**
   * Stops processing jobs, stores pending counters and releases all resources. Close the HTTP
   * application first.
   */
  close(): Promise<void>;
}

/**
 * Composes the whole program. No other module imports all parts.
 *
 * @throws {SecretKeyRefused} if the secret key belongs to another database
 */
export async function compose(options: FoundationOptions): Promise<Composition> {
  const base = await openFoundation(options);
  const { config, db, events, jobs, log, now, publish, requests, secrets } = base;
  const billing = composeBilling(base);
  const accountServices = composeAccounts(base, billing.usage);
  const { expectConfirmedEmail } = accountServices;
  const trackerServices = composeTrackers(base, { amounts: billing.amounts, expectConfirmedEmail });
  const searchServices = composeSearch(base);
  const { intake, trackers } = trackerServices;
  const ledger = new Ledger({
    db,
    trackers,
    intake,
    events,
    requestApply: requests.apply,
    recordDecision: accountServices.recordDecision,
    freshCopies: new FreshCopies({ db, trackers, intake, now, log }),
  });
  const analysts = composeAnalysts(base, { issues: searchServices.issues, ledger, billing });
  const changeServices = composeChanges(base, { ledger, trackerServices, searchServices, analysts });
  const { clusters, clusterResolutions, duplicates, dependencies, related } = changeServices;
  const { edits } = composeIssueEdits(base, {
    issues: searchServices.issues,
    trackers,
    ledger,
    analyst: analysts.builtInAnalyst,
  });
  const { issues, search, similar } = searchServices;
  const { verdicts, prompts, evaluations, improvements } = analysts;
  const services = {
    ...{ issues, related, search, similar, duplicates, clusters, clusterResolutions, dependencies },
    ...{ verdicts, prompts, evaluations, improvements, edits, ledger },
  };
  const flows = composeFlows(base, { billing, analysts, services, expectConfirmedEmail });
  const stripe =
    config.stripe === null
      ? null
      : composeStripe(base, {
          config: config.stripe,
          plans: billing.plans,
          accountServices,
          onChanged: async (accountId) => {
            await publish(accountId, { type: 'subscription_updated' });
            // A new plan may allow judging by a language model, or new issues that were skipped for
            // lack of quota.
            await requests.judging(accountId);
            await trackerServices.readLeftOut(accountId);
          },
        });
  const accountDeletion = composeAccountDeletion(base, {
    accountServices,
    endPayments: stripe?.endForAccount ?? null,
  });

  let mailer: Mailer | null = null;
  return {
    async createServer(publicUrl) {
      base.setPublicUrl(publicUrl);
      const { app, auth } = await openHttp(base, {
        accountServices,
        billing,
        liveRoutes: flows.liveRoutes,
        publicUrl,
      });
      // Aborts pending calls to language models and trackers, because they could take longer than a
      // shutdown may take.
      app.addHook('preClose', async () => {
        await Promise.all([analysts.close(), changeServices.close()]);
      });
      const { actorOf } = accountServices;
      accountServices.registerRoutes(app, auth);
      accountDeletion.registerRoutes(app, auth);
      billing.registerRoutes(app, auth);
      await stripe?.registerRoutes(app, auth);
      await trackerServices.registerRoutes(app, auth);
      searchServices.registerRoutes(app, auth, related);
      analysts.registerRoutes(app, auth);
      changeServices.registerRoutes(app, auth, actorOf);
      registerMcpRoutes(app, { version: VERSION, log, publicUrl, auth, actorOf, services });
      flows.registerRoutes(app, auth, publicUrl);
      return app;
    },
    async startWork() {
      mailer = await createMailer({
        smtpUrl: config.smtpUrl ?? undefined,
        from: config.mailFrom,
        dataDir: config.dataDir,
        log,
        now,
      });
      await jobs.start({
        concurrency: MAX_CONCURRENT_JOBS,
        maxLongJobs: MAX_CONCURRENT_LONG_JOBS,
        handlers: [
          handleMail({ mailer, secrets, now }),
          ...accountServices.handlers,
          ...accountDeletion.handlers,
          ...billing.handlers,
          ...(stripe?.handlers ?? []),
          ...trackerServices.handlers,
          ...searchServices.handlers,
          ...changeServices.handlers,
          ...flows.handlers,
        ],
      });
      await changeServices.resume();
      await searchServices.resume();
      await trackerServices.resume();
      await billing.resume();
      await accountServices.resume();
      await accountDeletion.resume();
      await stripe?.resume();
      await flows.resume();
    },
    async close() {
      await Promise.all([jobs.stop(), analysts.close()]);
      mailer?.close();
      await accountServices.close();
      await billing.close();
      await flows.close();
      await base.close();
    },
  };
}
