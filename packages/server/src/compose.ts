import { fileURLToPath } from 'node:url';
import { API_KEY_PREFIX, scope } from '@winnow/contract/api-key';
import { RELATED_SHOWN } from '@winnow/contract/issue-detail';
import type { LiveEvent } from '@winnow/contract/live';
import type { PoolConfig } from 'pg';
import { registerApiKeyRoutes } from './accounts/api-keys/routes.ts';
import { ApiKeys } from './accounts/api-keys/service.ts';
import { mailPasswordReset, mailPasswordResetPlace } from './accounts/job.ts';
import { MailedLinks } from './accounts/links.ts';
import { Registration } from './accounts/registration.ts';
import { registerAccountRoutes } from './accounts/routes.ts';
import { Accounts } from './accounts/service.ts';
import { Sessions } from './accounts/sessions.ts';
import type { ToolServices } from './agent-tools/tool.ts';
import { MODEL_CALL_LIMITS } from './ai/model.ts';
import { registerAiModelRoutes } from './ai/routes.ts';
import { dailyModelCalls, readModelCalls, removeCallsBefore } from './ai/usage.ts';
import { removeTakenBefore } from './billing/amount-store.ts';
import { ApiCallMeter, countApiCalls, takeApiCalls } from './billing/api-calls.ts';
import { handleUsageRetention, resumeUsageRetention } from './billing/retention.ts';
import { Usage } from './billing/usage.ts';
import { registerUsageRoutes } from './billing/usage-routes.ts';
import { removeUsageBefore } from './billing/usage-store.ts';
import { ChangeApplier } from './changes/apply.ts';
import { handleApply, resumeChanges } from './changes/handle-apply.ts';
import { applyChange, applyPlace } from './changes/job.ts';
import { Ledger } from './changes/ledger.ts';
import { presentChange } from './changes/present.ts';
import { type ActorOf, type Planner, registerChangeRoutes } from './changes/routes.ts';
import { handleRun, resumeRuns } from './compliance/handle-run.ts';
import { scoreProject, scoreProjectPlace } from './compliance/job.ts';
import { registerComplianceRoutes } from './compliance/routes.ts';
import { composeAgents } from './compose-agents.ts';
import { composeBilling } from './compose-billing.ts';
import { composeFlows } from './compose-flows.ts';
import { composeJudging } from './compose-judging.ts';
import { composeLeaving } from './compose-leaving.ts';
import { composeStripe } from './compose-stripe.ts';
import { TextFindings } from './dependencies/finding.ts';
import { findAccountDependencies, findDependenciesPlace } from './dependencies/job.ts';
import { registerDependencyRoutes } from './dependencies/routes.ts';
import { Dependencies } from './dependencies/service.ts';
import { TrackerLinks } from './dependencies/tracker-links.ts';
import { Analysis } from './duplicates/analyze.ts';
import { analyzeAccount, analyzePlace, judgeBestPairs, judgePlace } from './duplicates/job.ts';
import { judgeAhead } from './duplicates/judge-ahead.ts';
import { presentPair } from './duplicates/present.ts';
import { registerDuplicateRoutes } from './duplicates/routes.ts';
import { Duplicates } from './duplicates/service.ts';
import { matchEvents, matchEventsPlace } from './flows/triggers/job.ts';
import { Engine } from './issues/engine/engine.ts';
import { IssueIntake } from './issues/intake.ts';
import { type RelatedToIssue, registerIssueRoutes } from './issues/routes.ts';
import { indexAccountWords, indexWordsPlace } from './issues/search/job.ts';
import { IssueMaps } from './issues/search/map.ts';
import { registerSearchRoutes } from './issues/search/routes.ts';
import { Search } from './issues/search/service.ts';
import { Issues } from './issues/service.ts';
import { SimilarIssuesFinder } from './issues/similar.ts';
import { registerLeadRoutes } from './leads/routes.ts';
import { Leads } from './leads/service.ts';
import { registerMcpRoutes } from './mcp/routes.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, publicUrlOf } from './platform/config.ts';
import { type Database, openDatabase } from './platform/database.ts';
import { isConnectionError } from './platform/database-unavailable.ts';
import { unauthorized } from './platform/errors.ts';
import { EventCoalescer } from './platform/event-coalescer.ts';
import { openEvents } from './platform/events.ts';
import { type App, createApp } from './platform/http/app.ts';
import { createAuthentication } from './platform/http/auth.ts';
import { errorReportingOf } from './platform/http/error-reporting.ts';
import { type ReadinessCheck, registerHealth } from './platform/http/health.ts';
import { openSecretsOf } from './platform/install-key.ts';
import { handle } from './platform/jobs/job.ts';
import { Jobs } from './platform/jobs/jobs.ts';
import type { Log } from './platform/log.ts';
import { handleMail, MailQueue } from './platform/mail/mail-queue.ts';
import { createMailer, type Mailer } from './platform/mail/mailer.ts';
import { createMetrics } from './platform/metrics.ts';
import { readMigrationState } from './platform/migrate.ts';
import { createHostLimiter } from './platform/outbound/limiter.ts';
import { createOutbound } from './platform/outbound/outbound.ts';
import type { AccountEvent } from './platform/realtime/account-event.ts';
import { registerLiveChannel } from './platform/realtime/live-channel.ts';
import { migrations } from './schema/migrations.ts';
import type { Db, Tables } from './schema/tables.ts';
import { handleSync, resumeSyncs } from './sync/handle-sync.ts';
import { syncPlace, syncTracker } from './sync/job.ts';
import { trackersLeavingOut } from './sync/left-out-store.ts';
import type { ReadingOptions } from './sync/read-project.ts';
import { Sync } from './sync/sync.ts';
import { handleDelivered } from './tracker-events/handle-delivered.ts';
import { handleRemoval, handleSettle } from './tracker-events/handle-webhooks.ts';
import { Hooks } from './tracker-events/hooks.ts';
import { DeliveredReader } from './tracker-events/read-delivered.ts';
import { WebhookReceiver } from './tracker-events/receive.ts';
import { requestHookRemoval } from './tracker-events/remove-hooks.ts';
import { handleRetention, resumeRetention } from './tracker-events/retention.ts';
import { registerTrackerEventRoutes } from './tracker-events/routes.ts';
import { WebhookSecrets } from './tracker-events/secret.ts';
import { TrackerEvents } from './tracker-events/service.ts';
import { EventStream } from './tracker-events/stream.ts';
import { providerFactory } from './trackers/provider-factory.ts';
import { registerTrackerRoutes } from './trackers/routes.ts';
import { Trackers } from './trackers/service.ts';

export const VERSION = '0.1.0';
const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url));
/** What of the built web is drawn by the console; all other pages are files. */
const SITE = { root: WEB_BUILD, clientRoutes: ['/console/*'], clientPage: 'console.html' };
/**
 * Calls of one address a minute, over all routes without a limit of their own: a thousand people behind one address, at
 * a screen each five seconds. What costs more than a look-up has a limit of its own.
 */
const REQUESTS_PER_ADDRESS = 12_000;
/** Calls to one tracker host at a time, over all work. */
const CALLS_PER_HOST = 4;
/** Syncs, analyses and changes at a time in one process. */
const JOBS_AT_ONCE = 8;
/** Of these, those that may take minutes, so that a mail or a decision never waits for a stranger's tracker. */
const LONG_JOBS_AT_ONCE = 5;
/** Beside these: executions of flows, which wait for models most of their time. */
const WAITING_JOBS_AT_ONCE = 50;
/** Of these, those of one account, so that nobody's flows wait for the slow model of another. */
const WAITING_JOBS_PER_ACCOUNT = 8;

export interface Composition {
  /** The HTTP application, with every route; not listening yet. */
  createServer(publicUrl: string): Promise<App>;
  /** Begins to work off jobs. */
  startWork(): Promise<void>;
  /** Stops working, writes down what was counted, and lets go of everything. Close the server first. */
  close(): Promise<void>;
}

export interface CompositionOptions {
  config: Config;
  /** A migrated database. */
  connection: PoolConfig;
  log: Log;
  /** No other process works on this database. */
  exclusive: boolean;
}

/** Puts the parts together; the only place that knows all of them. Throws `SecretKeyRefused` for another database's key. */
export async function compose({
  config,
  connection,
  log,
  exclusive,
}: CompositionOptions): Promise<Composition> {
  // Known for sure once the server is made: with PORT=0 the port is chosen then.
  let linksLeadTo = publicUrlOf(config, config.port);
  const clock = systemClock;
  const now = () => clock.now();
  const database: Database<Tables> = openDatabase<Tables>(connection, { log });
  const { db } = database;
  // From here on others know that a Winnow runs, so that nobody changes the key that is read now.
  const events = await openEvents<AccountEvent>({ connection, db, log });
  const secrets = await openSecretsOf(config, { connection, log }).catch(async (error: unknown) => {
    await Promise.all([events.close(), database.close()]);
    throw error;
  });
  const coalescer = new EventCoalescer<LiveEvent>({
    publish: events.publish,
    perSecond: 4,
    onError: (error) => log.warn({ error }, 'A live event could not be told.'),
  });
  /** Progress comes in bursts, so it is told a few times a second; the end of something is told at once. */
  const publish = (accountId: string, event: LiveEvent) =>
    event.type === 'change_updated' ? events.publish(accountId, event) : coalescer.publish(accountId, event);
  const tellOfUsage = (accountId: string) => {
    publish(accountId, { type: 'usage_updated' }).catch((error: unknown) =>
      log.warn({ error }, 'A live event could not be told.'),
    );
  };
  const jobs = new Jobs({ db, connection, log, exclusive });
  const billing = composeBilling({ config, db, now, log });
  const { plansOfAccounts, amounts, apiCallBlocks } = billing;
  const metrics = createMetrics();
  const outbound = createOutbound({
    allowedHosts: config.outboundAllowedHosts,
    userAgent: `Winnow/${VERSION}`,
    log,
  });
  const outboundToOffered = createOutbound({
    allowedHosts: config.outboundAllowedHosts,
    exemptHosts: config.aiModels.map(({ apiUrl }) => new URL(apiUrl).host),
    userAgent: `Winnow/${VERSION}`,
    log,
  });
  const limiter = createHostLimiter({ concurrency: CALLS_PER_HOST });
  const engine = new Engine({ connection, logLevel: config.logLevel });
  const meter = new ApiCallMeter({
    db,
    now,
    onWritten: (accountIds) => {
      for (const accountId of accountIds) tellOfUsage(accountId);
    },
    onError: (error) => log.warn({ error }, 'Requests were counted but could not be written yet.'),
  });

  const mails = new MailQueue({ jobs, secrets });
  const sessions = new Sessions({
    db,
    accessKey: secrets.derive('access-token'),
    refreshKey: secrets.derive('refresh-token'),
    now,
    onRevoked: (transaction, accountId, sessionId) =>
      events.publish(accountId, { type: 'session_revoked', session_id: sessionId }, { db: transaction }),
  });
  const links = new MailedLinks({ mails, publicUrl: () => linksLeadTo, now });
  const registration = new Registration({ db, links });
  const accounts = new Accounts({
    db,
    sessions,
    links,
    now,
    requestPasswordReset: async (email) => {
      await jobs.enqueue(mailPasswordReset, { email }, mailPasswordResetPlace(email));
    },
  });
  const apiKeys = new ApiKeys({
    db,
    now,
    countRequests: (accountId) => usage.requestsOfKeys(accountId),
    onError: (error) => log.warn({ error }, 'When API keys were used could not be written yet.'),
  });
  const leads = new Leads({ db, mails, mailTo: config.leadsEmail });
  const stripe =
    config.stripe === null
      ? null
      : composeStripe({
          config: config.stripe,
          db,
          log,
          now,
          jobs,
          mails,
          plans: plansOfAccounts,
          accounts,
          registration,
          publicUrl: () => linksLeadTo,
          onChanged: async (accountId) => {
            await publish(accountId, { type: 'subscription_updated' });
            await useNewPlan(accountId);
          },
        });
  const leaving = composeLeaving({
    db,
    connection,
    jobs,
    sessions,
    mails,
    log,
    now,
    endPayments: stripe?.endForAccount ?? null,
  });
  const intake = new IssueIntake(now);
  const trackers = new Trackers({
    db,
    secrets,
    now,
    openProvider: providerFactory({ db, fetch: outbound.fetch, limiter, log, clock }),
    requestSync: async (transaction, accountId, trackerId) => {
      const payload = { account_id: accountId, tracker_id: trackerId };
      await jobs.enqueue(syncTracker, payload, { ...syncPlace(accountId, trackerId), db: transaction });
    },
    onTrackerRemoved: async (transaction, accountId, trackerId) => {
      await intake.issuesRemoved(transaction, accountId, trackerId);
      await requestHookRemoval(transaction, jobs, accountId, trackerId);
    },
  });
  const issues = new Issues(db);
  const similar = new SimilarIssuesFinder({ db, engine });
  const requestIndexing = (accountId: string, transaction = db) =>
    jobs.enqueue(
      indexAccountWords,
      { account_id: accountId },
      { ...indexWordsPlace(accountId), db: transaction },
    );
  const search = new Search({ db, engine, issues, requestIndexing });
  const webhookSecrets = new WebhookSecrets(db, secrets, now);
  const hooks = new Hooks({ db, trackers, jobs, secrets: webhookSecrets, now, publicUrl: config.publicUrl });
  const trackerEvents = new TrackerEvents({
    db,
    trackers,
    secrets: webhookSecrets,
    hooks,
    now,
    publicUrl: config.publicUrl,
    shownUrl: () => linksLeadTo,
    publish,
  });
  const requestMatching = async (transaction: Db, accountId: string) => {
    await jobs.enqueue(
      matchEvents,
      { account_id: accountId },
      { ...matchEventsPlace(accountId), db: transaction },
    );
  };
  const stream = new EventStream({
    now,
    onMissed: (transaction, place) => hooks.doubt(transaction, place),
    requestMatching,
  });
  const receiver = new WebhookReceiver({
    db,
    secrets: webhookSecrets,
    stream,
    jobs,
    now,
    onHeard: (accountId, trackerId) => trackerEvents.refreshState(accountId, trackerId),
  });
  const onRead: ReadingOptions['onRead'] = (transaction, place, news, connectedAt) =>
    stream.appendRead(transaction, place, news, connectedAt);
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
  const ledger = new Ledger({
    db,
    trackers,
    intake,
    events,
    requestApply: async (transaction, accountId, changeId) => {
      const payload = { account_id: accountId, change_id: changeId };
      await jobs.enqueue(applyChange, payload, { ...applyPlace(accountId, changeId), db: transaction });
    },
  });
  const applier = new ChangeApplier({ db, ledger, trackers, intake, now, publish });
  const analysis = new Analysis({ db, engine, now, publish });
  const duplicates = new Duplicates({
    db,
    issues,
    ledger,
    now,
    explain: (accountId, first, second) =>
      engine.call('explain', {
        accountId,
        first: { title: first.title, body: first.description },
        second: { title: second.title, body: second.description },
      }),
  });

  const judging = composeJudging({
    db,
    now,
    log,
    secrets,
    fetchForModels: outbound.fetchWith(MODEL_CALL_LIMITS),
    engine,
    issues,
    ledger,
    publish,
    fetchForOffered: outboundToOffered.fetchWith(MODEL_CALL_LIMITS),
    offeredModels: config.aiModels,
    plans: plansOfAccounts,
    amounts,
    onDefaultModelChanged: async (accountId) => {
      await requestJudging(accountId);
    },
    requestScoring: (transaction, accountId, runId) =>
      jobs.enqueue(
        scoreProject,
        { account_id: accountId, run_id: runId },
        { ...scoreProjectPlace(accountId, runId), db: transaction },
      ),
  });
  const { aiModels, modelAnalystOf, modelVerdicts, evaluations, compliance, complianceRuns } = judging;
  const textFindings = new TextFindings({
    db,
    engine,
    now,
    onFound: (accountId) => publish(accountId, { type: 'dependencies_changed' }),
  });
  const requestDependencies = (accountId: string, transaction = db) =>
    jobs.enqueue(
      findAccountDependencies,
      { account_id: accountId },
      { ...findDependenciesPlace(accountId), db: transaction },
    );
  const trackerLinks = new TrackerLinks({
    db,
    trackers,
    now,
    log,
    onRead: (accountId) => publish(accountId, { type: 'dependencies_changed' }),
  });
  const dependencies = new Dependencies({
    db,
    now,
    ledger,
    links: trackerLinks,
    inTexts: textFindings,
    requestFinding: requestDependencies,
    byModel: judging.modelFindings,
    modelOf: judging.modelOf,
    nearestTo: (accountId, projectId, issueIds, limit) =>
      similar.nearestInProject(accountId, projectId, issueIds, limit),
  });

  const usage = new Usage({
    db,
    meter,
    now,
    plans: plansOfAccounts,
    readModelCalls: (accountId, range) => readModelCalls(db, accountId, range),
    dailyModelCalls: (accountId, range) => dailyModelCalls(db, accountId, range),
  });
  const agents = composeAgents({ db, issues, trackers, ledger, engine, analyst: judging.builtInAnalyst });

  const requestJudging = (accountId: string) =>
    jobs.enqueue(judgeBestPairs, { account_id: accountId }, judgePlace(accountId));
  /** Has done what another plan may allow by now: reading what was left out, and judging by a model. */
  const useNewPlan = async (accountId: string) => {
    await requestJudging(accountId);
    if (!(await amounts.isLeft(accountId, 'issues_ingested_monthly'))) return;
    for (const trackerId of await trackersLeavingOut(db, accountId)) {
      await trackers.requestSync(accountId, trackerId);
    }
  };
  const requestAnalysis = (accountId: string, transaction = db) =>
    jobs.enqueue(analyzeAccount, { account_id: accountId }, { ...analyzePlace(accountId), db: transaction });

  // What travels up: see docs/ARCHITECTURE.md.
  intake.onIssuesChanged((transaction, accountId, issueIds) =>
    duplicates.onIssuesChanged(transaction, accountId, issueIds),
  );
  intake.onIssuesChanged(async (transaction, accountId) => {
    await requestIndexing(accountId, transaction);
    await requestDependencies(accountId, transaction);
    await requestAnalysis(accountId, transaction);
  });
  trackers.keepWhile((transaction, accountId, trackerId) =>
    ledger.isApplyingTo(transaction, accountId, trackerId),
  );
  ledger.handleKind('resolution', duplicates);
  ledger.handleKind('compliance', compliance);
  ledger.handleKind('dependency', dependencies);

  const plan: Planner = async (accountId, request) => {
    switch (request.kind) {
      case 'resolution':
        return duplicates.plan(accountId, request.payload);
      case 'compliance':
        return compliance.plan(accountId, request.payload.issue_id, request.payload);
      case 'dependency':
        return dependencies.planAll(accountId, request.payload.dependencies);
    }
  };

  const authenticate = async (token: string) => {
    const claims = await sessions.authenticate(token);
    if (!claims) throw unauthorized();
    return claims;
  };
  const actorOf: ActorOf = async (principal) => {
    if (principal.kind === 'api_key') {
      return { type: 'api_key', id: principal.keyId, name: await apiKeys.nameOf(principal) };
    }
    const user = await accounts.user(principal.accountId, principal.userId);
    return { type: 'user', id: user.id, name: user.full_name ?? user.username };
  };

  const related: RelatedToIssue = async (accountId, issueId) => {
    const limit = RELATED_SHOWN;
    const [pairs, { records }, standings, known] = await Promise.all([
      duplicates.ofIssue(accountId, issueId, limit),
      ledger.list(accountId, { issueId }, { limit, skip: 0 }),
      evaluations.stored(accountId, issueId),
      dependencies.ofIssue(accountId, issueId),
    ]);
    return {
      pairs: pairs.map(presentPair),
      changes: records.map(presentChange),
      compliance: standings,
      dependencies: known,
    };
  };

  const toolServices: ToolServices = {
    issues,
    related,
    search,
    similar,
    duplicates,
    verdicts: judging.verdicts,
    prompts: judging.prompts,
    evaluations,
    improvements: judging.improvements,
    dependencies,
    edits: agents.edits,
    ledger,
  };
  const flows = composeFlows({
    db,
    keptDays: config.retention.executionsDays,
    now,
    log,
    version: VERSION,
    jobs,
    events,
    publish,
    secrets,
    outbound,
    aiModels,
    languageModels: judging.languageModels,
    services: toolServices,
  });

  async function createServer(publicUrl: string): Promise<App> {
    linksLeadTo = publicUrl;
    const app = await createApp({
      log,
      metrics,
      publicUrl,
      version: VERSION,
      trustProxy: config.trustProxy,
      isConnectionError,
      site: SITE,
      errorReporting: errorReportingOf(config, publicUrl),
      productionHost: config.productionHost,
      // What one key may ask for, one address may.
      rateLimit: { max: Math.max(REQUESTS_PER_ADDRESS, config.apiKeyRateLimit), windowMs: 60_000 },
    });
    // What waits for a language model or a tracker could not be answered in the time that a stop leaves.
    app.addHook('preClose', async () => {
      await Promise.all([judging.close(), trackerLinks.close()]);
    });
    const auth = createAuthentication(
      app,
      async (token) => {
        if (token.startsWith(API_KEY_PREFIX)) return apiKeys.authenticate(token);
        const { accountId, userId, sessionId } = await authenticate(token);
        return { kind: 'user', accountId, userId, sessionId, scopes: scope.options };
      },
      { max: config.apiKeyRateLimit, windowMs: 60_000 },
      takeApiCalls(apiCallBlocks),
    );
    countApiCalls(app, meter, (principal) => apiKeys.noteUse(principal));
    registerHealth(app, {
      checks: readinessChecks(database, jobs),
      registry: metrics.registry,
      metricsToken: config.metricsToken,
    });
    await registerLiveChannel(app, {
      publicUrl,
      authenticate,
      // What was missed cannot be told again. A client that connects anew fetches anew what it shows.
      subscribe: (accountId, handler) =>
        events.subscribe(accountId, handler, { onMissed: () => closeLiveSockets(app) }),
      listening: (accountId) => events.listening(accountId),
      countClick: ({ tagName }) => metrics.clicks.inc({ target: clickTarget(tagName) }),
      routes: flows.liveRoutes,
    });
    registerAccountRoutes(app, {
      registration,
      accounts,
      sessions,
      auth,
      mailsGoOut: config.smtpUrl !== null,
    });
    leaving.registerRoutes(app, auth);
    registerApiKeyRoutes(app, apiKeys, auth);
    registerLeadRoutes(app, leads);
    billing.registerRoutes(app, auth);
    await stripe?.registerRoutes(app, auth);
    registerUsageRoutes(app, { usage, auth, now });
    registerTrackerRoutes(app, trackers, auth);
    await registerTrackerEventRoutes(app, { receiver, trackerEvents, auth });
    registerIssueRoutes(app, { issues, similar, related, auth });
    registerSearchRoutes(app, { search, maps: new IssueMaps({ db, engine, issues }), auth });
    registerAiModelRoutes(app, aiModels, auth);
    registerDuplicateRoutes(app, { duplicates, ...judging, auth, actorOf });
    registerComplianceRoutes(app, { ...judging, auth, actorOf });
    registerDependencyRoutes(app, { issues, dependencies, auth, actorOf });
    registerChangeRoutes(app, { ledger, auth, actorOf, plan });
    registerMcpRoutes(app, {
      version: VERSION,
      log,
      publicUrl,
      auth,
      actorOf,
      services: toolServices,
    });
    flows.registerRoutes(app, { auth, publicUrl });
    return app;
  }

  let mailer: Mailer | null = null;
  return {
    createServer,
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
        waitingAtOnce: WAITING_JOBS_AT_ONCE,
        waitingPerAccount: WAITING_JOBS_PER_ACCOUNT,
        handlers: [
          handleSync({
            sync,
            jobs,
            now,
            webhooksAreActive: (accountId, trackerId) =>
              trackerEvents.webhooksAreActive(accountId, trackerId),
            onEnded: async (accountId) => {
              await requestIndexing(accountId);
              await requestDependencies(accountId);
              await requestAnalysis(accountId);
            },
          }),
          handle(analyzeAccount, async (payload, { signal }) => {
            await analysis.run(payload.account_id, signal);
            // How telling words are may be known only now.
            await requestDependencies(payload.account_id);
            if (await modelAnalystOf(payload.account_id)) await requestJudging(payload.account_id);
          }),
          handle(indexAccountWords, async ({ account_id: accountId }, { signal }) => {
            while ((await engine.call('indexWords', { accountId })) > 0) signal.throwIfAborted();
          }),
          handle(findAccountDependencies, ({ account_id }, { signal }) =>
            textFindings.run(account_id, signal),
          ),
          handleRun(complianceRuns),
          handle(judgeBestPairs, ({ account_id }, { signal }) =>
            judgeAhead({ db, verdicts: modelVerdicts, modelAnalystOf }, account_id, signal),
          ),
          handleApply({ applier, jobs }),
          handleDelivered({
            reader: new DeliveredReader({
              db,
              trackers,
              intake,
              now,
              publish,
              onRead,
              amounts,
              requestMatching,
            }),
            jobs,
          }),
          handleSettle({
            hooks,
            jobs,
            onSettled: (accountId, trackerId) => trackerEvents.refreshState(accountId, trackerId),
          }),
          handleRemoval({ trackers, log }),
          handleRetention({ db, jobs, now, keptDays: config.retention.trackerEventsDays }),
          handleUsageRetention({
            jobs,
            now,
            keptDays: config.retention.usageDays,
            removeBefore: async (day) => {
              await removeUsageBefore(db, day);
              await removeCallsBefore(db, day);
              await removeTakenBefore(db, day);
            },
          }),
          handle(mailPasswordReset, ({ email }) => accounts.mailPasswordReset(email)),
          handleMail({ mailer, secrets, now }),
          leaving.handler,
          ...(stripe?.handlers ?? []),
          ...flows.handlers,
        ],
      });
      await resumeChanges(db, jobs);
      await resumeRuns(db, jobs);
      await resumeSyncs(db, jobs, now);
      await resumeRetention(jobs, now);
      await resumeUsageRetention(jobs, now);
      await leaving.resume();
      await stripe?.resume();
      await flows.resume();
    },
    async close() {
      await Promise.all([jobs.stop(), judging.close()]);
      mailer?.close();
      for (const counter of [meter, apiKeys]) {
        await counter.close().catch((error: unknown) => log.warn({ error }, 'The last counts were lost.'));
      }
      await apiCallBlocks.close();
      await engine.close();
      await Promise.all([coalescer.flush(), flows.close()]).catch((error: unknown) =>
        log.warn({ error }, 'The last live events could not be told.'),
      );
      await events.close();
      await Promise.all([outbound.close(), outboundToOffered.close()]);
      await database.close();
    },
  };
}

/** Of RFC 6455's registry: try again later. */
const CLOSE_TRY_LATER = 1013;

/** One connection to the database hears for all accounts, so when it was lost, all of them may have missed something. */
function closeLiveSockets(app: App): void {
  for (const socket of app.websocketServer.clients) {
    socket.close(CLOSE_TRY_LATER, 'Live events were missed. Connect again.');
  }
}

/** One of three words, whatever a client says: a metric's labels are not the client's to choose. */
function clickTarget(tagName: string | undefined): string {
  switch (tagName?.toLowerCase()) {
    case 'a':
      return 'link';
    case 'button':
      return 'button';
    default:
      return 'other';
  }
}

function readinessChecks(database: Database<Tables>, jobs: Jobs): ReadinessCheck[] {
  return [
    {
      name: 'database',
      check: async () => {
        const { pending } = await readMigrationState(database.db, migrations);
        return pending.length === 0
          ? null
          : `The database lacks ${pending.join(', ')}: run "winnow migrate".`;
      },
    },
    { name: 'jobs', check: async () => jobs.problem() },
  ];
}
