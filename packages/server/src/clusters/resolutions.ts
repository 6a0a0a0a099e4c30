import type { LeftOut, StepStatus } from '@winnow/contract/change';
import {
  type ClusterProposal,
  type ClusterResolution,
  type ClustersResolution,
  MAX_CLUSTER_MEMBERS_CLOSED,
} from '@winnow/contract/cluster';
import type {
  Actor,
  ChangePlan,
  ChangeRecord,
  ChangeRequest,
  KindHandler,
  Ledger,
} from '../changes/index.ts';
import { findIssues, type IssueView, trackerLabel } from '../issues/index.ts';
import { AppError, conflict, invalid, notFound } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import { lockClusters, readIssues } from './graph-store.ts';
import {
  type ClosableIssue,
  type ClusterMemory,
  type ClusterPlan,
  clusterMemory,
  planClusterResolution,
} from './plan-resolution.ts';
import { changedMeanwhile, notOpen } from './service.ts';
import * as store from './store.ts';
import { additionsTo } from './summary.ts';

/** Pairs that a change resolved: an original and the issues closed as its duplicates. */
interface ClosedPairs {
  originalId: string;
  closedIds: readonly string[];
  changeId: string;
}

/**
 * Result of starting resolutions: `started` clusters are being resolved, `leftOut` clusters were
 * skipped.
 */
export interface StartedResolutions {
  started: { clusterId: string; changeId: string }[];
  leftOut: { clusterId: string; code: string; detail: string }[];
}

/**
 * Maximum time in milliseconds for starting changes in one call. Each start reads issues from a
 * tracker.
 */
const MAX_START_MS = 20_000;
const OUT_OF_TIME = { code: 'out_of_time', detail: 'The request ran out of time. Try again.' };
const NOT_STARTED = { code: 'internal', detail: 'An unexpected error occurred. Try again.' };

export interface ClusterResolutionsOptions {
  db: Db;
  ledger: Ledger;
  log: Pick<Log, 'error'>;
  now: () => Date;
  /** Updates the status of pairs. Called in the transaction that completes or undoes a change. */
  pairs: {
    closePairs(db: Db, accountId: string, closed: ClosedPairs): Promise<void>;
    restorePairs(db: Db, accountId: string, reopened: ClosedPairs): Promise<void>;
    /** True if a decision about any pair of these issues was undone. */
    wasUndoneAmong(db: Db, accountId: string, issueIds: readonly string[]): Promise<boolean>;
  };
}

/**
 * Plans and records the changes that close the issues of a cluster as duplicates of its canonical
 * issue.
 */
export class ClusterResolutions implements KindHandler {
  readonly #options: ClusterResolutionsOptions;

  constructor(options: ClusterResolutionsOptions) {
    this.#options = options;
  }

  /** Returns the ids of clusters whose resolution, or its undo, is being written to a tracker. */
  async listBusy(db: Db, accountId: string): Promise<ReadonlySet<string>> {
    const applying = await this.#options.ledger.listApplying(db, accountId);
    const ids = new Set<string>();
    for (const { change } of applying) {
      const { kind, undoes } = change;
      const original =
        kind === 'undo' && undoes !== null ? await this.#options.ledger.get(accountId, undoes) : null;
      const written = original?.change ?? change;
      if (written.kind === 'cluster') ids.add(memoryOf(written).cluster_id);
    }
    return ids;
  }

  /**
   * Plans the resolution of a cluster without saving it. Throws `not_found` for an unknown cluster.
   * Throws `conflict` if the cluster has another revision, or if it cannot be resolved as
   * requested.
   */
  async plan(accountId: string, clusterId: string, wanted: ClusterResolution): Promise<ClusterPlan> {
    const { db } = this.#options;
    const cluster = await store.findCluster(db, accountId, clusterId);
    if (!cluster) throw notFound();
    if (cluster.revision !== wanted.revision) {
      const [last] = await store.eventsOf(db, accountId, clusterId, 1);
      throw changedMeanwhile(last?.by ?? null);
    }
    const memberIds = await store.membersOf(db, accountId, clusterId);
    const canonicalId = canonicalOf(cluster, memberIds, wanted.canonical_id);
    const requested = new Set(wanted.member_ids ?? memberIds);
    if (wanted.member_ids?.includes(canonicalId)) {
      throw invalid([
        {
          path: 'member_ids',
          message: 'The canonical issue stays open. Leave it out of the issues to close.',
        },
      ]);
    }
    const issues = new Map(
      (await findIssues(db, accountId, memberIds)).map((issue) => [issue.id, issue] as const),
    );
    const canonical = issues.get(canonicalId);
    if (!canonical) throw notFound();
    const known = [...issues.values()]
      .filter(({ id }) => id !== canonicalId && requested.has(id))
      .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime());
    const members = wanted.member_ids ? known : known.filter(({ state }) => state === 'opened');
    if (members.length > MAX_CLUSTER_MEMBERS_CLOSED) {
      const message = `Choose at most ${MAX_CLUSTER_MEMBERS_CLOSED} issues.`;
      throw invalid([{ path: 'member_ids', message }]);
    }
    const facts =
      wanted.facts === 'nowhere'
        ? new Map()
        : additionsTo(canonicalId, [
            ...(
              await readIssues(
                db,
                accountId,
                [canonical, ...members].map(({ id }) => id),
              )
            ).values(),
          ]);
    const plan = planClusterResolution({
      clusterId,
      canonical: closable(canonical),
      members: members.map(closable),
      leftOut: await this.#nonMembers(accountId, wanted.member_ids ?? [], issues),
      notChosen: memberIds.filter((id) => id !== canonicalId && !requested.has(id)),
      facts,
      wanted,
    });
    return { ...plan, revision: cluster.revision };
  }

  /**
   * Resolves a cluster, or proposes its resolution. Returns the change when it is settled, or in
   * its current state after the maximum wait. Throws `conflict` if the canonical issue is closed,
   * changed or locked.
   */
  async resolve(
    accountId: string,
    asked: ChangeRequest,
    clusterId: string,
    wanted: ClusterProposal,
  ): Promise<ChangeRecord> {
    const changeId = await this.#start(accountId, asked, clusterId, wanted);
    return this.#options.ledger.whenSettled(accountId, changeId);
  }

  /**
   * Starts to resolve clusters, each with a separate change. Skips clusters that have changed, that
   * cannot be resolved completely, or that were not started in time.
   *
   * @throws {AppError} `not_found` if none of the clusters exists
   */
  async resolveAll(
    accountId: string,
    asked: ChangeRequest,
    clusters: ClustersResolution['clusters'],
  ): Promise<StartedResolutions> {
    const { now } = this.#options;
    const until = now().getTime() + MAX_START_MS;
    const started: StartedResolutions['started'] = [];
    const leftOut: StartedResolutions['leftOut'] = [];
    const busy: ClustersResolution['clusters'] = [];
    /**
     * Starts to resolve a cluster. Skips it if other writes to its issues take longer than
     * `waitMs`.
     */
    const start = async (cluster: ClustersResolution['clusters'][number], waitMs: number) => {
      const { cluster_id: clusterId, ...wanted } = cluster;
      try {
        const changeId = await this.#start(
          accountId,
          asked,
          clusterId,
          { ...wanted, facts: 'nowhere' },
          { isWhole: true, waitMs },
        );
        started.push({ clusterId, changeId });
      } catch (error) {
        if (!(error instanceof AppError)) {
          // After an unexpected error, the response still reports the changes that were started. If
          // there are none, or the caller has disconnected, the error is thrown.
          if (started.length === 0 || asked.signal?.aborted) throw error;
          this.#options.log.error({ err: error, cluster_id: clusterId }, NOT_STARTED.detail);
        }
        const { code, detail } = error instanceof AppError ? error : NOT_STARTED;
        if (code === 'being_changed' && waitMs === 0) busy.push(cluster);
        else leftOut.push({ clusterId, code, detail });
      }
    };
    // Starts free clusters first. Otherwise, waiting for busy clusters could use up the time for
    // them.
    for (const [all, waits] of [
      [clusters, false],
      [busy, true],
    ] as const) {
      for (const cluster of all) {
        const leftMs = until - now().getTime();
        if (leftMs > 0) await start(cluster, waits ? leftMs : 0);
        else leftOut.push({ clusterId: cluster.cluster_id, ...OUT_OF_TIME });
      }
    }
    const noneExists = started.length === 0 && leftOut.every(({ code }) => code === 'not_found');
    if (noneExists) throw notFound();
    return { started, leftOut };
  }

  /**
   * Saves the change that resolves a cluster, when no other write to its issues is in progress.
   * Returns the id of the change.
   *
   * @throws {AppError} `conflict` if `isWhole` is set and an issue would have to be skipped
   */
  async #start(
    accountId: string,
    asked: ChangeRequest,
    clusterId: string,
    wanted: ClusterProposal,
    { isWhole = false, waitMs }: { isWhole?: boolean; waitMs?: number } = {},
  ): Promise<string> {
    const { ledger } = this.#options;
    const { actor, request } = asked;
    // A repeated request returns the change of the first request. That change may already have
    // changed the cluster, so nothing is planned.
    const isRepeated =
      request !== undefined && (await ledger.findRequested(accountId, actor, request)) !== null;
    const concerned = isRepeated
      ? { issueIds: [], freshIds: [] }
      : await this.#issuesConcerned(accountId, clusterId, wanted);
    const save = async () => {
      const plan = withReason(await this.plan(accountId, clusterId, wanted), wanted.reason);
      const reasons = plan.leftOut.map(({ reason }) => reason);
      if (isWhole && reasons.length > 0) throw conflict('cluster_changed', reasons.join(' '));
      return ledger.save(accountId, asked, plan, { seen: wanted.base_hashes });
    };
    return ledger
      .runInTurn(accountId, asked, { ...concerned, waitMs }, save)
      .catch(async (error: unknown) => {
        // The save has just stored the current state of the canonical issue. Planning again throws
        // the specific error if the issue is closed.
        if (error instanceof AppError && error.code === 'changed_since') {
          await this.plan(accountId, clusterId, wanted);
        }
        throw error;
      });
  }

  /**
   * Returns the issues that the change concerns (`issueIds`), and those to read from their trackers
   * before planning (`freshIds`).
   */
  async #issuesConcerned(
    accountId: string,
    clusterId: string,
    wanted: ClusterResolution,
  ): Promise<{ issueIds: string[]; freshIds: string[] }> {
    const { payload, steps } = await this.plan(accountId, clusterId, wanted);
    const issueIds = new Set([payload.canonical_id, ...steps.map(({ issueId }) => issueId)]);
    // The other issues are read from their trackers just before their own steps.
    return { issueIds: [...issueIds], freshIds: [payload.canonical_id] };
  }

  /**
   * Refuses a change if another decision about the cluster came first. Agents cannot decide about a
   * decided cluster, or about one whose decision was undone. Called by the ledger.
   */
  async guard(db: Db, accountId: string, plan: ChangePlan, { actor, as }: ChangeRequest): Promise<void> {
    const { ledger, pairs } = this.#options;
    const { cluster_id: clusterId } = memoryOf(plan);
    await ledger.expectFree(db, accountId, plan);
    await lockClusters(db, accountId);
    const cluster = await store.findCluster(db, accountId, clusterId);
    const revision = 'revision' in plan ? plan.revision : undefined;
    // Another user may have decided since the change was planned.
    if (cluster && revision !== undefined && cluster.revision !== revision) throw changedMeanwhile(null);
    const issueIds = [memoryOf(plan).canonical_id, ...plan.steps.map(({ issueId }) => issueId)];
    if (!(await store.areInOneCluster(db, accountId, issueIds))) throw changedMeanwhile(null);
    const wasUndone = async () =>
      (await ledger.wasUndone(db, accountId, 'cluster', { cluster_id: clusterId })) ||
      (await ledger.wasUndoneTogether(db, accountId, 'cluster', issueIds)) ||
      (await pairs.wasUndoneAmong(db, accountId, issueIds));
    if (actor.type !== 'user') await this.#expectUndecided(db, accountId, clusterId);
    if (actor.type !== 'user' && (await wasUndone())) {
      throw conflict(
        'decision_undone',
        'A decision about this cluster was undone, so only people can decide about it again.',
      );
    }
    if (as === 'proposed' && (await this.#proposalsFor(db, accountId, clusterId)).length > 0) {
      throw conflict(
        'already_proposed',
        'A change to this cluster is already proposed. Decide on that one first.',
      );
    }
  }

  /**
   * Records the outcome of a resolution. Called by the ledger.
   *
   * After it was applied, resolves the pairs of the closed issues, marks the cluster as decided,
   * and rejects other proposals about it. After an undo, restores the pairs and the cluster.
   */
  async onSettled(
    db: Db,
    record: ChangeRecord,
    outcome: 'applied' | 'undone',
    undo?: ChangeRecord,
  ): Promise<void> {
    const { ledger, pairs } = this.#options;
    const memory = memoryOf(record.change);
    const { account_id: accountId, id: changeId, decided_by, decided_by_type } = record.change;
    if (outcome === 'undone') {
      await lockClusters(db, accountId);
      // Includes issues whose reopening was skipped because someone had already reopened them.
      // Their pairs are restored too.
      const closedIds = targetsOf(undo ?? record, 'reopen', ['applied', 'skipped']);
      await pairs.restorePairs(db, accountId, { originalId: memory.canonical_id, closedIds, changeId });
      await this.#setStatus(db, accountId, memory, {
        status: 'to_decide',
        decided_by: null,
        decided_at: null,
        type: 'reopened',
        text: 'The change was undone.',
        by: undo?.change.decided_by ?? null,
      });
      return;
    }
    await this.#recordClosed(db, record, { isComplete: true });
    const proposals = await this.#proposalsFor(db, accountId, memory.cluster_id);
    await ledger.rejectSuperseded(db, accountId, proposals, { decided_by, decided_by_type });
  }

  /**
   * Rejects the proposals about a cluster that a person decides or dismisses. Returns the ids of
   * the proposals. Call it before taking the cluster lock: the ledger takes its own lock first, and
   * the opposite order could deadlock.
   */
  async rejectProposals(
    db: Db,
    accountId: string,
    clusterId: string,
    { name, type }: Pick<Actor, 'name' | 'type'>,
  ): Promise<string[]> {
    const { ledger } = this.#options;
    await ledger.lockProposals(db, accountId);
    const proposals = await this.#proposalsFor(db, accountId, clusterId);
    await ledger.rejectSuperseded(db, accountId, proposals, { decided_by: name, decided_by_type: type });
    return proposals;
  }

  /**
   * Resolves the pairs of the issues that were closed, and leaves the cluster undecided. Called by
   * the ledger when some steps failed.
   */
  async onPartlyApplied(db: Db, record: ChangeRecord): Promise<void> {
    await this.#recordClosed(db, record, { isComplete: false });
  }

  async #recordClosed(db: Db, record: ChangeRecord, { isComplete }: { isComplete: boolean }): Promise<void> {
    const { pairs, now } = this.#options;
    const memory = memoryOf(record.change);
    const { account_id: accountId, id: changeId, decided_by } = record.change;
    await lockClusters(db, accountId);
    const closedIds = targetsOf(record, 'close_as_duplicate', ['applied']);
    await pairs.closePairs(db, accountId, { originalId: memory.canonical_id, closedIds, changeId });
    const leftOut = record.steps.filter(
      ({ action, status }) => action === 'close_as_duplicate' && status !== 'applied',
    );
    const isOpen = await store.hasOpenIssue(db, accountId, [
      ...leftOut.map(({ target_issue_id: id }) => id),
      ...memory.left_out.map(({ issue_id: id }) => id),
    ]);
    const joined = await this.#countJoinedSince(db, record);
    const total = closedIds.length + leftOut.length;
    const closed =
      leftOut.length === 0
        ? `Closed ${closedIds.length} as duplicates.`
        : `Closed ${closedIds.length} of ${total} as duplicates.`;
    const text =
      joined === 0
        ? closed
        : `${closed} ${joined} ${joined === 1 ? 'issue' : 'issues'} ${joined === 1 ? 'has' : 'have'} joined the cluster since then and ${joined === 1 ? 'is' : 'are'} undecided.`;
    await this.#setStatus(db, accountId, memory, {
      // The cluster stays undecided if some of its issues were skipped or joined later, and are
      // still open.
      ...(isOpen || joined > 0 || !isComplete
        ? { type: 'changed', status: 'to_decide', decided_by: null, decided_at: null }
        : { type: 'decided', status: 'decided', decided_by, decided_at: now() }),
      text,
      by: decided_by,
    });
  }

  /**
   * Returns the number of open issues in the cluster that were not in it when the change was
   * planned.
   */
  async #countJoinedSince(db: Db, { change, steps }: ChangeRecord): Promise<number> {
    const memory = memoryOf(change);
    const clusterId = await this.#currentCluster(db, change.account_id, memory);
    if (clusterId === undefined) return 0;
    return store.countOtherOpenIssues(db, change.account_id, clusterId, [
      memory.canonical_id,
      ...steps.map(({ target_issue_id: id }) => id),
      ...memory.left_out.map(({ issue_id: id }) => id),
      ...memory.not_chosen,
    ]);
  }

  /**
   * Returns the id of the cluster. If that cluster has ended, returns the id of the one that
   * contains its canonical issue.
   */
  async #currentCluster(
    db: Db,
    accountId: string,
    { cluster_id, canonical_id }: ClusterMemory,
  ): Promise<string | undefined> {
    const own = await store.findCluster(db, accountId, cluster_id);
    return own?.id ?? (await store.clustersOf(db, accountId, [canonical_id])).get(canonical_id);
  }

  /**
   * Sets the status of the cluster. If that cluster has ended, sets the status of the one that
   * contains its canonical issue.
   */
  async #setStatus(
    db: Db,
    accountId: string,
    memory: ClusterMemory,
    {
      type,
      text,
      by,
      ...values
    }: Pick<store.StoredCluster, 'status' | 'decided_by' | 'decided_at'> &
      Pick<store.ClusterEventRow, 'type' | 'text' | 'by'>,
  ): Promise<void> {
    const id = await this.#currentCluster(db, accountId, memory);
    // Also stores the status of the ended cluster, because the cluster may form again.
    if (id !== memory.cluster_id) await store.changeCluster(db, accountId, memory.cluster_id, values);
    if (id === undefined) return;
    await store.changeCluster(db, accountId, id, values);
    await store.addEvents(db, accountId, [{ cluster_id: id, type, text, by, at: this.#options.now() }]);
  }

  /**
   * Throws unless the cluster is undecided.
   * @throws {AppError} `conflict`
   */
  async #expectUndecided(db: Db, accountId: string, clusterId: string): Promise<void> {
    const cluster = await store.findCluster(db, accountId, clusterId);
    if (cluster && cluster.status !== 'to_decide') throw notOpen(cluster.status);
  }

  async #proposalsFor(db: Db, accountId: string, clusterId: string): Promise<string[]> {
    const proposals = await this.#options.ledger.listProposals(db, accountId, 'cluster', []);
    return proposals.filter((proposal) => memoryOf(proposal).cluster_id === clusterId).map(({ id }) => id);
  }

  /**
   * Returns the requested issues that are not in the cluster, each with the reason for skipping it.
   */
  async #nonMembers(
    accountId: string,
    requested: readonly string[],
    members: ReadonlyMap<string, IssueView>,
  ): Promise<LeftOut[]> {
    const others = [...new Set(requested)].filter((id) => !members.has(id));
    const found = await findIssues(this.#options.db, accountId, others);
    return others.map((id) => {
      const key = found.find((issue) => issue.id === id)?.key;
      return key === undefined
        ? { issue_id: id, key: '', reason: 'An issue was removed from its tracker or is out of scope.' }
        : { issue_id: id, key, reason: `${key} is not in this cluster.` };
    });
  }
}

/**
 * Returns the canonical issue: the wanted one, otherwise the one that a user chose, otherwise the
 * proposed one.
 * @throws {AppError} `conflict` if there is none; `invalid` if the wanted issue is not in the
 * cluster
 */
function canonicalOf(
  cluster: store.StoredCluster,
  memberIds: readonly string[],
  wanted: string | undefined,
): string {
  if (wanted !== undefined && !memberIds.includes(wanted)) {
    throw invalid([{ path: 'canonical_id', message: 'The issue is not in this cluster.' }]);
  }
  const chosen = [wanted, cluster.chosen_canonical, cluster.proposed_canonical].find(
    (id) => id !== null && id !== undefined && memberIds.includes(id),
  );
  if (!chosen) {
    throw conflict(
      'no_canonical',
      'No issue of this cluster qualifies as the canonical one. Choose the canonical issue yourself.',
    );
  }
  return chosen;
}

/** Returns the ids of issues with a step of this action in one of these statuses. */
function targetsOf(
  { steps }: ChangeRecord,
  wanted: 'reopen' | 'close_as_duplicate',
  statuses: readonly StepStatus[],
): string[] {
  return steps
    .filter(({ action, status }) => action === wanted && statuses.includes(status))
    .map(({ target_issue_id: id }) => id);
}

/** Returns the plan with the caller's reason in front of the generated rationale. */
function withReason(plan: ClusterPlan, reason: string | undefined): ClusterPlan {
  const reasons = [reason, plan.rationale].filter((text) => text);
  return { ...plan, rationale: reasons.length === 0 ? null : reasons.join('\n') };
}

function closable(issue: IssueView): ClosableIssue {
  return {
    id: issue.id,
    key: issue.key,
    title: issue.title,
    description: issue.description,
    url: issue.url,
    state: issue.state,
    isDuplicate: issue.is_duplicate || issue.duplicate_of !== null,
    trackerId: issue.tracker_id,
    trackerLabel: trackerLabel(issue),
    contentHash: issue.content_hash,
  };
}

/** Returns the payload of a change that resolves a cluster. */
function memoryOf({ payload }: { payload: unknown }): ClusterMemory {
  return clusterMemory.parse(payload);
}
