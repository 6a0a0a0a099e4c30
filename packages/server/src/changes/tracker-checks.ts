import { STEP_ACTIONS, type StepAction } from '@winnow/contract/change';
import { contentHashOf } from '../issues/content-hash.ts';
import type { IssueIntake } from '../issues/intake.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import { conflict, upstreamFailed } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { connectionProblem } from '../trackers/connections.ts';
import { type ProviderIssue, TrackerError } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';
import { changedSince } from './changed-since.ts';
import { hashOfTexts, isWritten } from './edited-texts.ts';
import type { ChangePlan, PlannedStep } from './plan.ts';
import { plannedStep } from './saved-plan.ts';
import type { ChangeRecord, StepRow } from './store.ts';
import { placeOf, targetOf } from './target.ts';

/** The steps of which a tracker may know beforehand that they cannot be written, and as what it is asked. */
const WRITES_ASKED_FOR: Partial<Record<StepAction, 'comment' | 'close'>> = {
  comment: 'comment',
  link_blocking: 'comment',
  close: 'close',
  close_as_duplicate: 'close',
};
const READ_AGAIN_MS = 10_000;

/** An issue, and what it must be in its tracker. */
interface Expected {
  id: string;
  key: string;
  fits(live: ProviderIssue): boolean;
}

/** Asks the trackers, before a change is begun, whether its issues are as it takes them to be. */
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
   * Passes when the trackers have the plan's issues as it was made on, and let its steps be written as far as they tell.
   * What differs is stored. @throws {AppError} 409 for what differs, is gone or cannot be written, 502 when it cannot be read
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

  /** The same of a change that failed: what its own steps have written, or may have, is no difference. */
  async expectWhereLeft(accountId: string, { change, steps, issues }: ChangeRecord): Promise<void> {
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
        // The change does not rest on how this issue was.
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

  /** Passes when each text that the plan of an undo writes over is the one that the change left. 409 when one is not. */
  async expectTextsAsLeft(accountId: string, plan: ChangePlan): Promise<void> {
    const signal = AbortSignal.timeout(READ_AGAIN_MS);
    for (const { action, issueId, key, before, memory } of plan.steps) {
      if (action !== 'edit' || memory?.left === undefined) continue;
      const [issue] = await findIssues(this.#db, accountId, [issueId]);
      if (!issue) continue;
      const live = await this.#read(issue, signal);
      if (live !== null && hashOfTexts(live, before) === memory.left) continue;
      throw conflict('edited_since', `${key} was edited since, so this cannot be taken back as a whole.`);
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
        throw conflict('issue_gone', `${key} is not in the tracker any more.`);
      }
      if (fits(live)) continue;
      await this.#db
        .transaction()
        .execute((transaction) =>
          this.#intake.takeIssues(transaction, placeOf(issue), [live], issue.content_hash),
        );
      throw await changedSince(this.#db, accountId, { id, key });
    }
  }

  /** A change is not begun of which a later step is known to fail. */
  async #expectWritable(
    accountId: string,
    steps: readonly PlannedStep[],
    until?: AbortSignal,
  ): Promise<void> {
    const signal = readSignal(until);
    for (const { action, issueId } of steps) {
      const write = WRITES_ASKED_FOR[action];
      if (write === undefined) continue;
      const [issue] = await findIssues(this.#db, accountId, [issueId]);
      if (!issue) continue;
      const { provider } = await this.#trackers.open(accountId, issue.tracker_id);
      const check = provider.expectWritable(targetOf(issue), write, signal).catch((error: unknown) => {
        const isRefusal =
          error instanceof TrackerError && (error.code === 'forbidden' || error.code === 'invalid');
        throw isRefusal ? conflict('cannot_be_written', error.message) : error;
      });
      await asked(check);
    }
  }

  /** An issue that its tracker does not have, although it shows the project, goes here once a sync misses it, too. */
  async #noteMissing(issue: IssueView, signal: AbortSignal): Promise<void> {
    const { provider } = await this.#trackers.open(issue.account_id, issue.tracker_id);
    if ((await asked(provider.project(targetOf(issue).project, signal))) === null) return;
    await this.#intake.noteMissing(this.#db, placeOf(issue), [issue.external_id]);
  }

  /** The issue as its tracker has it now; null when it is gone. */
  async #read(issue: IssueView, signal: AbortSignal): Promise<ProviderIssue | null> {
    const { provider } = await this.#trackers.open(issue.account_id, issue.tracker_id);
    return asked(provider.issue(targetOf(issue), signal));
  }
}

/** The end of reading, which comes before that of the call that reads. */
function readSignal(until: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(READ_AGAIN_MS);
  return until === undefined ? timeout : AbortSignal.any([timeout, until]);
}

/** What a tracker answers; 502 with its sentence when it does not. */
async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const problem = connectionProblem(error);
    throw problem === null ? error : upstreamFailed(problem, error);
  }
}

/** Whether no tracker has a say in a step. */
function isLocal({ action }: PlannedStep): boolean {
  return STEP_ACTIONS[action] !== 'tracker';
}

/** The content hash of its issue as a step left it, if it changed that. */
function leftHash({ left_hash, closed }: StepRow['result']): string[] {
  const hash = left_hash ?? closed?.content_hash;
  return hash === undefined ? [] : [hash];
}

/** An issue as it was before a step, if the step did what it was to do. */
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
