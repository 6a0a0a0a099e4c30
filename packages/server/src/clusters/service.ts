import { randomUUID } from 'node:crypto';
import { type Cohesion, type Constraint, cohesionOf, type Fact } from '@winnow/analysis/clusters';
import type { ClusterPatch, ClustersQuery, ReviewRequest } from '@winnow/contract/cluster';
import { CLAIM_MINUTES } from '@winnow/contract/cluster';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { LiveEvent } from '@winnow/contract/live';
import { skipOf } from '@winnow/contract/primitives';
import type { Actor } from '../changes/index.ts';
import { findHeadlines, type IssueHeadline, type Issues } from '../issues/index.ts';
import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import { type AppError, conflict, invalid, notFound } from '../platform/errors.ts';
import type { StoredOverride } from '../schema/cluster-tables.ts';
import type { Db } from '../schema/tables.ts';
import {
  type ClusterAction,
  deleteOverrides,
  insertAction,
  overridesOf,
  restoreOverrides,
  takeAction,
} from './action-store.ts';
import { linksOf, statedConstraints } from './constraints.ts';
import { lockClusters, type PairLink, readGraph, readIssues, takeStaleIssues } from './graph-store.ts';
import { type GrownCluster, grownClusters, type Regrouped } from './growth.ts';
import * as store from './store.ts';
import { additionsTo, isClosedAmong, proposeCanonicalAmong } from './summary.ts';
import { updateClustersOf } from './update.ts';

/** A cluster with its canonical issue; null if it has none. */
export interface ClusterView {
  row: store.ClusterRow;
  canonical: { issue: IssueHeadline; chosen: boolean; reasons: string[] } | null;
}

/** A cluster with its issues and the links between them. */
export interface ClusterDetails {
  view: ClusterView;
  members: { issue: IssueHeadline; notCanonical: string | null; adds: Fact[] }[];
  pairs: PairLink[];
  /** Constraints that put members into one cluster. */
  together: Constraint[];
  cohesion: Cohesion;
  history: store.ClusterEventRow[];
}

/** Result of changing the members of clusters. */
export interface ClusterChange {
  cluster: ClusterView | null;
  others: ClusterView[];
  /**
   * Id with which {@link Clusters.undo} can undo the change; null if the change is itself an undo.
   */
  actionId: string | null;
}

/** A person or agent that decides about clusters. */
type Decider = Pick<Actor, 'name' | 'type'>;

/** The clusters decided since the start of a review, and the number of undecided ones. */
export interface ReviewState {
  decisions: store.DecidedRow[];
  left: number;
}

export interface ClustersOptions {
  db: Db;
  issues: Pick<Issues, 'resolveProjects'>;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  /**
   * Called in the transaction that stores clusters which have grown. Issues moved by people do not
   * count as growth.
   */
  onGrown: (db: Db, accountId: string, clusters: readonly GrownCluster[]) => Promise<void>;
  /** Returns the ids of clusters whose resolution, or its undo, is being written to a tracker. */
  listBusy: (db: Db, accountId: string) => Promise<ReadonlySet<string>>;
  /**
   * Rejects the proposals about a cluster, in the transaction that decides or dismisses the
   * cluster. Returns the ids of the proposals.
   */
  rejectProposals: (db: Db, accountId: string, clusterId: string, by: Decider) => Promise<string[]>;
}

type ClusterRevision = { id: string; revision: number };

/**
 * Maximum number of queued issues that one transaction processes. With more, a slow machine would
 * exceed the time limit of a transaction.
 */
const STALE_BATCH = 2_000;
const HISTORY_SHOWN = 50;
/**
 * Maximum number of issue pairs that one call separates. On a test machine, storing and clustering
 * 28,000 pairs took 1.7 s of processor time; 96,000 took 6 s.
 */
const MAX_PAIRS_APART = 40_000;
/** Time in milliseconds during which a change of cluster members can be undone. */
const ACTION_KEPT_MS = DAY_MS;

/**
 * Clusters: groups of issues that probably describe the same problem, and users' decisions about
 * them.
 */
export class Clusters {
  readonly #options: ClustersOptions;

  constructor(options: ClustersOptions) {
    this.#options = options;
  }

  /**
   * Updates the clusters of all issues whose links, texts or decisions have changed since the last
   * run. Uses short transactions, so it can be repeated after an interruption.
   */
  async update(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, now } = this.#options;
    const updateSome = async (transaction: Db) => {
      await lockClusters(transaction, accountId);
      const changed = await takeStaleIssues(transaction, accountId, STALE_BATCH);
      if (changed.length === 0) return null;
      const at = now();
      const { isChanged, regrouped } = await updateClustersOf(transaction, accountId, changed, at);
      await this.#reportGrowth(transaction, accountId, regrouped, at);
      return { isChanged };
    };
    let isChanged = false;
    for (;;) {
      signal.throwIfAborted();
      const updated = await db.transaction().execute(updateSome);
      if (updated === null) break;
      isChanged ||= updated.isChanged;
    }
    if (isChanged) await this.#announce(accountId);
  }

  /** Returns one page of clusters and the total number of clusters. */
  async list(accountId: string, query: ClustersQuery): Promise<{ clusters: ClusterView[]; total: number }> {
    const { db, issues } = this.#options;
    const projectIds = await issues.resolveProjects(accountId, query.project_ids);
    if (query.project_ids.length > 0 && projectIds.length === 0) return { clusters: [], total: 0 };
    const filter: store.ClusterFilter = {
      status: query.status,
      projectIds,
      trackerId: query.tracker_id,
      probability: query.probability_threshold,
      issueId: query.issue_id,
    };
    const page = { order: query.order_by, limit: query.limit, skip: skipOf(query) };
    const { rows, total } = await store.listClusters(db, accountId, filter, page);
    return { clusters: await this.#withCanonical(accountId, rows), total };
  }

  /**
   * Returns a cluster with its issues, links and history. Throws `not_found` for an unknown
   * cluster.
   */
  async detail(accountId: string, clusterId: string): Promise<ClusterDetails> {
    const { db } = this.#options;
    const [view] = await this.#views(accountId, [clusterId]);
    if (!view) throw notFound();
    const ids = await store.membersOf(db, accountId, clusterId);
    const [headlines, issues, graph, history] = await Promise.all([
      findHeadlines(db, accountId, ids),
      readIssues(db, accountId, ids),
      readGraph(db, accountId, [ids]),
      store.eventsOf(db, accountId, clusterId, HISTORY_SHOWN),
    ]);
    const together = statedConstraints(graph).filter(({ type }) => type === 'must');
    const { excluded } = proposeCanonicalAmong([...issues.values()]);
    const adds = additionsTo(view.canonical?.issue.id, [...issues.values()]);
    const members = headlines.map((issue) => ({
      issue,
      notCanonical: excluded.find(({ id }) => id === issue.id)?.reason ?? null,
      adds: adds.get(issue.id) ?? [],
    }));
    const isCanonical = ({ issue }: { issue: IssueHeadline }) => issue.id === view.canonical?.issue.id;
    members.sort(
      (one, other) =>
        Number(isCanonical(other)) - Number(isCanonical(one)) ||
        one.issue.created_at.getTime() - other.issue.created_at.getTime(),
    );
    const cohesion = cohesionOf(ids, linksOf(graph), together, isClosedAmong(issues.values()));
    return { view, members, pairs: graph.pairs, together, cohesion, history };
  }

  /**
   * Changes the name, the canonical issue or the status of a cluster. Throws `conflict` if the
   * cluster has another revision.
   */
  async change(
    accountId: string,
    clusterId: string,
    by: Decider,
    { revision, name, canonical_id: canonicalId, status }: ClusterPatch,
  ): Promise<ClusterView> {
    const now = this.#options.now();
    const rejected = await this.#options.db.transaction().execute(async (transaction) => {
      const pointless =
        status === 'decided' || status === 'dismissed'
          ? await this.#options.rejectProposals(transaction, accountId, clusterId, by)
          : [];
      await lockClusters(transaction, accountId);
      const cluster = await this.#expectCurrent(transaction, accountId, { id: clusterId, revision }, by);
      const canonical = canonicalId
        ? await this.#member(transaction, accountId, cluster.id, canonicalId)
        : null;
      const texts: Pick<store.ClusterEventRow, 'type' | 'text'>[] = [];
      if (name !== undefined) {
        texts.push({ type: 'named', text: name === null ? 'Restored the name.' : `Named it “${name}”.` });
      }
      if (canonicalId !== undefined) {
        const text = canonical ? `Chose ${canonical.key} as canonical issue.` : 'Restored the proposal.';
        texts.push({ type: 'canonical_chosen', text });
      }
      if (status !== undefined) texts.push(STATUS_EVENTS[status]);
      const isOpen = status === 'to_decide';
      await store.changeCluster(transaction, accountId, cluster.id, {
        ...(name === undefined ? {} : { given_name: name }),
        ...(canonicalId === undefined ? {} : { chosen_canonical: canonicalId }),
        ...(status === undefined
          ? {}
          : { status, decided_by: isOpen ? null : by.name, decided_at: isOpen ? null : now }),
      });
      await store.addEvents(
        transaction,
        accountId,
        texts.map((event) => ({ ...event, cluster_id: cluster.id, by: by.name, at: now })),
      );
      return pointless;
    });
    for (const changeId of rejected) {
      await this.#options.publish(accountId, {
        type: 'change_updated',
        change_id: changeId,
        status: 'rejected',
      });
    }
    await this.#announce(accountId);
    const [view] = await this.#views(accountId, [clusterId]);
    if (!view) throw notFound();
    return view;
  }

  /** Adds an issue to a cluster. Throws `conflict` if a decision keeps the issue apart from it. */
  async include(
    accountId: string,
    cluster: ClusterRevision,
    by: Decider,
    issueId: string,
  ): Promise<ClusterChange> {
    const [issue] = await findHeadlines(this.#options.db, accountId, [issueId]);
    if (!issue) throw notFound();
    if (issue.issue_type === CHANGE_REQUEST) {
      throw invalid([{ path: 'issue_id', message: 'A change request cannot be in a cluster.' }]);
    }
    return this.#regroup(accountId, [cluster], by, async (transaction, members) => {
      if (members.includes(issueId)) {
        throw invalid([{ path: 'issue_id', message: 'The issue is in this cluster already.' }]);
      }
      await this.#joinByOverride(transaction, accountId, [...members, issueId], by);
      return {
        event: { type: 'included', text: `Included ${issue.key}.` },
        together: [...members, issueId],
        touched: [...members, issueId],
      };
    });
  }

  /** Separates issues of a cluster from its remaining issues. */
  async separate(
    accountId: string,
    cluster: ClusterRevision,
    by: Decider,
    issueIds: readonly string[],
    path: 'issue_id' | 'issue_ids',
  ): Promise<ClusterChange> {
    const { db, now } = this.#options;
    const parted = new Set(issueIds);
    const named = await findHeadlines(db, accountId, [...parted]);
    return this.#regroup(accountId, [cluster], by, async (transaction, members) => {
      const rest = members.filter((id) => !parted.has(id));
      if (members.length - rest.length < parted.size) {
        throw invalid([{ path, message: 'Not all of these issues are in this cluster.' }]);
      }
      if (rest.length === 0) throw invalid([{ path, message: 'Leave at least one issue in the cluster.' }]);
      if (rest.length * parted.size > MAX_PAIRS_APART) {
        const most = maxSeparated(members.length);
        const message = `Separate at most ${most} of these ${members.length} issues at once, then the others.`;
        throw invalid([{ path, message }]);
      }
      const apart = [...parted];
      await store.removeOverrides(transaction, accountId, apart, rest, 'must');
      const pairs = apart.flatMap((a) => rest.map((b) => ({ a, b })));
      await store.putOverrides(transaction, accountId, pairs, { type: 'cannot', by: by.name, at: now() });
      const keys = named.map(({ key }) => key);
      return {
        event:
          path === 'issue_id'
            ? { type: 'excluded', text: `Excluded ${keys.join(', ')}.` }
            : { type: 'split', text: `Split off ${keys.length} ${keys.length === 1 ? 'issue' : 'issues'}.` },
        together: rest.slice(0, 1),
        touched: members,
      };
    });
  }

  /** Merges two clusters. Throws `conflict` if a decision keeps some of their issues apart. */
  async merge(
    accountId: string,
    cluster: ClusterRevision,
    other: ClusterRevision,
    by: Decider,
  ): Promise<ClusterChange> {
    if (cluster.id === other.id) {
      throw invalid([{ path: 'other_id', message: 'The two clusters must differ.' }]);
    }
    return this.#regroup(accountId, [cluster, other], by, async (transaction, members, stored) => {
      await this.#joinByOverride(transaction, accountId, members, by);
      const name = stored[1]?.given_name ?? stored[1]?.name ?? '';
      return {
        event: { type: 'merged', text: `Merged with “${name}”.` },
        together: members,
        touched: members,
      };
    });
  }

  /**
   * Claims an undecided cluster for a review: the review's current cluster if the request names it,
   * otherwise the most valuable cluster.
   */
  async next(
    accountId: string,
    by: Decider,
    request: ReviewRequest,
  ): Promise<{ details: ClusterDetails | null; left: number }> {
    const { db, now } = this.#options;
    const at = now();
    const { reviewer, skipped, current, project_ids: projectIds } = request;
    const { probability_threshold: probability } = request;
    const filter: store.ClusterFilter = { status: 'to_decide', projectIds, probability };
    const claimed = await db.transaction().execute(async (transaction) => {
      await lockClusters(transaction, accountId);
      const free = { ...filter, without: skipped, freeFor: { reviewer, now: at } };
      const page = { order: 'value', limit: 1, skip: 0 } as const;
      const find = async (ids?: readonly string[]) =>
        (await store.listClusters(transaction, accountId, { ...free, ids }, page)).rows[0];
      const row = (current === undefined ? undefined : await find([current])) ?? (await find());
      if (!row) {
        await store.releaseClaims(transaction, accountId, reviewer);
        return null;
      }
      const until = new Date(at.getTime() + CLAIM_MINUTES * MINUTE_MS);
      await store.claim(transaction, accountId, row.id, { reviewer, name: by.name, until });
      return row.id;
    });
    const left = await store.countClusters(db, accountId, filter);
    return { details: claimed === null ? null : await this.detail(accountId, claimed), left };
  }

  /** Releases the cluster that a review has claimed. */
  release(accountId: string, reviewer: string): Promise<void> {
    return store.releaseClaims(this.#options.db, accountId, reviewer);
  }

  /** Returns the decisions since the start of a review, and the number of clusters left. */
  async reviewed(
    accountId: string,
    query: Pick<ClustersQuery, 'project_ids' | 'tracker_id' | 'probability_threshold'> & { since: string },
  ): Promise<ReviewState> {
    const { db, issues } = this.#options;
    const projectIds = await issues.resolveProjects(accountId, query.project_ids);
    if (query.project_ids.length > 0 && projectIds.length === 0) return { decisions: [], left: 0 };
    const places = { projectIds, trackerId: query.tracker_id };
    const [decisions, left] = await Promise.all([
      store.decidedSince(db, accountId, new Date(query.since), places),
      store.countClusters(db, accountId, {
        ...places,
        status: 'to_decide',
        probability: query.probability_threshold,
      }),
    ]);
    return { decisions, left };
  }

  /**
   * Runs `act`, which changes overrides between members of the given clusters. Then clusters the
   * affected issues again. Throws `conflict` if a cluster has another revision. Also throws
   * `conflict` if a decision keeps issues apart that `act` wants to put together.
   */
  async #regroup(
    accountId: string,
    wanted: readonly ClusterRevision[],
    by: Decider,
    act: (
      transaction: Db,
      members: string[],
      stored: store.StoredCluster[],
    ) => Promise<{
      event: Pick<store.ClusterEventRow, 'type' | 'text'>;
      /**
       * Issues that must be in one cluster afterwards. The result reports that cluster as the
       * changed one.
       */
      together: string[];
      touched: string[];
    }>,
  ): Promise<ClusterChange> {
    const { db, now } = this.#options;
    const actionId = randomUUID();
    const { own, ids } = await db.transaction().execute(async (transaction) => {
      await lockClusters(transaction, accountId);
      const stored: store.StoredCluster[] = [];
      const members: string[] = [];
      for (const cluster of wanted) {
        stored.push(await this.#expectCurrent(transaction, accountId, cluster, by));
        members.push(...(await store.membersOf(transaction, accountId, cluster.id)));
      }
      const overrides = await overridesOf(transaction, accountId, members);
      const { event, together, touched } = await act(transaction, members, stored);
      const before = await store.clustersOf(transaction, accountId, touched);
      const formerly: ClusterAction['members'] = [];
      for (const id of new Set(before.values())) {
        formerly.push([id, await store.membersOf(transaction, accountId, id)]);
      }
      const [into, from] = wanted;
      const assumed = into && from ? new Map([[into.id, members]]) : new Map<string, string[]>();
      const at = now();
      const { regrouped } = await updateClustersOf(transaction, accountId, touched, at, assumed);
      await this.#reportGrowth(transaction, accountId, withoutMoves(regrouped, touched), at);
      const after = await store.clustersOf(transaction, accountId, touched);
      const result = after.get(together[0] ?? '') ?? null;
      if (together.length > 1 && together.some((id) => result === null || after.get(id) !== result)) {
        throw conflict(
          'kept_apart',
          'A decision about a pair keeps some of these issues apart. Change that decision first.',
        );
      }
      const { added, removed } = differences(overrides, await overridesOf(transaction, accountId, members));
      const action = { id: actionId, text: event.text, at, members: formerly, added, removed };
      await insertAction(transaction, accountId, action, new Date(at.getTime() - ACTION_KEPT_MS));
      const entry = { ...event, by: by.name, at };
      const concerned = [...new Set([...wanted.map(({ id }) => id), ...(result === null ? [] : [result])])];
      await store.addEvents(
        transaction,
        accountId,
        concerned.map((id) => ({ ...entry, cluster_id: id })),
      );
      return { own: result, ids: [...new Set([...before.values(), ...after.values()])] };
    });
    await this.#announce(accountId);
    const views = await this.#views(accountId, ids);
    return {
      cluster: views.find(({ row }) => row.id === own) ?? null,
      others: views.filter(({ row }) => row.id !== own),
      actionId,
    };
  }

  /**
   * Undoes an include, exclude, split or merge by restoring the overrides. Throws `not_found` for
   * an unknown action. Throws `conflict` if the overrides were changed since, or if an affected
   * cluster is being resolved.
   */
  async undo(accountId: string, actionId: string, by: Decider): Promise<ClusterChange> {
    const { db, now } = this.#options;
    const ids = await db.transaction().execute(async (transaction) => {
      await lockClusters(transaction, accountId);
      const action = await takeAction(transaction, accountId, actionId);
      if (action === undefined) throw notFound();
      const { added, removed } = action;
      const touched = [...new Set([...added, ...removed].flatMap(({ a, b }) => [a, b]))];
      const before = await store.clustersOf(transaction, accountId, touched);
      for (const id of new Set(before.values())) await this.#expectFree(transaction, accountId, id, by);
      const current = await overridesOf(transaction, accountId, touched);
      const sinceThen = differences(added, current);
      const isReplaced = (pairs: readonly StoredOverride[]) =>
        pairs.some(({ a, b }) => changedPairs.has(`${a} ${b}`));
      const changedPairs = new Set(sinceThen.added.map(({ a, b }) => `${a} ${b}`));
      if (sinceThen.removed.length > 0 || isReplaced(removed)) throw changedMeanwhile(null);
      await deleteOverrides(transaction, accountId, added);
      await restoreOverrides(transaction, accountId, removed);
      const at = now();
      const assumed = new Map(action.members);
      const { regrouped } = await updateClustersOf(transaction, accountId, touched, at, assumed);
      await this.#reportGrowth(transaction, accountId, withoutMoves(regrouped, touched), at);
      const after = await store.clustersOf(transaction, accountId, touched);
      const entry = { type: 'changed', text: `Undone: ${action.text}`, by: by.name, at } as const;
      await store.addEvents(
        transaction,
        accountId,
        [...new Set(after.values())].map((id) => ({ ...entry, cluster_id: id })),
      );
      return [...new Set([...before.values(), ...after.values()])];
    });
    await this.#announce(accountId);
    const views = await this.#views(accountId, ids);
    return { cluster: views[0] ?? null, others: views.slice(1), actionId: null };
  }

  async #reportGrowth(db: Db, accountId: string, regrouped: readonly Regrouped[], at: Date): Promise<void> {
    const grown = await grownClusters(db, accountId, regrouped, at);
    if (grown.length > 0) await this.#options.onGrown(db, accountId, grown);
  }

  /** Stores overrides that put all these issues into one cluster with the first issue. */
  async #joinByOverride(db: Db, accountId: string, issueIds: readonly string[], by: Decider): Promise<void> {
    const [first = '', ...others] = issueIds;
    await store.removeOverrides(db, accountId, issueIds, issueIds, 'cannot');
    const pairs = others.map((id) => ({ a: first, b: id }));
    await store.putOverrides(db, accountId, pairs, { type: 'must', by: by.name, at: this.#options.now() });
  }

  /**
   * Returns the stored cluster. Throws `not_found` for an unknown cluster, and `conflict` if it has
   * another revision. Also throws what {@link #expectFree} throws.
   */
  async #expectCurrent(
    db: Db,
    accountId: string,
    { id, revision }: ClusterRevision,
    by: Decider,
  ): Promise<store.StoredCluster> {
    const cluster = await this.#expectFree(db, accountId, id, by);
    if (cluster.revision !== revision) {
      const [last] = await store.eventsOf(db, accountId, id, 1);
      throw changedMeanwhile(last?.by ?? null);
    }
    return cluster;
  }

  /**
   * Returns the stored cluster. Throws `not_found` for an unknown cluster. Throws `conflict` if its
   * issues are being closed or reopened, or if an agent decides about a decided cluster.
   */
  async #expectFree(db: Db, accountId: string, id: string, by: Decider): Promise<store.StoredCluster> {
    const cluster = await store.findCluster(db, accountId, id);
    if (!cluster) throw notFound();
    if (by.type !== 'user' && cluster.status !== 'to_decide') throw notOpen(cluster.status);
    if ((await this.#options.listBusy(db, accountId)).has(id)) {
      throw conflict('being_changed', 'The issues of this cluster are being changed just now.');
    }
    return cluster;
  }

  async #member(db: Db, accountId: string, clusterId: string, issueId: string): Promise<IssueHeadline> {
    const isMember = (await store.clustersOf(db, accountId, [issueId])).get(issueId) === clusterId;
    const [issue] = isMember ? await findHeadlines(db, accountId, [issueId]) : [];
    if (!issue) throw invalid([{ path: 'canonical_id', message: 'The issue is not in this cluster.' }]);
    return issue;
  }

  async #views(accountId: string, ids: readonly string[]): Promise<ClusterView[]> {
    const filter = { ids, status: 'all', projectIds: [], probability: 0 } as const;
    const page = { order: 'value', limit: Math.max(1, ids.length), skip: 0 } as const;
    const { rows } = await store.listClusters(this.#options.db, accountId, filter, page);
    return this.#withCanonical(accountId, rows);
  }

  async #withCanonical(accountId: string, rows: readonly store.ClusterRow[]): Promise<ClusterView[]> {
    const wanted = rows.flatMap((row) => row.chosen_canonical ?? row.proposed_canonical ?? []);
    const issues = await findHeadlines(this.#options.db, accountId, wanted);
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    return rows.map((row) => {
      const chosen = row.chosen_canonical !== null;
      const issue = byId.get(row.chosen_canonical ?? row.proposed_canonical ?? '');
      const reasons = chosen ? ['A person chose it.'] : row.canonical_reasons;
      return { row, canonical: issue === undefined ? null : { issue, chosen, reasons } };
    });
  }

  /** One event serves clusters and pairs, because clients refetch both lists together. */
  async #announce(accountId: string): Promise<void> {
    await this.#options.publish(accountId, { type: 'pairs_changed', state: 'idle', progress: null });
  }
}

const STATUS_EVENTS = {
  decided: { type: 'decided', text: 'Decided.' },
  dismissed: { type: 'dismissed', text: 'Dismissed.' },
  to_decide: { type: 'reopened', text: 'Opened again.' },
} as const;

/** Creates the error for an agent that decides about a decided or dismissed cluster. */
export function notOpen(status: store.StoredCluster['status']): AppError {
  return conflict('cluster_not_open', `This cluster is ${status}, so only people can decide about it again.`);
}

/**
 * Compares two lists of overrides. Returns those only in the second list (`added`) and those only
 * in the first (`removed`).
 */
function differences(
  before: readonly StoredOverride[],
  after: readonly StoredOverride[],
): { added: StoredOverride[]; removed: StoredOverride[] } {
  const keyOf = ({ a, b, type, at }: StoredOverride) => `${a} ${b} ${type} ${at}`;
  const [had, has] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  return {
    added: after.filter((override) => !had.has(keyOf(override))),
    removed: before.filter((override) => !has.has(keyOf(override))),
  };
}

export function changedMeanwhile(by: string | null): AppError {
  const who = by === null ? 'it contains different issues' : `${by} has edited it`;
  return conflict(
    'cluster_changed',
    `This cluster has changed since you saw it: ${who}. Look at it again, then decide.`,
  );
}

/** Returns the maximum number of issues that one call can separate from a cluster of this size. */
function maxSeparated(size: number): number {
  // The smaller solution of: separated issues × remaining issues = {@link MAX_PAIRS_APART}.
  return Math.floor((size - Math.sqrt(size ** 2 - 4 * MAX_PAIRS_APART)) / 2);
}

/**
 * Treats issues that a person moved as members of their new cluster before the update too. Then
 * only issues that arrived by themselves count as growth.
 */
function withoutMoves(regrouped: readonly Regrouped[], moved: readonly string[]): Regrouped[] {
  const isMoved = new Set(moved);
  return regrouped.map((cluster) => {
    const own = new Set(cluster.own);
    return { ...cluster, own: cluster.members.filter((id) => isMoved.has(id) || own.has(id)) };
  });
}
