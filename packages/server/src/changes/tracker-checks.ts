import { STEP_ACTIONS, type StepAction } from '@winnow/contract/change';
import { contentHashOf, findIssues, type IssueIntake, type IssueView } from '../issues/index.ts';
import { conflict, upstreamFailed } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem, type ProviderIssue, TrackerError, type Trackers } from '../trackers/index.ts';
import { changedSince } from './changed-since.ts';
import { hashOfTexts, isWritten } from './edited-texts.ts';
import type { ChangePlan, PlannedStep } from './plan.ts';
import { plannedStep } from './saved-plan.ts';
import type { ChangeRecord, StepRow } from './store.ts';
import { projectRefOf, targetOf } from './target.ts';

/**
 * Actions that a tracker can refuse in advance. The value is the kind of write for which the
 * provider checks the permission.
 */
const CHECKED_WRITES: Partial<Record<StepAction, 'comment' | 'close'>> = {
  comment: 'comment',
  link_blocking: 'comment',
  close: 'close',
  close_as_duplicate: 'close',
};
const TRACKER_READ_TIMEOUT_MS = 10_000;

/** An issue, and the condition that its current state in the tracker must meet. */
interface Expected {
  id: string;
  key: string;
  fits(live: ProviderIssue): boolean;
}

/** Checks, before a change is applied, that its issues in the trackers still match the plan. */
export class TrackerChecks {
  readonly #db: Db;
  readonly #trackers: Trackers;
  readonly #intake: IssueIntake;

  constructor({ db, trackers, intake }: { db: Db; trackers: Trackers; intake: IssueIntake }) {
    this.#db = db;
    this.#trackers = trackers;
    this.#intake = intake;
  }

  /**
   * Checks that the plan's issues are unchanged in their trackers, and that the trackers will
   * probably accept its steps. Stores the current state of issues that differ.
   *
   * @throws {AppError} `conflict` if an issue differs, is missing or cannot be written;
   * `upstream_failed` if an issue cannot be read
   */
  async expectAppliable(
    accountId: string,
    { issues, steps }: ChangePlan,
    signal?: AbortSignal,
  ): Promise<void> {
    if (steps.every(isLocal)) return;
    await this.#expectInTrackers(
      accountId,
      issues
        .filter(({ contentHash }) => contentHash !== null)
        .map(({ id, key, contentHash }) => ({
          id,
          key,
          fits: (live) => contentHashOf(live) === contentHash,
        })),
      signal,
    );
    await this.#expectWritable(accountId, steps, signal);
  }

  /**
   * Checks the issues of a failed change before a retry. Differences that the change's own steps
   * caused, or may have caused, are allowed.
   */
  async expectUnchangedSinceFailure(
    accountId: string,
    { change, steps, issues }: ChangeRecord,
  ): Promise<void> {
    const open = steps.filter(({ status }) => status !== 'applied').map(plannedStep);
    if (open.every(isLocal)) return;
    await this.#expectInTrackers(
      accountId,
      issues.flatMap(({ issue_id: id, key }) => {
        const own = steps.filter((step) => step.target_issue_id === id);
        const left = own
          .filter(({ status }) => status === 'applied')
          .flatMap(({ result }) => leftHash(result));
        const base = change.base_hashes[id];
        // Without a base hash, the change does not depend on the issue's content.
        if (base === undefined) return [];
        const expected = left.at(-1) ?? base;
        const tried = own.filter(({ status, result }) => status === 'failed' && result.refused !== true);
        return {
          id,
          key,
          fits: (live) =>
            [live, ...tried.map((step) => withoutStep(live, step))].some(
              (issue) => contentHashOf(issue) === expected,
            ),
        };
      }),
    );
    await this.#expectWritable(accountId, open);
  }

  /**
   * Checks that the texts that an undo replaces are those that the change wrote.
   * @throws {AppError} `conflict` if a text was edited since
   */
  async expectTextsUnchanged(accountId: string, plan: ChangePlan): Promise<void> {
    const signal = AbortSignal.timeout(TRACKER_READ_TIMEOUT_MS);
    for (const { action, issueId, key, before, memory } of plan.steps) {
      if (action !== 'edit' || memory?.left === undefined) continue;
      const [issue] = await findIssues(this.#db, accountId, [issueId]);
      if (!issue) continue;
      const live = await this.#read(issue, signal);
      if (live !== null && hashOfTexts(live, before) === memory.left) continue;
      throw conflict(
        'edited_since',
        `${key} has been edited since this change was applied, so the change cannot be undone completely.`,
      );
    }
  }

  async #expectInTrackers(
    accountId: string,
    expected: readonly Expected[],
    until?: AbortSignal,
  ): Promise<void> {
    const signal = readSignal(until);
    const ids = expected.map(({ id }) => id);
    const stored = new Map((await findIssues(this.#db, accountId, ids)).map((issue) => [issue.id, issue]));
    for (const { id, key, fits } of expected) {
      const issue = stored.get(id);
      if (!issue) throw await changedSince(this.#db, accountId, { id, key });
      const live = await this.#read(issue, signal);
      if (live === null) {
        await this.#noteMissing(issue, signal);
        throw conflict('issue_gone', `${key} is missing from its tracker.`);
      }
      if (fits(live)) continue;
      await this.#db
        .transaction()
        .execute((transaction) =>
          this.#intake.storeIssues(transaction, projectRefOf(issue), [live], issue.content_hash),
        );
      throw await changedSince(this.#db, accountId, { id, key });
    }
  }

  /** Throws if a tracker is known to refuse one of the steps. */
  async #expectWritable(
    accountId: string,
    steps: readonly PlannedStep[],
    until?: AbortSignal,
  ): Promise<void> {
    const signal = readSignal(until);
    const checkedInTurn = new Set(
      steps.flatMap(({ group = 0, memory }) => (memory?.base_hash === undefined ? [] : [group])),
    );
    for (const { action, issueId, group = 0 } of steps) {
      const write = CHECKED_WRITES[action];
      // These groups are checked just before their own steps, because a failed check skips only
      // their issue.
      if (write === undefined || checkedInTurn.has(group)) continue;
      const [issue] = await findIssues(this.#db, accountId, [issueId]);
      if (!issue) continue;
      const { provider } = await this.#trackers.open(accountId, issue.tracker_id);
      const check = provider.expectWritable(targetOf(issue), write, signal).catch((error: unknown) => {
        const isRefusal =
          error instanceof TrackerError && (error.code === 'forbidden' || error.code === 'invalid');
        throw isRefusal ? conflict('cannot_be_written', error.message) : error;
      });
      await orUpstreamFailed(check);
    }
  }

  /**
   * Marks an issue as missing from its tracker, unless its project is missing too. If the next sync
   * does not find the issue either, the sync deletes it.
   */
  async #noteMissing(issue: IssueView, signal: AbortSignal): Promise<void> {
    const { provider } = await this.#trackers.open(issue.account_id, issue.tracker_id);
    if ((await orUpstreamFailed(provider.project(targetOf(issue).project, signal))) === null) return;
    await this.#intake.markMissing(this.#db, projectRefOf(issue), [issue.external_id]);
  }

  /** Reads an issue from its tracker; null if it does not exist. */
  async #read(issue: IssueView, signal: AbortSignal): Promise<ProviderIssue | null> {
    const { provider } = await this.#trackers.open(issue.account_id, issue.tracker_id);
    return orUpstreamFailed(provider.issue(targetOf(issue), signal));
  }
}

/**
 * Returns a signal for reading: aborted after the timeout, or when the caller's signal is aborted.
 */
function readSignal(until: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(TRACKER_READ_TIMEOUT_MS);
  return until === undefined ? timeout : AbortSignal.any([timeout, until]);
}

/** Converts a tracker's connection errors to a 502. */
async function orUpstreamFailed<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const problem = connectionProblem(error);
    throw problem === null ? error : upstreamFailed(problem, error);
  }
}

/** True if the step involves no tracker. */
function isLocal({ action }: PlannedStep): boolean {
  return STEP_ACTIONS[action] !== 'tracker';
}

/**
 * Returns the issue's content hash stored with a step that changed the content; otherwise an empty
 * array.
 */
function leftHash({ left_hash, closed }: StepRow['result']): string[] {
  const hash = left_hash ?? closed?.content_hash;
  return hash === undefined ? [] : [hash];
}

/** Returns the issue as it would be without a step that may have taken effect. */
function withoutStep(live: ProviderIssue, { action, before, after }: StepRow): ProviderIssue {
  if (action === 'close_as_duplicate' || action === 'close') return { ...live, state: 'opened' };
  if (action === 'reopen') return { ...live, state: 'closed' };
  if (action === 'change_labels') {
    const { labels = [] } = before;
    const others = live.labels.filter((label) => !(after.labels ?? []).includes(label));
    return { ...live, labels: [...new Set([...labels, ...others])] };
  }
  if (action === 'edit' && isWritten(live, before, after)) {
    const { title = live.title, description = live.description } = before;
    return { ...live, title, description };
  }
  return live;
}
