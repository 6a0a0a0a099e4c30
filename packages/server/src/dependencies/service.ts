import { setTimeout as pause } from 'node:timers/promises';
import type { CommitResult, Dependency, NamedDependency } from '@winnow/contract/dependency';
import type { StoredModel } from '../ai/model.ts';
import type { Actor, ChangeRecord, KindHandler, Ledger, SavedAs } from '../changes/ledger.ts';
import type { ChangePlan } from '../changes/plan.ts';
import type { IssueToScan } from '../issues/engine/messages.ts';
import {
  commentTextsOf,
  findHeadlines,
  findIssues,
  type IssueHeadline,
  type IssueView,
} from '../issues/service.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { type ModelFindings, questionOf, READ_TOGETHER } from './finding-by-model.ts';
import { dependencyMemory, planDependency } from './plan.ts';
import { presentDependency } from './present.ts';
import * as store from './store.ts';
import type { TrackerLinks } from './tracker-links.ts';

/** How long a committing call waits for the tracker before it answers what is still under way. */
const APPLY_WAIT_MS = 10_000;
/** The type of pull and merge requests. */
const CHANGE_REQUEST = 'change_request';
/** Of an issue, so many comments are read, the newest. */
const MOST_COMMENTS = 50;

/** After so long a scan answers with what there is. */
const ANSWER_AFTER_MS = 2_000;
/** Of many that are committed, so many are begun at a time. */
const BEGUN_AT_ONCE = 4;

export interface DependenciesOptions {
  db: Db;
  ledger: Ledger;
  links: TrackerLinks;
  /** Finds dependencies among issues in their texts, off the event loop. */
  findInTexts: (accountId: string, issues: readonly IssueToScan[]) => Promise<store.FoundDependency[]>;
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

/** What a scan came to. */
export interface Scan {
  dependencies: Dependency[];
  notice: string | null;
  /** A language model is still reading. */
  checking: boolean;
}

/** What has to be finished before what: found in texts, told by trackers, committed by people. */
export class Dependencies implements KindHandler {
  readonly #options: DependenciesOptions;

  constructor(options: DependenciesOptions) {
    this.#options = options;
  }

  /**
   * Scans issues, and answers the dependencies among them. What the texts show is kept; with `refresh` the trackers are
   * asked again for links that they told of a short while ago. 404 when one is not there.
   */
  async detect(
    accountId: string,
    issueIds: readonly string[],
    { refresh = false }: { refresh?: boolean } = {},
  ): Promise<Scan> {
    const { db, links, findInTexts } = this.#options;
    const issues = await this.#issues(accountId, issueIds);
    const ids = issues.map(({ id }) => id);
    const comments = await commentTextsOf(db, accountId, ids, MOST_COMMENTS);
    const toScan = issues
      .filter(({ issue_type }) => issue_type !== CHANGE_REQUEST)
      .map((issue) => ({
        id: issue.id,
        trackerId: issue.tracker_id,
        key: issue.key,
        url: issue.url,
        title: issue.title,
        body: issue.description,
        type: issue.issue_type,
        comments: comments.get(issue.id) ?? [],
      }));
    const [found, notice] = await Promise.all([
      findInTexts(accountId, toScan),
      links.refresh(accountId, issues, { all: refresh }),
    ]);
    const checking = await this.#keep(accountId, issues, found);
    const known = await store.listAmong(db, accountId, ids);
    return { dependencies: await this.#present(accountId, known), notice, checking };
  }

  /**
   * Keeps what was found by rules, and has the account's language model, where one works for it, read the same issues, some
   * at a time. Answers whether it is still at it after two seconds.
   */
  async #keep(
    accountId: string,
    issues: readonly IssueView[],
    found: readonly store.FoundDependency[],
  ): Promise<boolean> {
    const { db, byModel, modelOf } = this.#options;
    const model = await modelOf(accountId);
    if (model === null) {
      const ids = issues.map(({ id }) => id);
      await db.transaction().execute(async (transaction) => {
        await store.forgetUnfound(transaction, accountId, ids, found);
        await store.saveFound(transaction, accountId, found);
      });
      return false;
    }
    const read = issues.filter(({ issue_type }) => issue_type !== CHANGE_REQUEST);
    const questions = inGroups(read, READ_TOGETHER)
      .filter((group) => group.length > 1)
      .map((group) => questionOf(group, model, amongThem(found, group)));
    const waiting = new AbortController();
    const late = pause(ANSWER_AFTER_MS, undefined, { signal: waiting.signal }).catch((error: unknown) => {
      if (!waiting.signal.aborted) throw error;
    });
    try {
      const standings = await byModel.look(accountId, questions, late);
      await db.transaction().execute(async (transaction) => {
        for (const [index, { issues: group, found: ofGroup }] of questions.entries()) {
          if (standings[index]?.state !== 'failed') continue;
          const ids = group.map(({ id }) => id);
          await store.forgetUnfound(transaction, accountId, ids, ofGroup);
        }
        await store.saveFound(transaction, accountId, found);
      });
      return standings.some(({ state }) => state === 'checking');
    } finally {
      waiting.abort();
    }
  }

  /**
   * Scans further issues of the project that the last of these is in, the nearest in meaning first, together with these.
   * Answers only what has a new issue at one end, and the new issues. 404 when one is not there.
   */
  async extend(
    accountId: string,
    issueIds: readonly string[],
    extendBy: number,
  ): Promise<Scan & { issues: IssueHeadline[] }> {
    const { db, nearestTo } = this.#options;
    const issues = await this.#issues(accountId, issueIds);
    const projectId = issues.at(-1)?.project_id ?? '';
    const further = await nearestTo(
      accountId,
      projectId,
      issues.map(({ id }) => id),
      extendBy,
    );
    const { dependencies, notice, checking } = await this.detect(accountId, [...issueIds, ...further]);
    const isNew = new Set(further);
    const headlines = await findHeadlines(db, accountId, further);
    return {
      dependencies: dependencies.filter(
        ({ source_issue_id, dependent_issue_id }) =>
          isNew.has(source_issue_id) || isNew.has(dependent_issue_id),
      ),
      issues: further.flatMap((id) => headlines.filter((headline) => headline.id === id)),
      notice,
      checking,
    };
  }

  /** What is known of one issue. */
  async ofIssue(accountId: string, issueId: string): Promise<Dependency[]> {
    return this.#present(accountId, await store.listOfIssue(this.#options.db, accountId, issueId));
  }

  /** What is known of the issues of a project, with the issues. */
  async ofProject(
    accountId: string,
    projectId: string,
  ): Promise<{ dependencies: Dependency[]; issues: IssueHeadline[] }> {
    const { db } = this.#options;
    const rows = await store.listOfProject(db, accountId, projectId);
    const ids = [
      ...new Set(rows.flatMap(({ source_issue, dependent_issue }) => [source_issue, dependent_issue])),
    ];
    const issues = await findHeadlines(db, accountId, ids);
    // What is drawn, and which of two equal chains is named, is the same each time.
    issues.sort((one, other) => (one.key < other.key ? -1 : 1));
    return { dependencies: await this.#present(accountId, rows), issues };
  }

  /** Says that there is no such dependency, or takes that back. 404 when it is not known, 409 when a tracker has it. */
  async setDismissed(accountId: string, named: NamedDependency, dismissed: boolean): Promise<void> {
    const { db } = this.#options;
    const row = await store.findDependency(db, accountId, endsOf(named));
    if (!row) throw notFound();
    if (dismissed && row.in_tracker) {
      throw conflict('in_tracker', 'The tracker has this dependency. Remove it there, or undo its commit.');
    }
    await store.decideDependency(db, accountId, row, { dismissed });
  }

  /** The change that commits a dependency, unsaved. 404 when it is not known, 409 when there is nothing to commit. */
  async plan(accountId: string, named: NamedDependency): Promise<ChangePlan> {
    const { db } = this.#options;
    const row = await store.findDependency(db, accountId, endsOf(named));
    if (!row) throw notFound();
    const issues = await findIssues(db, accountId, [row.source_issue, row.dependent_issue]);
    const source = issues.find(({ id }) => id === row.source_issue);
    const dependent = issues.find(({ id }) => id === row.dependent_issue);
    if (!source || !dependent) throw notFound();
    if (row.in_tracker) {
      throw conflict('in_tracker', `The tracker knows already that ${source.key} blocks ${dependent.key}.`);
    }
    if (row.change_id !== null) {
      throw conflict('already_committed', `That ${source.key} blocks ${dependent.key} is committed already.`);
    }
    return planDependency(source, dependent, row);
  }

  /** One change that shows what committing these would write, unsaved; each is committed by a change of its own. */
  async planAll(accountId: string, named: readonly NamedDependency[]): Promise<ChangePlan> {
    const plans = await Promise.all(named.map((one) => this.plan(accountId, one)));
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

  /** Commits dependencies to their trackers, each by a change of its own, and waits up to ten seconds for all. */
  async commit(accountId: string, actor: Actor, named: readonly NamedDependency[]): Promise<CommitResult> {
    const { ledger } = this.#options;
    const failed: CommitResult['failed'] = [];
    const begun: { dependency: NamedDependency; changeId: string }[] = [];
    const begin = async (dependency: NamedDependency) => {
      try {
        const plan = await this.plan(accountId, dependency);
        begun.push({ dependency, changeId: await ledger.submit(accountId, actor, plan, undefined) });
      } catch (error) {
        if (!(error instanceof AppError) || (error.status >= 500 && error.status !== 502)) throw error;
        const detail = error.status === 404 ? 'There is no such dependency. Scan again.' : error.detail;
        failed.push({ dependency, detail });
      }
    };
    for (let start = 0; start < named.length; start += BEGUN_AT_ONCE) {
      await Promise.all(named.slice(start, start + BEGUN_AT_ONCE).map(begin));
    }
    const pending: CommitResult['pending'] = [];
    const committed: NamedDependency[] = [];
    const settled = await Promise.all(
      begun.map(({ changeId }) => ledger.whenSettled(accountId, changeId, APPLY_WAIT_MS)),
    );
    for (const [index, { dependency, changeId }] of begun.entries()) {
      const record = settled[index];
      if (record?.change.status === 'applied') committed.push(dependency);
      else if (record?.change.status === 'applying') pending.push({ dependency, change_id: changeId });
      else failed.push({ dependency, detail: failureOf(record) });
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
  async guard(
    db: Db,
    accountId: string,
    plan: ChangePlan,
    { actor }: { actor: Actor; as: SavedAs },
  ): Promise<void> {
    const memory = dependencyMemory.parse(plan.payload);
    const underWay = (await this.#options.ledger.underWay(db, accountId))
      .filter(({ change }) => change.kind === 'dependency')
      .map(({ change }) => dependencyMemory.parse(change.payload));
    if (underWay.some((other) => isSame(other, memory))) {
      throw conflict('being_committed', 'This dependency is being committed just now.');
    }
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
        ? { change_id: change.id, in_tracker: true, dismissed: false, undone: false }
        : { change_id: null, in_tracker: false, undone: true };
    await store.decideDependency(db, change.account_id, memory, decision);
  }

  async #issues(accountId: string, issueIds: readonly string[]): Promise<IssueView[]> {
    const ids = [...new Set(issueIds)];
    const found = await findIssues(this.#options.db, accountId, ids);
    if (found.length < ids.length) throw notFound();
    return ids.flatMap((id) => found.filter((issue) => issue.id === id));
  }

  async #present(accountId: string, rows: readonly store.DependencyRow[]): Promise<Dependency[]> {
    const ids = [
      ...new Set(rows.flatMap(({ source_issue, dependent_issue }) => [source_issue, dependent_issue])),
    ];
    const headlines = await findHeadlines(this.#options.db, accountId, ids);
    const keys = new Map(headlines.map(({ id, key }) => [id, key]));
    return rows.map((row) => presentDependency(row, keys));
  }
}

function inGroups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, group) =>
    items.slice(group * size, (group + 1) * size),
  );
}

/** Of what was found, what has both ends among these issues. */
function amongThem(
  found: readonly store.FoundDependency[],
  issues: readonly IssueView[],
): store.FoundDependency[] {
  const ids = new Set(issues.map(({ id }) => id));
  return found.filter(
    ({ source_issue, dependent_issue }) => ids.has(source_issue) && ids.has(dependent_issue),
  );
}

function endsOf({ source_issue_id, dependent_issue_id }: NamedDependency): store.DependencyEnds {
  return { source_issue: source_issue_id, dependent_issue: dependent_issue_id };
}

function isSame(one: store.DependencyEnds, other: store.DependencyEnds): boolean {
  return one.source_issue === other.source_issue && one.dependent_issue === other.dependent_issue;
}

function failureOf(record: ChangeRecord | undefined): string {
  return (
    record?.steps.find(({ status, error }) => status === 'failed' && error !== null)?.error ??
    'The tracker did not take it.'
  );
}
