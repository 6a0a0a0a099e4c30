import { Ledger } from './changes/ledger.ts';
import { composeBilling } from './compose/billing.ts';
import { composeDeciding } from './compose/deciding.ts';
import { composeEditing } from './compose/editing.ts';
import { composeFinding } from './compose/finding.ts';
import { composeFlows } from './compose/flows.ts';
import { type FoundationOptions, openFoundation } from './compose/foundation.ts';
import { openHttp } from './compose/http.ts';
import { composeJudging } from './compose/judging.ts';
import { composeLeaving } from './compose/leaving.ts';
import { composePeople } from './compose/people.ts';
import { composeReading } from './compose/reading.ts';
import { composeStripe } from './compose/stripe.ts';
import { registerMcpRoutes } from './mcp/routes.ts';
import type { App } from './platform/http/app.ts';
import { handleMail } from './platform/mail/mail-queue.ts';
import { createMailer, type Mailer } from './platform/mail/mailer.ts';
import { VERSION } from './platform/version.ts';

/** Syncs, analyses and changes at a time in one process. */
const JOBS_AT_ONCE = 8;
/** Of these, those that may take minutes, so that a mail or a decision never waits for a stranger's tracker. */
const LONG_JOBS_AT_ONCE = 5;

export interface Composition {
  /** The HTTP application, with every route; not listening yet. */
  createServer(publicUrl: string): Promise<App>;
  /** Begins to work off jobs. */
  startWork(): Promise<void>;
  /** Stops working, writes down what was counted, and lets go of everything. Close the server first. */
  close(): Promise<void>;
}

/** Puts the parts together; the only place that knows all of them. Throws `SecretKeyRefused` for another database's key. */
export async function compose(options: FoundationOptions): Promise<Composition> {
  const base = await openFoundation(options);
  const { config, db, events, jobs, log, now, publish, requests, secrets } = base;
  const billing = composeBilling(base);
  const people = composePeople(base, billing.usage);
  const { expectConfirmedEmail } = people;
  const reading = composeReading(base, { amounts: billing.amounts, expectConfirmedEmail });
  const finding = composeFinding(base);
  const { intake, trackers } = reading;
  const ledger = new Ledger({ db, trackers, intake, events, requestApply: requests.apply });
  const judging = composeJudging(base, { issues: finding.issues, ledger, billing });
  const deciding = composeDeciding(base, { ledger, reading, finding, judging });
  const { duplicates, dependencies, related } = deciding;
  const { edits } = composeEditing(base, {
    issues: finding.issues,
    trackers,
    ledger,
    analyst: judging.builtInAnalyst,
  });
  const { issues, search, similar } = finding;
  const { verdicts, prompts, evaluations, improvements } = judging;
  const services = {
    ...{ issues, related, search, similar, duplicates, dependencies },
    ...{ verdicts, prompts, evaluations, improvements, edits, ledger },
  };
  const flows = composeFlows(base, { billing, judging, services, expectConfirmedEmail });
  const stripe =
    config.stripe === null
      ? null
      : composeStripe(base, {
          config: config.stripe,
          plans: billing.plans,
          people,
          onChanged: async (accountId) => {
            await publish(accountId, { type: 'subscription_updated' });
            // What another plan may allow by now: judging by a model, and reading what was left out.
            await requests.judging(accountId);
            await reading.readLeftOut(accountId);
          },
        });
  const leaving = composeLeaving(base, {
    activity: people.activity,
    sessions: people.sessions,
    endPayments: stripe?.endForAccount ?? null,
  });

  let mailer: Mailer | null = null;
  return {
    async createServer(publicUrl) {
      base.servedAt(publicUrl);
      const { app, auth } = await openHttp(base, {
        people,
        billing,
        liveRoutes: flows.liveRoutes,
        publicUrl,
      });
      // What waits for a language model or a tracker could not be answered in the time that a stop leaves.
      app.addHook('preClose', async () => {
        await Promise.all([judging.close(), deciding.close()]);
      });
      const { actorOf } = people;
      people.registerRoutes(app, auth);
      leaving.registerRoutes(app, auth);
      billing.registerRoutes(app, auth);
      await stripe?.registerRoutes(app, auth);
      await reading.registerRoutes(app, auth);
      finding.registerRoutes(app, auth, related);
      judging.registerRoutes(app, auth);
      deciding.registerRoutes(app, auth, actorOf);
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
        concurrency: JOBS_AT_ONCE,
        longAtOnce: LONG_JOBS_AT_ONCE,
        handlers: [
          handleMail({ mailer, secrets, now }),
          ...people.handlers,
          ...leaving.handlers,
          ...billing.handlers,
          ...(stripe?.handlers ?? []),
          ...reading.handlers,
          ...finding.handlers,
          ...deciding.handlers,
          ...flows.handlers,
        ],
      });
      await deciding.resume();
      await reading.resume();
      await billing.resume();
      await people.resume();
      await leaving.resume();
      await stripe?.resume();
      await flows.resume();
    },
    async close() {
      await Promise.all([jobs.stop(), judging.close()]);
      mailer?.close();
      await people.close();
      await billing.close();
      await flows.close();
      await base.close();
    },
  };
}
