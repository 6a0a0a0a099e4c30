import { RELATED_SHOWN } from '@winnow/contract/issue-detail';
import { ChangeApplier } from '../changes/apply.ts';
import { handleApply, resumeChanges } from '../changes/handle-apply.ts';
import type { Ledger } from '../changes/ledger.ts';
import { presentChange } from '../changes/present.ts';
import { type ActorOf, type Planner, registerChangeRoutes } from '../changes/routes.ts';
import { accountsToCluster } from '../clusters/graph-store.ts';
import { clusterAccount } from '../clusters/job.ts';
import { ClusterResolutions } from '../clusters/resolutions.ts';
import { registerClusterRoutes } from '../clusters/routes.ts';
import { Clusters } from '../clusters/service.ts';
import { registerComplianceRoutes } from '../compliance/routes.ts';
import { handleRun, resumeRuns } from '../compliance/run-handler.ts';
import { findAccountDependencies } from '../dependencies/job.ts';
import { registerDependencyRoutes } from '../dependencies/routes.ts';
import { Dependencies } from '../dependencies/service.ts';
import { TextFindings } from '../dependencies/text-findings.ts';
import { TrackerLinks } from '../dependencies/tracker-links.ts';
import { Analysis } from '../duplicates/analyze.ts';
import { analyzeAccount, calibrateAccount, judgeBestPairs } from '../duplicates/job.ts';
import { judgeAhead } from '../duplicates/judge-ahead.ts';
import { Judgments } from '../duplicates/judgments/judgments.ts';
import { presentPair } from '../duplicates/present.ts';
import { registerDuplicateRoutes } from '../duplicates/routes.ts';
import { Duplicates } from '../duplicates/service.ts';
import { accountsWithOutdatedSnapshot, analysisProgress } from '../issues/analysis-state-store.ts';
import { currentVectorFingerprint } from '../issues/engine/vector-fingerprint.ts';
import type { IssueView } from '../issues/index.ts';
import type { RelatedToIssue } from '../issues/routes.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import type { AnalystServices } from './analysts.ts';
import type { Foundation } from './foundation.ts';
import type { SearchServices } from './search.ts';
import type { TrackerServices } from './trackers.ts';

/** Delay before embedding is retried after the embedding model was unavailable. */
const MODEL_RETRY_MS = 10 * 60_000;

/** Returns the texts of an issue with the field names of the engine. */
const engineText = ({ title, description }: IssueView) => ({ title, body: description });

export interface ChangeParts {
  ledger: Ledger;
  trackerServices: TrackerServices;
  searchServices: SearchServices;
  analysts: AnalystServices;
}

/**
 * Composes clusters, and the features that plan changes for the ledger: duplicates, compliance and
 * dependencies.
 */
export function composeChanges(
  base: Foundation,
  { ledger, trackerServices, searchServices, analysts }: ChangeParts,
) {
  const { config, db, engine, jobs, log, now, publish, requests } = base;
  const { intake, stream, trackers } = trackerServices;
  const { issues, similar } = searchServices;
  const { compliance, complianceRuns, evaluations, modelAnalystOf, modelVerdicts } = analysts;
  const publishDependenciesChanged = (accountId: string) =>
    publish(accountId, { type: 'dependencies_changed' });

  const applier = new ChangeApplier({ db, ledger, trackers, intake, now, publish });
  const analysis = new Analysis({ db, engine, now, publish });
  const duplicates = new Duplicates({
    db,
    issues,
    ledger,
    now,
    explain: (accountId, first, second) =>
      engine.call('explain', { accountId, first: engineText(first), second: engineText(second) }),
    sharedTitleWords: (accountId, first, second) =>
      engine.call('sharedTitleWords', { accountId, first: engineText(first), second: engineText(second) }),
    onDecided: (transaction, accountId) => requests.clustering(accountId, transaction),
    requestAnalysis: (transaction, accountId) => requests.analysis(accountId, transaction),
  });
  const clusterResolutions = new ClusterResolutions({ db, ledger, log, now, pairs: duplicates });
  const clusters = new Clusters({
    db,
    issues,
    now,
    publish,
    onGrown: (transaction, accountId, grown) => stream.appendGrown(transaction, accountId, grown),
    listBusy: (transaction, accountId) => clusterResolutions.listBusy(transaction, accountId),
    rejectProposals: (transaction, accountId, clusterId, by) =>
      clusterResolutions.rejectProposals(transaction, accountId, clusterId, by),
  });
  const judgments = new Judgments({
    db,
    now,
    onCalibrated: async (accountId) => {
      await publish(accountId, { type: 'pairs_changed', ...(await analysisProgress(db, accountId)) });
      await requests.clustering(accountId);
    },
    requestCalibration: async (transaction, accountId) => {
      await requests.calibration(transaction, accountId);
      await requests.clustering(accountId, transaction);
    },
  });
  const textFindings = new TextFindings({ db, engine, now, onFound: publishDependenciesChanged });
  const trackerLinks = new TrackerLinks({ db, trackers, now, log, onRead: publishDependenciesChanged });
  const dependencies = new Dependencies({
    db,
    now,
    ledger,
    links: trackerLinks,
    inTexts: textFindings,
    requestFinding: requests.dependencies,
    byModel: analysts.modelFindings,
    modelOf: analysts.modelOf,
    nearestTo: (accountId, projectId, issueIds, limit) =>
      similar.nearestInProject(accountId, projectId, issueIds, limit),
  });

  // Register the callbacks from lower to higher features: see docs/ARCHITECTURE.md.
  intake.onIssuesChanged((transaction, accountId, issueIds) =>
    duplicates.onIssuesChanged(transaction, accountId, issueIds),
  );
  intake.onIssuesChanged(async (transaction, accountId) => {
    await requests.indexing(accountId, transaction);
    await requests.dependencies(accountId, transaction);
    await requests.analysis(accountId, transaction);
  });
  trackers.addBusyCheck((transaction, accountId, trackerId) =>
    ledger.isApplyingTo(transaction, accountId, trackerId),
  );
  ledger.handleKind('resolution', duplicates);
  ledger.handleKind('cluster', clusterResolutions);
  ledger.handleKind('compliance', compliance);
  ledger.handleKind('dependency', dependencies);

  const plan: Planner = async (accountId, request) => {
    switch (request.kind) {
      case 'resolution':
        return duplicates.plan(accountId, request.payload);
      case 'cluster':
        return clusterResolutions.plan(accountId, request.payload.cluster_id, request.payload);
      case 'compliance':
        return compliance.plan(accountId, request.payload.issue_id, request.payload);
      case 'dependency':
        return dependencies.planAll(accountId, request.payload.dependencies);
    }
  };
  const related: RelatedToIssue = async (accountId, issueId) => {
    const limit = RELATED_SHOWN;
    const [pairs, { records }, scores, known] = await Promise.all([
      duplicates.listPairsOfIssue(accountId, issueId, limit),
      ledger.list(accountId, { issueId }, { limit, skip: 0 }),
      evaluations.findStored(accountId, issueId),
      dependencies.listDependenciesOfIssue(accountId, issueId),
    ]);
    return {
      pairs: pairs.map(presentPair),
      changes: records.map(presentChange),
      compliance: scores,
      dependencies: known,
    };
  };

  return {
    duplicates,
    clusters,
    clusterResolutions,
    dependencies,
    related,
    handlers: [
      handle(analyzeAccount, async ({ account_id: accountId }, { signal }) => {
        const { isComplete } = await analysis.run(accountId, signal);
        if (!isComplete) {
          await requests.analysisAt(accountId, new Date(now().getTime() + MODEL_RETRY_MS));
        }
        // The analysis may have updated the word weights that the search for dependencies uses.
        await requests.dependencies(accountId);
        await requests.clustering(accountId);
        if (await modelAnalystOf(accountId)) await requests.judging(accountId);
      }),
      handle(clusterAccount, ({ account_id }, { signal }) => clusters.update(account_id, signal)),
      handle(calibrateAccount, ({ account_id }, { signal }) => judgments.calibrate(account_id, signal)),
      handle(judgeBestPairs, ({ account_id }, { signal }) =>
        judgeAhead({ db, verdicts: modelVerdicts, modelAnalystOf }, account_id, signal),
      ),
      handle(findAccountDependencies, async ({ account_id: accountId }, { signal }) => {
        await textFindings.run(accountId, signal);
        // Comments may state that issues are duplicates.
        await requests.clustering(accountId);
      }),
      handleRun(complianceRuns),
      handleApply({ applier, jobs }),
    ],
    registerRoutes(app: App, auth: Authentication, actorOf: ActorOf): void {
      registerDuplicateRoutes(app, { duplicates, judgments, ...analysts, auth, actorOf });
      registerClusterRoutes(app, { clusters, resolutions: clusterResolutions, auth, actorOf, now });
      registerComplianceRoutes(app, { ...analysts, auth, actorOf });
      registerDependencyRoutes(app, { issues, dependencies, auth, actorOf });
      registerChangeRoutes(app, { ledger, auth, actorOf, plan });
    },
    async resume(): Promise<void> {
      await resumeChanges(db, jobs, now);
      await resumeRuns(db, jobs, now);
      for (const accountId of await accountsToCluster(db)) await requests.clustering(accountId);
      // An upgrade or another embedding model makes stored probabilities and vectors outdated.
      // Accounts that get no new issues must be analyzed again, too.
      const fingerprint = await currentVectorFingerprint(config.embeddingModelDir);
      for (const accountId of await accountsWithOutdatedSnapshot(db, fingerprint))
        await requests.analysis(accountId);
    },
    /** Aborts reading links from trackers. */
    close: () => trackerLinks.close(),
  };
}
