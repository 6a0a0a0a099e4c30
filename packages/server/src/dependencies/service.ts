import { CHANGE_STATUSES } from '@winnow/contract/change';
import type { CommitRequest, CommitResult, Dependency, NamedDependency } from '@winnow/contract/dependency';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import type { StoredModel } from '../ai/model.ts';
import type { ChangeRecord, ChangeRequest, KindHandler, Ledger } from '../changes/ledger.ts';
import type { ChangePlan } from '../changes/plan.ts';
import { writeConflict } from '../changes/write-conflicts.ts';
import { findHeadlines, findIssues, type IssueHeadline, type IssueView } from '../issues/service.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import { createLimiter } from '../platform/limiter.ts';
import { RESPOND_AFTER_MS, withSoftDeadline } from '../platform/soft-deadline.ts';
import type { Db } from '../schema/tables.ts';
import type { TextFindings } from './finding.ts';
import { type ModelFindings, questionsOf } from './finding-by-model.ts';
import { countRead, holdFindings, listFindingsAmong } from './finding-store.ts';
import { dependencyMemory, planDependency } from './plan.ts';
import { presentDependency } from './present.ts';
import { findQuestionsAmong } from './question-store.ts';
import * as store from './store.ts';
import type { TrackerLinks } from './tracker-links.ts';

/** A committing call answers within this time, with what is still under way. */
const COMMIT_WITHIN_MS = 10_000;

/** Of many that are committed to a tracker, so many are begun at a time. */
const BEGUN_AT_ONCE = 4;

export interface DependenciesOptions {
  db: Db;
  ledger: Ledger;
  links: TrackerLinks;
  now: () => Date;
  inTexts: TextFindings;
  /** Has the texts of an account looked through in the background. */
  requestFinding: (accountId: string) => Promise<unknown>;
  byModel: ModelFindings;
  /** The account's model, where one works for it. */
  modelOf: (accountId: string) => Promise<StoredModel | null>;
  /** Issues nearest in meaning to these, best first, none of them among them. */
  nearestTo: (
    accountId: string,
    projectId: string,
    issueIds: readonly string[],
    limit: number,
  ) => Promise<string[]>;
}

/** A dependency that is to be committed, with the hashes of its issues as they were seen. */
export type AskedCommit = CommitRequest['dependencies'][number];

/** What a scan came to. */
export interface Scan {
  dependencies: Dependency[];
  notice: string | null;
  /** A language model or a tracker is still being asked. */
  checking: boolean;
}

/** What is known of a project, with the issues it is about, and how many of how many issues were read. */
export interface ProjectDependencies {
  dependencies: Dependency[];
  issues: IssueHeadline[];
  read: number;
  total: number;
}

/** What has to be finished before what: found in texts, told by trackers, committed by people. */
export class Dependencies implements KindHandler {
  readonly #options: DependenciesOptions;
  readonly #begun = createLimiter({ concurrency: BEGUN_AT_ONCE });

  constructor(options: DependenciesOptions) {
    this.#options = options;
  }

  /**
   * Scans issues, and answers the dependencies among them; those that are gone are left out. What the texts show is kept;
   * with `refresh` the trackers are asked again for links that they told of a short while ago. 404 when none is there.
   */
  async detect(
    accountId: string,
    issueIds: readonly string[],
    { refresh = false }: { refresh?: boolean } = {},
  ): Promise<Scan> {
    const { db, links, inTexts } = this.#options;
    const issues = await findIssues(db, accountId, [...new Set(issueIds)]);
    if (issues.length === 0) throw notFound();
    const ids = issues.map(({ id }) => id);
    const [{ notice, reading }, checking] = await withSoftDeadline(RESPOND_AFTER_MS, (late) =>
      Promise.all([
        links.refresh(accountId, issues, { all: refresh, late }),
        inTexts.readNow(accountId, ids).then(() => this.#ask(accountId, issues, late)),
      ]),
    );
    const known = await store.listAmong(db, accountId, ids);
    return { dependencies: await this.#present(accountId, known), notice, checking: reading || checking };
  }

  /**
   * Has the account's language model, where one works for it, read issues, some at a time, and keeps what it says in place
   * of what was said of them before; without a model nothing is. Answers whether it is still at it when `late` comes.
   */
  async #ask(accountId: string, issues: readonly IssueView[], late: Promise<void>): Promise<boolean> {
    const { db, byModel, modelOf } = this.#options;
    const model = await modelOf(accountId);
    const ids = issues.map(({ id }) => id);
    if (model === null) {
      await this.#keepSaid(accountId, [{ ids, said: [] }]);
      return false;
    }
    const found = await listFindingsAmong(db, accountId, ids);
    const read = issues.filter(({ issue_type }) => issue_type !== CHANGE_REQUEST);
    const asked = await findQuestionsAmong(db, accountId, ids);
    const questions = questionsOf(read, model, found, asked);
    const standings = await byModel.resolve(accountId, questions, late);
    const answers = questions.flatMap((question, index) => {
      const standing = standings[index];
      return standing?.state === 'answered'
        ? [{ ids: question.issues.map(({ id }) => id), said: standing.answer }]
        : [];
    });
    await this.#keepSaid(accountId, answers);
    return standings.some(({ state }) => state === 'checking');
  }

  async #keepSaid(
    accountId: string,
    answers: readonly { ids: readonly string[]; said: readonly store.FoundDependency[] }[],
  ): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await holdFindings(transaction, accountId);
      for (const { ids, said } of answers) await store.keepSaid(transaction, accountId, ids, said);
    });
  }

  /**
   * Scans further issues of the project that the last of these is in, the nearest in meaning first, together with these.
   * Answers only what has a new issue at one end, and the new issues. Those that are gone are left out; 404 when that one is.
   */
  async extend(
    accountId: string,
    issueIds: readonly string[],
    extendBy: number,
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
    const { dependencies, notice, checking } = await this.detect(accountId, [...issueIds, ...further]);
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

  /** What is known of one issue. */
  async ofIssue(accountId: string, issueId: string): Promise<Dependency[]> {
    return this.#present(accountId, await store.listOfIssue(this.#options.db, accountId, issueId));
  }

  /** What is known of the issues of a project, with the issues, and of how many issues the texts were read. */
  async ofProject(accountId: string, projectId: string): Promise<ProjectDependencies> {
    const { db, requestFinding } = this.#options;
    const counts = await countRead(db, accountId, projectId);
    if (counts.read < counts.total) await requestFinding(accountId);
    const rows = await store.listOfProject(db, accountId, projectId, false);
    const ids = [
      ...new Set(rows.flatMap(({ source_issue, dependent_issue }) => [source_issue, dependent_issue])),
    ];
    const issues = await findHeadlines(db, accountId, ids);
    // What is drawn, and which of two equal chains is named, is the same each time.
    issues.sort((one, other) => (one.key < other.key ? -1 : 1));
    return { dependencies: await this.#present(accountId, rows), issues, ...counts };
  }

  /** What somebody said is no dependency of a project's issues. */
  async dismissedOfProject(accountId: string, projectId: string): Promise<Dependency[]> {
    return this.#present(accountId, await store.listOfProject(this.#options.db, accountId, projectId, true));
  }

  /** Says that there is no such dependency, or takes that back. 404 when it is not known, 409 when a tracker has it. */
  async setDismissed(accountId: string, named: NamedDependency, dismissed: boolean): Promise<void> {
    const { db } = this.#options;
    const row = await store.findDependency(db, accountId, endsOf(named));
    if (!row) throw notFound();
    if (dismissed && (row.in_tracker || row.change_id !== null)) {
      throw conflict('in_tracker', 'The tracker has this dependency. Remove it there, or undo its commit.');
    }
    await store.decideDependency(db, accountId, row, { dismissed });
  }

  /** The change that commits a dependency, unsaved, and whose trackers. 404 when it is not known, 409 when there is nothing to commit. */
  async #plan(accountId: string, named: NamedDependency): Promise<ChangePlan & { trackers: string[] }> {
    const { db } = this.#options;
    const row = await store.findDependency(db, accountId, endsOf(named));
    if (!row) throw notFound();
    const [source, dependent] = await findIssues(db, accountId, [row.source_issue, row.dependent_issue]);
    if (!source || !dependent) throw notFound();
    if (row.change_id !== null) {
      throw conflict('already_committed', `That ${source.key} blocks ${dependent.key} is committed already.`);
    }
    if (row.in_tracker) {
      throw conflict('in_tracker', `The tracker knows already that ${source.key} blocks ${dependent.key}.`);
    }
    const trackers = [...new Set([source.tracker_id, dependent.tracker_id])].sort();
    return { ...planDependency(source, dependent, row), trackers };
  }

  /** One change that shows what committing these would write, unsaved; each is committed by a change of its own. */
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
   * Commits dependencies to their trackers, each by a change of its own. Answers after ten seconds at the latest: what a
   * tracker could not be asked about by then has failed, what is being written by then is pending. What differs from the
   * hashes that came with it has failed, too.
   */
  async commit(
    accountId: string,
    caller: Pick<ChangeRequest, 'actor' | 'signal'>,
    asked: readonly AskedCommit[],
  ): Promise<CommitResult> {
    const { ledger, now } = this.#options;
    const failed: CommitResult['failed'] = [];
    const begun: { dependency: NamedDependency; changeId: string }[] = [];
    const endsAtMs = now().getTime() + COMMIT_WITHIN_MS;
    const late = AbortSignal.timeout(COMMIT_WITHIN_MS);
    const signal = caller.signal === undefined ? late : AbortSignal.any([late, caller.signal]);
    const how = { ...caller, signal };
    const begin = async ({ base_hashes: seen, ...dependency }: AskedCommit) => {
      try {
        const { source_issue_id: source, dependent_issue_id: dependent } = dependency;
        const changeId = await ledger.inTurn(
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
   * Of people who commit the same dependency at once, the first one wins; what would close a circle is refused. One whose
   * commit was taken back is proposed again by people only. Called by the ledger.
   */
  async guard(db: Db, accountId: string, plan: ChangePlan, { actor }: ChangeRequest): Promise<void> {
    const memory = dependencyMemory.parse(plan.payload);
    const underWay = (await this.#options.ledger.listApplying(db, accountId))
      .filter(({ change }) => change.kind === 'dependency')
      .map(({ change }) => ({ changeId: change.id, ...dependencyMemory.parse(change.payload) }));
    const same = underWay.find((other) => isSame(other, memory));
    if (same)
      throw writeConflict('being_committed', 'This dependency is being committed just now.', same.changeId);
    const row = await store.findDependency(db, accountId, memory);
    if (row?.undone && actor.type !== 'user') {
      throw conflict(
        'decision_undone',
        'Somebody has taken this dependency back. Only a person can commit it again.',
      );
    }
    const opposite = { issueId: memory.source_issue, otherId: memory.dependent_issue };
    if (await store.waitsFor(db, accountId, opposite, underWay)) {
      const [source, dependent] = plan.issues;
      throw conflict(
        'dependency_cycle',
        `${source?.key} has to wait for ${dependent?.key} already, so the two would wait for each other.`,
      );
    }
  }

  /** Remembers that a dependency is committed, or no longer. Called by the ledger. */
  async settled(db: Db, { change }: ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
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

/** Why a dependency was not begun. Throws what is our own fault. */
function refusalOf(error: unknown, signal: AbortSignal): { code: string; detail: string } {
  if (error instanceof AppError && (error.status < 500 || error.code === 'upstream_failed')) {
    const { code, status, detail } = error;
    return { code, detail: status === 404 ? 'There is no such dependency. Scan again.' : detail };
  }
  if (signal.aborted && error === signal.reason) {
    return { code: 'out_of_time', detail: 'There was no time left for it. Try again.' };
  }
  throw error;
}

function failureOf(record: ChangeRecord | undefined): string {
  return (
    record?.steps.find(({ status, error }) => status === 'failed' && error !== null)?.error ??
    'The tracker did not take it.'
  );
}
