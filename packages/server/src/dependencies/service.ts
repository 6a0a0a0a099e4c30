import { CHANGE_STATUSES } from '@winnow/contract/change';
import type { CommitRequest, CommitResult, Dependency, NamedDependency } from '@winnow/contract/dependency';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { CostBudget, StoredModel } from '../ai/index.ts';
import {
  type ChangePlan,
  type ChangeRecord,
  type ChangeRequest,
  type KindHandler,
  type Ledger,
  writeConflict,
} from '../changes/index.ts';
import { findHeadlines, findIssues, type IssueHeadline, type IssueView } from '../issues/index.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import { createLimiter } from '../platform/limiter.ts';
import { RESPOND_AFTER_MS, withSoftDeadline } from '../platform/soft-deadline.ts';
import type { Db } from '../schema/tables.ts';
import { type ModelFindings, questionsOf } from './model-findings.ts';
import { findQuestionsAmong } from './model-request-store.ts';
import { dependencyMemory, planDependency } from './plan.ts';
import { presentDependency } from './present.ts';
import * as store from './store.ts';
import { countRead, listFindingsAmong, lockFindings } from './text-finding-store.ts';
import type { TextFindings } from './text-findings.ts';
import type { TrackerLinks } from './tracker-links.ts';

/**
 * Maximum duration of a commit call in milliseconds. Changes that are then unfinished are returned
 * as pending.
 */
const MAX_COMMIT_WAIT_MS = 10_000;

/** Maximum number of dependencies that one call commits to a tracker concurrently. */
const MAX_CONCURRENT_COMMITS = 4;

export interface DependenciesOptions {
  db: Db;
  ledger: Ledger;
  links: TrackerLinks;
  now: () => Date;
  inTexts: TextFindings;
  /** Enqueues the job that finds dependencies in the texts of an account's issues. */
  requestFinding: (accountId: string) => Promise<unknown>;
  byModel: ModelFindings;
  /** Returns the account's model; null if it is not available. */
  modelOf: (accountId: string, budget: CostBudget | null) => Promise<StoredModel | null>;
  /**
   * Returns the ids of the other issues that are nearest in meaning to the given issues, nearest
   * first.
   */
  nearestTo: (
    accountId: string,
    projectId: string,
    issueIds: readonly string[],
    limit: number,
  ) => Promise<string[]>;
}

/** A dependency to commit, with the content hashes of its two issues as the user has read them. */
export type AskedCommit = CommitRequest['dependencies'][number];

/** Result of scanning issues for dependencies. */
export interface Scan {
  dependencies: Dependency[];
  notice: string | null;
  /** True if a language model or a tracker has not responded yet. */
  checking: boolean;
}

/**
 * The known dependencies of a project and the issues that they connect. `read` is the number of
 * issues whose texts were read, `total` the number of all issues.
 */
export interface ProjectDependencies {
  dependencies: Dependency[];
  issues: IssueHeadline[];
  read: number;
  total: number;
}

/** Dependencies between issues: those found in texts, listed by trackers, or committed by users. */
export class Dependencies implements KindHandler {
  readonly #options: DependenciesOptions;
  readonly #begun = createLimiter({ concurrency: MAX_CONCURRENT_COMMITS });

  constructor(options: DependenciesOptions) {
    this.#options = options;
  }

  /**
   * Scans issues and returns the dependencies among them. Stores the dependencies found in texts.
   * With `refresh`, reads links from the trackers even if they were read recently. Ignores deleted
   * issues. Throws `not_found` if no issue exists.
   */
  async detect(
    accountId: string,
    issueIds: readonly string[],
    { budget, refresh = false }: { budget: CostBudget | null; refresh?: boolean },
  ): Promise<Scan> {
    const { db, links, inTexts } = this.#options;
    const issues = await findIssues(db, accountId, [...new Set(issueIds)]);
    if (issues.length === 0) throw notFound();
    const ids = issues.map(({ id }) => id);
    const [{ notice, reading }, checking] = await withSoftDeadline(RESPOND_AFTER_MS, (late) =>
      Promise.all([
        links.refresh(accountId, issues, { all: refresh, late }),
        inTexts.readNow(accountId, ids).then(() => this.#ask(accountId, issues, budget, late)),
      ]),
    );
    const known = await store.listAmong(db, accountId, ids);
    return { dependencies: await this.#present(accountId, known), notice, checking: reading || checking };
  }

  /**
   * Asks the account's language model, if available, for dependencies of these issues. The model's
   * answers replace stored findings of models. Returns true if the model has not answered when
   * `late` resolves.
   */
  async #ask(
    accountId: string,
    issues: readonly IssueView[],
    budget: CostBudget | null,
    late: Promise<void>,
  ): Promise<boolean> {
    const { db, byModel, modelOf } = this.#options;
    const model = await modelOf(accountId, budget);
    const ids = issues.map(({ id }) => id);
    if (model === null) {
      await this.#replaceModelFindings(accountId, [{ ids, said: [] }]);
      return false;
    }
    const found = await listFindingsAmong(db, accountId, ids);
    const read = issues.filter(({ issue_type }) => issue_type !== CHANGE_REQUEST);
    const asked = await findQuestionsAmong(db, accountId, ids);
    const questions = questionsOf(read, model, found, asked);
    const states = await byModel.resolve(accountId, questions, late);
    const answers = questions.flatMap((question, index) => {
      const state = states[index];
      return state?.state === 'answered'
        ? [{ ids: question.issues.map(({ id }) => id), said: state.answer }]
        : [];
    });
    await this.#replaceModelFindings(accountId, answers);
    return states.some(({ state }) => state === 'checking');
  }

  async #replaceModelFindings(
    accountId: string,
    answers: readonly { ids: readonly string[]; said: readonly store.FoundDependency[] }[],
  ): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await lockFindings(transaction, accountId);
      for (const { ids, said } of answers)
        await store.replaceModelFindings(transaction, accountId, ids, said);
    });
  }

  /**
   * Adds issues to a scan: those that are nearest in meaning, from the project of the last issue.
   * Returns the added issues, and the dependencies that involve an added issue. Ignores deleted
   * issues. Throws `not_found` if the last issue was deleted.
   */
  async extend(
    accountId: string,
    issueIds: readonly string[],
    extendBy: number,
    budget: CostBudget | null,
  ): Promise<Scan & { issues: IssueHeadline[] }> {
    const { db, nearestTo } = this.#options;
    const issues = await findIssues(db, accountId, [...new Set(issueIds)]);
    const last = issues.at(-1);
    if (last === undefined || last.id !== issueIds.at(-1)) throw notFound();
    const projectId = last.project_id;
    const further = await nearestTo(
      accountId,
      projectId,
      issues.map(({ id }) => id),
      extendBy,
    );
    const { dependencies, notice, checking } = await this.detect(accountId, [...issueIds, ...further], {
      budget,
    });
    const isNew = new Set(further);
    return {
      dependencies: dependencies.filter(
        ({ source_issue_id, dependent_issue_id }) =>
          isNew.has(source_issue_id) || isNew.has(dependent_issue_id),
      ),
      issues: await findHeadlines(db, accountId, further),
      notice,
      checking,
    };
  }

  /** Returns the known dependencies of one issue. */
  async listDependenciesOfIssue(accountId: string, issueId: string): Promise<Dependency[]> {
    return this.#present(accountId, await store.listOfIssue(this.#options.db, accountId, issueId));
  }

  /**
   * Returns the known dependencies of a project's issues, with the number of issues whose texts
   * were read.
   */
  async listDependenciesOfProject(accountId: string, projectId: string): Promise<ProjectDependencies> {
    const { db, requestFinding } = this.#options;
    const counts = await countRead(db, accountId, projectId);
    if (counts.read < counts.total) await requestFinding(accountId);
    const rows = await store.listOfProject(db, accountId, projectId, false);
    const ids = [
      ...new Set(rows.flatMap(({ source_issue, dependent_issue }) => [source_issue, dependent_issue])),
    ];
    const issues = await findHeadlines(db, accountId, ids);
    // Sorted, so that the layout and the choice among equally long chains are stable.
    issues.sort((one, other) => (one.key < other.key ? -1 : 1));
    return { dependencies: await this.#present(accountId, rows), issues, ...counts };
  }

  /** Returns the dismissed dependencies of a project's issues. */
  async listDismissedOfProject(accountId: string, projectId: string): Promise<Dependency[]> {
    return this.#present(accountId, await store.listOfProject(this.#options.db, accountId, projectId, true));
  }

  /**
   * Dismisses or restores a dependency. Throws `not_found` if the dependency is unknown. Throws
   * `conflict` when dismissing a dependency that is committed or listed by a tracker.
   */
  async setDismissed(accountId: string, named: NamedDependency, dismissed: boolean): Promise<void> {
    const { db } = this.#options;
    const row = await store.findDependency(db, accountId, endsOf(named));
    if (!row) throw notFound();
    if (dismissed && (row.in_tracker || row.change_id !== null)) {
      throw conflict('in_tracker', 'The tracker has this dependency. Remove it there, or undo its commit.');
    }
    await store.decideDependency(db, accountId, row, { dismissed });
  }

  /**
   * Plans the change that commits a dependency, and returns it with the trackers that it writes to.
   * Throws `not_found` if the dependency is unknown, and `conflict` if it is already committed.
   */
  async #plan(accountId: string, named: NamedDependency): Promise<ChangePlan & { trackers: string[] }> {
    const { db } = this.#options;
    const row = await store.findDependency(db, accountId, endsOf(named));
    if (!row) throw notFound();
    const [source, dependent] = await findIssues(db, accountId, [row.source_issue, row.dependent_issue]);
    if (!source || !dependent) throw notFound();
    if (row.change_id !== null) {
      throw conflict(
        'already_committed',
        `The dependency of ${dependent.key} on ${source.key} is already committed.`,
      );
    }
    if (row.in_tracker) {
      throw conflict('in_tracker', `The tracker already has this: ${source.key} blocks ${dependent.key}.`);
    }
    const trackers = [...new Set([source.tracker_id, dependent.tracker_id])].sort();
    return { ...planDependency(source, dependent, row), trackers };
  }

  /**
   * Plans a single change that commits all these dependencies. It serves only as a preview: each
   * dependency is committed by a separate change.
   */
  async planAll(accountId: string, named: readonly NamedDependency[]): Promise<ChangePlan> {
    const plans = await Promise.all(named.map((one) => this.#plan(accountId, one)));
    const [first] = plans;
    if (!first) throw notFound();
    if (plans.length === 1) return first;
    const issues = new Map(plans.flatMap((plan) => plan.issues.map((issue) => [issue.id, issue] as const)));
    return {
      ...first,
      title: `${plans.length} dependencies.`,
      rationale: null,
      confidence: null,
      issues: [...issues.values()],
      steps: plans.flatMap(({ steps }) => steps),
    };
  }

  /**
   * Commits dependencies to their trackers, each by a separate change. Returns after at most ten
   * seconds.
   *
   * A dependency has failed if its tracker did not respond in time, or if its issues differ from
   * the given hashes. It is pending while its change is being applied.
   */
  async commit(
    accountId: string,
    caller: Pick<ChangeRequest, 'actor' | 'signal'>,
    asked: readonly AskedCommit[],
  ): Promise<CommitResult> {
    const { ledger, now } = this.#options;
    const failed: CommitResult['failed'] = [];
    const begun: { dependency: NamedDependency; changeId: string }[] = [];
    const endsAtMs = now().getTime() + MAX_COMMIT_WAIT_MS;
    const late = AbortSignal.timeout(MAX_COMMIT_WAIT_MS);
    const signal = caller.signal === undefined ? late : AbortSignal.any([late, caller.signal]);
    const how = { ...caller, signal };
    const begin = async ({ base_hashes: seen, ...dependency }: AskedCommit) => {
      try {
        const { source_issue_id: source, dependent_issue_id: dependent } = dependency;
        const changeId = await ledger.runInTurn(
          accountId,
          how,
          { issueIds: [source, dependent], isShared: true },
          async () => {
            const { trackers, ...plan } = await this.#plan(accountId, dependency);
            const save = () => ledger.save(accountId, { ...how, as: 'applying' }, plan, { seen });
            return this.#begun.run(trackers.join(), save, { signal });
          },
        );
        if (changeId !== null) begun.push({ dependency, changeId });
      } catch (error) {
        failed.push({ dependency, ...refusalOf(error, signal), change_id: null });
      }
    };
    await Promise.all(asked.map(begin));
    const pending: CommitResult['pending'] = [];
    const committed: NamedDependency[] = [];
    const settled = await Promise.all(
      begun.map(({ changeId }) =>
        ledger.whenSettled(accountId, changeId, { withinMs: Math.max(0, endsAtMs - now().getTime()) }),
      ),
    );
    for (const [index, { dependency, changeId }] of begun.entries()) {
      const record = settled[index];
      if (record?.change.status === 'applied') committed.push(dependency);
      else if (record && !CHANGE_STATUSES[record.change.status].settled)
        pending.push({ dependency, change_id: changeId });
      else failed.push({ dependency, code: 'step_failed', detail: failureOf(record), change_id: changeId });
    }
    const rows = await Promise.all(
      committed.map((one) => store.findDependency(this.#options.db, accountId, endsOf(one))),
    );
    const known = rows.flatMap((row) => (row ? [row] : []));
    return { dependencies: await this.#present(accountId, known), failed, pending };
  }

  /**
   * Refuses a change if another change is committing the same dependency, or if it would create a
   * cycle. Only users may commit a dependency again whose commit was undone. Called by the ledger.
   */
  async guard(db: Db, accountId: string, plan: ChangePlan, { actor }: ChangeRequest): Promise<void> {
    const memory = dependencyMemory.parse(plan.payload);
    const underWay = (await this.#options.ledger.listApplying(db, accountId))
      .filter(({ change }) => change.kind === 'dependency')
      .map(({ change }) => ({ changeId: change.id, ...dependencyMemory.parse(change.payload) }));
    const same = underWay.find((other) => isSame(other, memory));
    if (same)
      throw writeConflict('being_committed', 'This dependency is being committed right now.', same.changeId);
    const row = await store.findDependency(db, accountId, memory);
    if (row?.undone && actor.type !== 'user') {
      throw conflict(
        'decision_undone',
        'Someone has undone this dependency. Only a user can commit it again.',
      );
    }
    const opposite = { issueId: memory.source_issue, otherId: memory.dependent_issue };
    if (await store.dependsOn(db, accountId, opposite, underWay)) {
      const [source, dependent] = plan.issues;
      throw conflict(
        'dependency_cycle',
        `${source?.key} already depends on ${dependent?.key}, so the two would wait for each other.`,
      );
    }
  }

  /**
   * Stores that a dependency was committed, or that its commit was undone. Called by the ledger.
   */
  async onSettled(db: Db, { change }: ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    const memory = dependencyMemory.parse(change.payload);
    const decision =
      outcome === 'applied'
        ? { change_id: change.id, dismissed: false, undone: false }
        : { change_id: null, in_tracker: false, undone: true };
    await store.decideDependency(db, change.account_id, memory, decision);
    await store.forgetLinksRead(db, change.account_id, memory);
  }

  async #present(accountId: string, rows: readonly store.DependencyRow[]): Promise<Dependency[]> {
    const ids = [
      ...new Set(rows.flatMap(({ source_issue, dependent_issue }) => [source_issue, dependent_issue])),
    ];
    const headlines = await findHeadlines(this.#options.db, accountId, ids);
    const issues = new Map(headlines.map((issue) => [issue.id, issue]));
    return rows.map((row) => presentDependency(row, issues));
  }
}

function endsOf({ source_issue_id, dependent_issue_id }: NamedDependency): store.DependencyEnds {
  return { source_issue: source_issue_id, dependent_issue: dependent_issue_id };
}

function isSame(one: store.DependencyEnds, other: store.DependencyEnds): boolean {
  return one.source_issue === other.source_issue && one.dependent_issue === other.dependent_issue;
}

/** Returns the reason why a dependency could not be committed. Rethrows internal errors. */
function refusalOf(error: unknown, signal: AbortSignal): { code: string; detail: string } {
  if (error instanceof AppError && (error.isCallerError || error.code === 'upstream_failed')) {
    const { code, category, detail } = error;
    return { code, detail: category === 'not_found' ? 'Dependency not found. Scan again.' : detail };
  }
  if (signal.aborted && error === signal.reason) {
    return { code: 'out_of_time', detail: 'The request ran out of time. Try again.' };
  }
  throw error;
}

function failureOf(record: ChangeRecord | undefined): string {
  return (
    record?.steps.find(({ status, error }) => status === 'failed' && error !== null)?.error ??
    'The tracker refused to store the dependency.'
  );
}
