import type { BaseHashes, ResolutionPayload, ResolutionResult } from '@winnow/contract/change';
import type { Evidence, PairsQuery } from '@winnow/contract/duplicate';
import { skipOf } from '@winnow/contract/primitives';
import type { Actor, ChangeRecord, Ledger } from '../changes/ledger.ts';
import type { ChangePlan, PlannedStep } from '../changes/plan.ts';
import {
  findHeadlines,
  findIssues,
  findIssuesByKey,
  type IssueHeadline,
  type Issues,
  type IssueView,
} from '../issues/service.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import {
  loserOf,
  planClose,
  planUnrelated,
  type ResolutionMemory,
  type ResolutionPlan,
  type ResolvableIssue,
  resolutionMemory,
  rootOf,
} from './plan-resolution.ts';
import * as store from './store.ts';

/** The type of pull and merge requests. */
const CHANGE_REQUEST = 'change_request';
/** How long a resolving call waits for the tracker before it answers 202. */
const APPLY_WAIT_MS = 10_000;

/** A pair with its two issues, the older one first. */
export interface PairView<IssueOfPair = IssueHeadline> {
  row: store.PairRow;
  first: IssueOfPair;
  second: IssueOfPair;
}

export interface DuplicatesOptions {
  db: Db;
  issues: Issues;
  ledger: Ledger;
  now: () => Date;
  /** Why two texts look alike, by what the account's corpus holds to be telling. */
  explain: (accountId: string, first: IssueView, second: IssueView) => Promise<Evidence>;
}

/** Pairs of similar issues, and what people decide about them. */
export class Duplicates {
  readonly #options: DuplicatesOptions;

  constructor(options: DuplicatesOptions) {
    this.#options = options;
  }

  async list(
    accountId: string,
    query: PairsQuery,
  ): Promise<{ pairs: PairView[]; total: number; modelUsed: string }> {
    const { db, issues } = this.#options;
    const projectIds = await issues.resolveProjects(accountId, query.project_ids);
    const filter: store.PairFilter = {
      status: query.status,
      resolution: query.resolution,
      threshold: query.similarity_threshold,
      scope: query.scope,
      projectIds,
      query: query.query,
      dismissed: query.dismissed,
      undone: query.undone,
    };
    const findsNothing = query.project_ids.length > 0 && projectIds.length === 0;
    const [modelUsed, { rows, total }] = await Promise.all([
      issues.modelOfPairs(accountId),
      findsNothing
        ? { rows: [], total: 0 }
        : store.listPairs(db, accountId, filter, { limit: query.limit, skip: skipOf(query) }),
    ]);
    return { pairs: withIssues(rows, await findHeadlines(db, accountId, idsOf(rows))), total, modelUsed };
  }

  /** A pair with both texts and why they look alike. 404 when there is none. */
  async detail(
    accountId: string,
    pairId: string,
  ): Promise<{ pair: PairView<IssueView>; evidence: Evidence }> {
    const { db } = this.#options;
    const row = await store.findPairById(db, accountId, pairId);
    if (!row) throw notFound();
    const [pair] = withIssues([row], await findIssues(db, accountId, [row.issue_a, row.issue_b]));
    if (!pair) throw notFound();
    return { pair, evidence: await this.#options.explain(accountId, pair.first, pair.second) };
  }

  /** The best pairs of one issue. */
  async ofIssue(accountId: string, issueId: string, limit: number): Promise<PairView[]> {
    const { db } = this.#options;
    const rows = await store.pairsOfIssue(db, accountId, issueId, limit);
    return withIssues(rows, await findHeadlines(db, accountId, idsOf(rows)));
  }

  /** Hides a pair from lists, or shows it again. 404 when there is no such pair. */
  async setDismissed(accountId: string, issueId: string, otherId: string, dismissed: boolean): Promise<void> {
    const there = await store.decidePair(this.#options.db, accountId, issueId, otherId, { dismissed });
    if (!there) throw notFound();
  }

  async statistics(
    accountId: string,
    filter: { projectReferences: readonly string[]; status: PairsQuery['status']; threshold: number },
  ): Promise<store.ProjectStatistics[]> {
    const projectIds = await this.#options.issues.resolveProjects(accountId, filter.projectReferences);
    if (filter.projectReferences.length > 0 && projectIds.length === 0) return [];
    return store.projectStatistics(this.#options.db, accountId, { ...filter, projectIds });
  }

  /** The change a resolution would make, unsaved. 404 for an issue that is not there, 409 when it makes no sense. */
  async plan(accountId: string, payload: ResolutionPayload): Promise<ResolutionPlan> {
    if (payload.issue1_id === payload.issue2_id) {
      throw invalid([{ path: 'issue2_id', message: 'Name two different issues.' }]);
    }
    const found = await findIssues(this.#options.db, accountId, [payload.issue1_id, payload.issue2_id]);
    const first = found.find((issue) => issue.id === payload.issue1_id);
    const second = found.find((issue) => issue.id === payload.issue2_id);
    if (!first || !second) throw notFound();
    if ((first.issue_type === CHANGE_REQUEST) !== (second.issue_type === CHANGE_REQUEST)) {
      const message = 'A change request and an issue are never duplicates of each other.';
      throw invalid([{ path: 'issue2_id', message }]);
    }
    const losing = loserOf(payload.resolution);
    if (losing === null) return planUnrelated(resolvable(first), resolvable(second));
    const loser = resolvable(losing === 'first' ? first : second);
    const survivor = resolvable(losing === 'first' ? second : first);
    const original = await rootOf(survivor, (key, from) => this.#follow(accountId, key, from));
    return planClose(loser, survivor, original);
  }

  /**
   * Resolves a pair: saves the change and waits up to ten seconds for the tracker. `settled` tells whether it is
   * through; if not, the live channel tells when it is. 409 when the pair is resolved already, or just being resolved.
   */
  async resolve(
    accountId: string,
    actor: Actor,
    payload: ResolutionPayload,
  ): Promise<{ result: ResolutionResult; settled: boolean }> {
    const { ledger } = this.#options;
    const plan = await this.plan(accountId, payload);
    const seen: BaseHashes | undefined = payload.base_hashes;
    const guard = (transaction: Db) => this.#refuseSecond(transaction, accountId, payload, plan);
    await guard(this.#options.db);
    const changeId = await ledger.submit(accountId, actor, plan, seen, guard);
    const record = await ledger.whenSettled(accountId, changeId, APPLY_WAIT_MS);
    return {
      settled: record.change.status !== 'applying',
      result: {
        issue1_id: payload.issue1_id,
        issue2_id: payload.issue2_id,
        resolution: plan.payload.resolution,
        change_id: changeId,
        summary: record.change.title,
        status: record.change.status,
        steps: record.steps.map(({ id, action, target_key, status, error }) => ({
          id,
          action,
          target_key,
          status,
          error,
        })),
      },
    };
  }

  /**
   * Keeps lists by state right at once, before the analysis runs; also without issues it keeps others from writing pairs
   * until the transaction ends. Called by the intake.
   */
  async onIssuesChanged(db: Db, accountId: string, issueIds: readonly string[]): Promise<void> {
    await store.refreshPairStates(db, accountId, issueIds);
  }

  /** Marks the pair of a resolution that was applied, or opens it again when it was undone. Called by the ledger. */
  async onSettled(db: Db, record: ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    const memory = memoryOf(record);
    const accountId = record.change.account_id;
    const [issueId, otherId] = memory.issue_ids;
    if (outcome === 'undone') {
      await store.reopenPair(db, accountId, issueId, otherId, record.change.id);
      return;
    }
    await store.ensurePair(db, accountId, issueId, otherId, this.#options.now());
    await store.decidePair(db, accountId, issueId, otherId, {
      resolution: memory.resolution,
      change_id: record.change.id,
    });
  }

  /** Of people who resolve the same pair, or close the same issue, at once, the first one wins. */
  async #refuseSecond(
    db: Db,
    accountId: string,
    { issue1_id, issue2_id }: ResolutionPayload,
    plan: ChangePlan,
  ): Promise<void> {
    const concerned = closingOf(plan.steps);
    for (const record of await this.#options.ledger.underWay(db, accountId)) {
      if (record.change.kind !== 'resolution') continue;
      const other = memoryOf(record).issue_ids;
      if (other.includes(issue1_id) && other.includes(issue2_id)) {
        throw conflict('being_resolved', 'This pair is being resolved just now.');
      }
      const closed = closingOf(
        record.steps.map(({ action, target_issue_id, target_key, after, result }) => {
          return { action, issueId: target_issue_id, key: target_key, after, memory: result };
        }),
      );
      if (closed && concerned && (closed.id === concerned.id || closed.id === concerned.originalId)) {
        throw conflict('being_closed', `${closed.key} is being closed as a duplicate of ${closed.original}.`);
      }
    }
    // Looked up last: what was settled since the look above has marked its pair.
    const pair = await store.findPair(db, accountId, issue1_id, issue2_id);
    if (pair?.resolution) throw conflict('already_resolved', 'This pair is resolved already.');
  }

  /** The issue that `from` was closed towards: as we closed it, else the one of its own tracker that has the key. */
  async #follow(accountId: string, key: string, from: ResolvableIssue): Promise<ResolvableIssue | null> {
    const { db, ledger } = this.#options;
    const known = await ledger.originalOf(accountId, from.id, key);
    const candidates =
      known === null ? await findIssuesByKey(db, accountId, key) : await findIssues(db, accountId, [known]);
    const found = candidates.find(({ id, tracker_id }) => id === known || tracker_id === from.trackerId);
    return found ? resolvable(found) : null;
  }
}

function idsOf(rows: readonly store.PairRow[]): string[] {
  return [...new Set(rows.flatMap((row) => [row.issue_a, row.issue_b]))];
}

function withIssues<T extends { id: string; created_at: Date }>(
  rows: readonly store.PairRow[],
  issues: readonly T[],
): PairView<T>[] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  return rows.flatMap((row) => {
    const first = byId.get(row.issue_a);
    const second = byId.get(row.issue_b);
    if (!first || !second) return [];
    const [older, newer] = inOrder(first, second);
    return [{ row, first: older, second: newer }];
  });
}

/** The older of two issues first; by id when they are of the same moment. */
function inOrder<T extends { id: string; created_at: Date }>(one: T, other: T): [T, T] {
  const difference = one.created_at.getTime() - other.created_at.getTime();
  return difference < 0 || (difference === 0 && one.id < other.id) ? [one, other] : [other, one];
}

function resolvable(issue: IssueView): ResolvableIssue {
  return {
    id: issue.id,
    key: issue.key,
    title: issue.title,
    url: issue.url,
    state: issue.state,
    trackerId: issue.tracker_id,
    contentHash: issue.content_hash,
    isDuplicate: issue.is_duplicate,
    duplicateOf: issue.duplicate_of,
  };
}

/** Which issue steps close, and as a duplicate of which; null when they close none. */
function closingOf(steps: readonly Omit<PlannedStep, 'before'>[]) {
  const step = steps.find(({ action }) => action === 'close_as_duplicate');
  if (!step) return null;
  const { issueId: id, key, after, memory } = step;
  return { id, key, original: after.duplicate_of ?? '', originalId: memory?.original_id ?? '' };
}

function memoryOf(record: ChangeRecord): ResolutionMemory {
  return resolutionMemory.parse(record.change.payload);
}
