import type { Calibration } from '@winnow/analysis/calibration';
import type { ProposalPayload, ResolutionPayload } from '@winnow/contract/change';
import type { Evidence, PairsQuery } from '@winnow/contract/duplicate';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import { skipOf } from '@winnow/contract/primitives';
import {
  type ChangePlan,
  type ChangeRecord,
  type ChangeRequest,
  type KindHandler,
  type Ledger,
  type PlannedStep,
  type ResultingTexts,
  writeConflict,
} from '../changes/index.ts';
import {
  findHeadlines,
  findIssues,
  findIssuesByKey,
  type IssueHeadline,
  type Issues,
  type IssueView,
  trackerLabel,
} from '../issues/index.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { calibrationOf } from './judgments/store.ts';
import {
  planClose,
  planDeconflict,
  planMerge,
  planUnrelated,
  type ResolutionMemory,
  type ResolutionPlan,
  type ResolvableIssue,
  resolutionMemory,
  rootOf,
  withComments,
} from './plan-resolution.ts';
import { queueThresholdOf, setQueueThreshold } from './queue-threshold-store.ts';
import { dismissSeries } from './series-store.ts';
import * as store from './store.ts';

/** A pair with its two issues, older issue first. */
export interface PairView<IssueOfPair = IssueHeadline> extends store.KnownPair {
  first: IssueOfPair;
  second: IssueOfPair;
}

/** A pair with the data that explains its scores. */
export interface PairDetails {
  pair: PairView<IssueView>;
  evidence: Evidence;
  /** Words that occur in both titles. Words that are rare in the account come first. */
  sharedTitleWords: string[];
  /**
   * Calibration that was applied to the probability, and the number of judgments to which it was
   * fitted.
   */
  calibration: Calibration & { judged: number };
}

export interface DuplicatesOptions {
  db: Db;
  issues: Issues;
  ledger: Ledger;
  now: () => Date;
  /**
   * Returns the evidence for the similarity of two texts. Terms are weighted by their frequency in
   * the account.
   */
  explain: (accountId: string, first: IssueView, second: IssueView) => Promise<Evidence>;
  /** Returns the words that occur in both titles. Words that are rare in the account come first. */
  sharedTitleWords: (accountId: string, first: IssueView, second: IssueView) => Promise<string[]>;
  /** Called in the transaction that records or undoes a decision about pairs. */
  onDecided: (db: Db, accountId: string) => Promise<void>;
  /** Enqueues the analysis, which also scores pairs that it did not find itself. */
  requestAnalysis: (db: Db, accountId: string) => Promise<void>;
}

/** Pairs of similar issues and the decisions about them. */
export class Duplicates implements KindHandler {
  readonly #options: DuplicatesOptions;

  constructor(options: DuplicatesOptions) {
    this.#options = options;
  }

  async list(
    accountId: string,
    query: PairsQuery,
  ): Promise<{ pairs: PairView[]; total: number; modelUsed: string; mark: number }> {
    const { db, issues } = this.#options;
    const projectIds = await issues.resolveProjects(accountId, query.project_ids);
    const filter: store.PairFilter = {
      status: query.status,
      resolution: query.resolution,
      threshold: query.similarity_threshold,
      probability: query.above_mark ? 'mark' : query.probability_threshold,
      standing: query.standing,
      order: query.order_by,
      onePerSeries: query.one_per_series,
      scope: query.scope,
      projectIds,
      query: query.query,
      dismissed: query.dismissed,
      undone: query.undone,
    };
    const findsNothing = query.project_ids.length > 0 && projectIds.length === 0;
    const [modelUsed, { rows, total, mark }] = await Promise.all([
      issues.modelOfPairs(accountId),
      findsNothing
        ? { rows: [], total: 0, mark: await queueThresholdOf(db, accountId) }
        : store.listPairs(db, accountId, filter, { limit: query.limit, skip: skipOf(query) }),
    ]);
    const pairs = await this.#withIssues(accountId, rows, findHeadlines(db, accountId, idsOf(rows)));
    return { pairs, total, modelUsed, mark };
  }

  /**
   * Returns a pair with both texts, the evidence and the calibration. Throws `not_found` for an
   * unknown pair.
   */
  async detail(accountId: string, pairId: string): Promise<PairDetails> {
    const { db } = this.#options;
    const row = await store.findPairById(db, accountId, pairId);
    if (!row) throw notFound();
    const issues = findIssues(db, accountId, [row.issue_a, row.issue_b]);
    const [pair] = await this.#withIssues(accountId, [row], issues);
    if (!pair) throw notFound();
    const [evidence, sharedTitleWords, calibration] = await Promise.all([
      this.#options.explain(accountId, pair.first, pair.second),
      this.#options.sharedTitleWords(accountId, pair.first, pair.second),
      calibrationOf(db, accountId),
    ]);
    return { pair, evidence, sharedTitleWords, calibration };
  }

  /** Returns the most likely pairs of one issue. */
  async listPairsOfIssue(accountId: string, issueId: string, limit: number): Promise<PairView[]> {
    const { db } = this.#options;
    const rows = await store.pairsOfIssue(db, accountId, issueId, limit);
    return this.#withIssues(accountId, rows, findHeadlines(db, accountId, idsOf(rows)));
  }

  /** Sets the account's queue threshold. Null restores the default. */
  setQueueThreshold(accountId: string, mark: number | null): Promise<void> {
    return setQueueThreshold(this.#options.db, accountId, mark);
  }

  /** Hides a pair from lists, or restores it. Throws `not_found` for an unknown pair. */
  async setDismissed(accountId: string, issueId: string, otherId: string, dismissed: boolean): Promise<void> {
    const { db, onDecided } = this.#options;
    const there = await store.decidePair(db, accountId, issueId, otherId, { dismissed });
    if (!there) throw notFound();
    await onDecided(db, accountId);
  }

  /**
   * Hides all pairs of a series from lists, including future ones, or restores them. Throws
   * `not_found` for an unknown series.
   */
  async setSeriesDismissed(accountId: string, seriesId: string, dismissed: boolean): Promise<void> {
    const { db, onDecided } = this.#options;
    const there = await db
      .transaction()
      .execute((transaction) => dismissSeries(transaction, accountId, seriesId, dismissed));
    if (!there) throw notFound();
    await onDecided(db, accountId);
  }

  async #withIssues<T extends { id: string; created_at: Date }>(
    accountId: string,
    rows: readonly store.PairRow[],
    finding: Promise<readonly T[]>,
  ): Promise<PairView<T>[]> {
    const { db } = this.#options;
    const [issues, known] = await Promise.all([finding, store.withSeriesAndJudgments(db, accountId, rows)]);
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    return known.flatMap((pair) => {
      const first = byId.get(pair.row.issue_a);
      const second = byId.get(pair.row.issue_b);
      if (!first || !second) return [];
      const [older, newer] = inOrder(first, second);
      return [{ ...pair, first: older, second: newer }];
    });
  }

  async statistics(
    accountId: string,
    filter: Pick<PairsQuery, 'status' | 'scope' | 'above_mark'> & {
      projectReferences: readonly string[];
      threshold: number;
      probability: number;
      standing?: PairsQuery['standing'];
      onePerSeries: boolean;
    },
  ): Promise<{ projects: store.ProjectStatistics[]; mark: number }> {
    const { db, issues } = this.#options;
    const projectIds = await issues.resolveProjects(accountId, filter.projectReferences);
    const findsNothing = filter.projectReferences.length > 0 && projectIds.length === 0;
    const probability = filter.above_mark ? 'mark' : filter.probability;
    const counted = { ...filter, standing: filter.standing, probability, projectIds } as const;
    const [projects, mark] = await Promise.all([
      findsNothing ? [] : store.projectStatistics(db, accountId, counted),
      queueThresholdOf(db, accountId),
    ]);
    return { projects, mark };
  }

  /**
   * Plans the resolution of a pair without saving it. Throws `not_found` for an unknown issue, and
   * `conflict` if the pair cannot be resolved in this way.
   */
  async plan(accountId: string, payload: ResolutionPayload): Promise<ResolutionPlan> {
    return withComments(await this.#planned(accountId, payload), payload.comments ?? {});
  }

  async #planned(accountId: string, payload: ResolutionPayload): Promise<ResolutionPlan> {
    if (payload.issue1_id === payload.issue2_id) {
      throw invalid([{ path: 'issue2_id', message: 'The two issues must differ.' }]);
    }
    const found = await findIssues(this.#options.db, accountId, [payload.issue1_id, payload.issue2_id]);
    const first = found.find((issue) => issue.id === payload.issue1_id);
    const second = found.find((issue) => issue.id === payload.issue2_id);
    if (!first || !second) throw notFound();
    if ((first.issue_type === CHANGE_REQUEST) !== (second.issue_type === CHANGE_REQUEST)) {
      const message = 'A change request and an issue are never duplicates of each other.';
      throw invalid([{ path: 'issue2_id', message }]);
    }
    const [a, b] = [resolvable(first), resolvable(second)];
    const rootedAt = (start: ResolvableIssue) =>
      rootOf(start, (key, from) => this.#follow(accountId, key, from));
    const texts = resultingTexts(payload);
    switch (payload.resolution) {
      case 'close_a':
        return planClose(a, b, await rootedAt(b));
      case 'close_b':
        return planClose(b, a, await rootedAt(a));
      case 'merge_b_to_a':
        return planMerge(b, a, await rootedAt(a), texts.first);
      case 'merge_a_to_b':
        return planMerge(a, b, await rootedAt(b), texts.second);
      case 'deconflict':
        return planDeconflict(a, b, texts);
      case 'unrelated':
        return planUnrelated(a, b);
    }
  }

  /**
   * Resolves a pair, or proposes its resolution. Returns the change when it is settled, or in its
   * current state after the maximum wait; a live event then reports the result. Throws `conflict`
   * if the pair is resolved or being resolved, or if a proposal for it is pending.
   */
  async resolve(accountId: string, asked: ChangeRequest, payload: ProposalPayload): Promise<ChangeRecord> {
    return this.#options.ledger.carryOut(accountId, asked, {
      issueIds: [payload.issue1_id, payload.issue2_id],
      plan: async () => withReason(await this.plan(accountId, payload), payload.reason),
      seen: payload.base_hashes,
    });
  }

  /**
   * Updates the pairs of these issues when issues are stored, before the analysis runs. If an issue
   * that Winnow closed is open again, a user disagreed: its pair is reopened and not suggested
   * again.
   *
   * Takes the pair lock until the transaction ends, even if `issueIds` is empty.
   */
  async onIssuesChanged(db: Db, accountId: string, issueIds: readonly string[]): Promise<void> {
    await store.refreshPairStates(db, accountId, issueIds);
    await store.reopenVetoed(db, accountId, issueIds);
  }

  /** True if a decision about any pair of these issues was undone. */
  wasUndoneAmong(db: Db, accountId: string, issueIds: readonly string[]): Promise<boolean> {
    return store.wasUndoneAmong(db, accountId, issueIds);
  }

  /**
   * Records the outcome of a resolution. After it was applied, stores the resolution of the pair
   * and rejects other proposals about the pair. After an undo, reopens the pair. Called by the
   * ledger.
   */
  async onSettled(db: Db, record: ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    const memory = memoryOf(record.change);
    const { account_id: accountId, id: changeId, decided_by, decided_by_type } = record.change;
    await this.#options.onDecided(db, accountId);
    const [issueId, otherId] = memory.issue_ids;
    if (outcome === 'undone') {
      await store.reopenPair(db, accountId, issueId, otherId, changeId);
      return;
    }
    const { isNew } = await store.ensurePairs(db, accountId, issueId, [otherId], this.#options.now());
    if (isNew) await this.#options.requestAnalysis(db, accountId);
    await store.decidePair(db, accountId, issueId, otherId, {
      resolution: memory.resolution,
      change_id: changeId,
    });
    const proposals = await this.#proposalsFor(db, accountId, memory);
    await this.#options.ledger.rejectSuperseded(db, accountId, proposals, { decided_by, decided_by_type });
  }

  /**
   * Resolves the pairs whose issues a cluster's change closed. Called in the transaction that
   * completes the change.
   */
  async closePairs(db: Db, accountId: string, closed: store.ClosedPairs): Promise<void> {
    const { originalId, closedIds } = closed;
    const { isNew } = await store.ensurePairs(db, accountId, originalId, closedIds, this.#options.now());
    if (isNew) await this.#options.requestAnalysis(db, accountId);
    await store.closePairs(db, accountId, closed);
    await this.#options.onDecided(db, accountId);
  }

  /** Restores the pairs whose issues the undo of a cluster's change reopened. */
  async restorePairs(db: Db, accountId: string, reopened: store.ClosedPairs): Promise<void> {
    await store.lockPairs(db, accountId);
    await store.restorePairs(db, accountId, reopened);
    await this.#options.onDecided(db, accountId);
  }

  /**
   * Refuses a change if another change to the pair or its issues was saved first. If a decision
   * about the pair or its cluster was undone, agents cannot decide about it again. Called by the
   * ledger.
   */
  async guard(db: Db, accountId: string, plan: ChangePlan, { actor, as }: ChangeRequest): Promise<void> {
    const memory = memoryOf(plan);
    const [issueId, otherId] = memory.issue_ids;
    const { ledger } = this.#options;
    const [concerned] = closingsOf(plan.steps);
    for (const record of await ledger.listApplying(db, accountId)) {
      if (isDeciding(record, memory)) {
        throw writeConflict(
          'being_resolved',
          'This pair is being resolved by another request.',
          record.change.id,
        );
      }
      const steps = record.steps.map(({ action, target_issue_id, target_key, after, result }) => {
        return { action, issueId: target_issue_id, key: target_key, after, memory: result };
      });
      const closed = closingsOf(steps).find(
        ({ id, originalId }) =>
          [concerned?.id, concerned?.originalId].includes(id) || originalId === concerned?.id,
      );
      if (closed) {
        const sentence = `${closed.key} is being closed as a duplicate of ${closed.original}.`;
        throw writeConflict('being_closed', sentence, record.change.id);
      }
    }
    await ledger.expectFree(db, accountId, plan);
    // Read only now: a change that was applied during the checks above has already resolved the
    // pair.
    const pair = await store.findPair(db, accountId, issueId, otherId);
    if (pair?.resolution) throw conflict('already_resolved', 'This pair is already resolved.');
    const wasUndone = async () =>
      pair?.undone || (await ledger.wasUndoneTogether(db, accountId, 'cluster', memory.issue_ids));
    if (actor.type !== 'user' && (await wasUndone())) {
      throw conflict(
        'decision_undone',
        'A decision about this pair was undone, so only people can decide about it again.',
      );
    }
    if (as !== 'proposed') return;
    if ((await this.#proposalsFor(db, accountId, memory)).length > 0) {
      throw conflict(
        'already_proposed',
        'A change to this pair is already proposed. Decide on that one first.',
      );
    }
  }

  async #proposalsFor(db: Db, accountId: string, memory: ResolutionMemory): Promise<string[]> {
    const proposals = await this.#options.ledger.listProposals(db, accountId, 'resolution', memory.issue_ids);
    return proposals.filter((proposal) => isAboutSame(memoryOf(proposal), memory)).map(({ id }) => id);
  }

  /**
   * Returns the original of a closed duplicate. If Winnow closed the duplicate, this is the
   * original stored with the close. Otherwise, it is the issue with this key in the same tracker.
   */
  async #follow(accountId: string, key: string, from: ResolvableIssue): Promise<ResolvableIssue | null> {
    const { db, ledger } = this.#options;
    const known = await ledger.originalOf(accountId, from.id, key);
    const candidates =
      known === null ? await findIssuesByKey(db, accountId, key) : await findIssues(db, accountId, [known]);
    const found = candidates.find(({ id, tracker_id }) => id === known || tracker_id === from.trackerId);
    return found ? resolvable(found) : null;
  }
}

/** Returns the plan with the caller's reason in front of the generated rationale. */
function withReason(plan: ResolutionPlan, reason: string | undefined): ResolutionPlan {
  const reasons = [reason, plan.rationale].filter((text) => text);
  return { ...plan, rationale: reasons.length === 0 ? null : reasons.join('\n') };
}

function idsOf(rows: readonly store.PairRow[]): string[] {
  return [...new Set(rows.flatMap((row) => [row.issue_a, row.issue_b]))];
}

/**
 * Returns two issues with the older one first. Issues created at the same moment are ordered by id.
 */
function inOrder<T extends { id: string; created_at: Date }>(one: T, other: T): [T, T] {
  const difference = one.created_at.getTime() - other.created_at.getTime();
  return difference < 0 || (difference === 0 && one.id < other.id) ? [one, other] : [other, one];
}

function resolvable(issue: IssueView): ResolvableIssue {
  return {
    id: issue.id,
    key: issue.key,
    title: issue.title,
    description: issue.description,
    url: issue.url,
    state: issue.state,
    trackerId: issue.tracker_id,
    trackerLabel: trackerLabel(issue),
    contentHash: issue.content_hash,
    isDuplicate: issue.is_duplicate,
    duplicateOf: issue.duplicate_of,
  };
}

function resultingTexts(payload: ResolutionPayload): { first: ResultingTexts; second: ResultingTexts } {
  return {
    first: {
      title: payload.resulting_issue_1_title,
      description: payload.resulting_issue_1_description,
    },
    second: {
      title: payload.resulting_issue_2_title,
      description: payload.resulting_issue_2_description,
    },
  };
}

/** Returns the issues that the steps close as duplicates, each with its original. */
function closingsOf(steps: readonly Omit<PlannedStep, 'before'>[]) {
  return steps
    .filter(({ action }) => action === 'close_as_duplicate')
    .map(({ issueId: id, key, after, memory }) => {
      return { id, key, original: after.duplicate_of ?? '', originalId: memory?.original_id ?? '' };
    });
}

/**
 * True if the change decides about the pair: it resolves this pair, or a cluster that contains both
 * issues.
 */
function isDeciding({ change, steps }: ChangeRecord, memory: ResolutionMemory): boolean {
  if (change.kind === 'resolution') return isAboutSame(memoryOf(change), memory);
  const written = new Set(steps.map(({ target_issue_id: id }) => id));
  return change.kind === 'cluster' && memory.issue_ids.every((id) => written.has(id));
}

function isAboutSame(one: ResolutionMemory, other: ResolutionMemory): boolean {
  return one.issue_ids.every((issueId) => other.issue_ids.includes(issueId));
}

function memoryOf({ payload }: { payload: unknown }): ResolutionMemory {
  return resolutionMemory.parse(payload);
}
