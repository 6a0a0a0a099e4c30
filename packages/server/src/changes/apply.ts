import type { LiveEvent } from '@winnow/contract/live';
import { addUsage } from '../billing/index.ts';
import {
  contentHashOf,
  countCommentOff,
  deleteComment,
  findIssueIn,
  findIssues,
  findProject,
  type IssueIntake,
  placesOf,
  stateHashInTracker,
} from '../issues/index.ts';
import { AppError } from '../platform/errors.ts';
import type { StepMemory } from '../schema/change-tables.ts';
import type { Db } from '../schema/tables.ts';
import { type ProviderIssue, TrackerError, type Trackers } from '../trackers/index.ts';
import type { Ledger } from './ledger.ts';
import { CallFailed } from './perform-call.ts';
import {
  LeftOutError,
  type StepOutcome,
  StepPerformer,
  StepRefused,
  WriteNotApplied,
  WriteUnconfirmed,
} from './step-performer.ts';
import * as store from './store.ts';
import { projectRefOf } from './target.ts';

export interface ApplierOptions {
  db: Db;
  ledger: Ledger;
  trackers: Trackers;
  intake: IssueIntake;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/**
 * Result of one run of the apply job. `retryAt` is the time of the next run; null if the change is
 * settled.
 */
export interface ApplyOutcome {
  retryAt: Date | null;
}

/** Maximum wait that a tracker may ask for. A longer wait fails the step. */
const MAX_TRACKER_PAUSE_MS = 60 * 60_000;

/**
 * Maximum steps per run of the apply job. The next run starts after other queued changes of the
 * account have run.
 */
const MAX_STEPS_PER_RUN = 50;
/** Pause before the next run after a transient error, if this run performed at least one step. */
const PAUSE_AFTER_PROGRESS_MS = 1_000;

/**
 * Consecutive transient failures at one tracker after which the change's other issues at that
 * tracker are skipped. A single failure may be caused by the issue and not by the tracker.
 */
const MAX_FAILURES_IN_A_ROW = 2;

const NOT_TRIED = 'Not tried, because the tracker did not respond.';

/** Applies saved changes step by step. */
export class ChangeApplier {
  readonly #options: ApplierOptions;
  readonly #performer: StepPerformer;

  constructor(options: ApplierOptions) {
    this.#options = options;
    this.#performer = new StepPerformer(options);
  }

  /**
   * Applies the remaining steps of a change, one at a time. Safe to repeat after a crash: for a
   * step that was started, the tracker is first checked for the step's effect.
   *
   * Throws transient errors, so that the job is retried. With `isLastAttempt`, a transient error
   * fails the step. After two such failures in a row at one tracker, the change's other issues at
   * that tracker are skipped; a retry continues with them.
   *
   * The caller must not apply the same change twice at the same time.
   */
  async apply(
    accountId: string,
    changeId: string,
    job: { signal: AbortSignal; isLastAttempt: boolean },
  ): Promise<ApplyOutcome> {
    const { db } = this.#options;
    const record = await store.findChange(db, accountId, changeId);
    if (record?.change.status !== 'applying') return { retryAt: null };
    const ended = new Set<number>();
    const groups = await this.#groupsOf(record);
    const failuresOf = new Map<string, number>();
    let done = 0;
    for (const step of record.steps) {
      if ((step.status !== 'pending' && step.status !== 'applying') || ended.has(step.step_group)) continue;
      job.signal.throwIfAborted();
      // Ends this run, so that other changes of the account can be applied before the next run.
      if (done >= MAX_STEPS_PER_RUN) return { retryAt: this.#options.now() };
      // A step stopped by a rate limit was not started. If the tracker shows its effect later,
      // someone else caused it.
      const { kept_out: wasKeptOut = false, ...memory } = step.result;
      const begun = step.status === 'applying' && !wasKeptOut;
      await store.setStep(db, accountId, step.id, { status: 'applying', result: memory });
      try {
        const outcome = await this.#performer.perform(record, step, { begun, signal: job.signal });
        await this.#recordStep(accountId, step, outcome);
        failuresOf.delete(groups.trackerOf(step));
        done += 1;
      } catch (error) {
        job.signal.throwIfAborted();
        const sentence = sentenceOf(error);
        if (isLeftOut(error, record, step)) {
          failuresOf.delete(groups.trackerOf(step));
          await this.#leaveOut(accountId, step, error);
          ended.add(step.step_group);
          await this.#publish(accountId, changeId, 'applying');
          continue;
        }
        const isWaiting = !isFinal(error) && !this.#isPauseTooLong(error) && !job.isLastAttempt;
        if (isWaiting) {
          const isRateLimited = error instanceof TrackerError && error.code === 'rate_limited';
          const isKeptOut = !begun && isRateLimited && !(error instanceof WriteUnconfirmed);
          await store.setStep(db, accountId, step.id, {
            status: 'applying',
            error: sentence,
            result: isKeptOut ? { ...memory, kept_out: true } : memory,
          });
          await this.#publish(accountId, changeId, 'applying');
          if (error instanceof TrackerError && error.retryAt !== null) return { retryAt: error.retryAt };
          // After progress, a new job continues the change. It has the full number of attempts
          // again.
          if (step.step_group > 0 && done > 0) {
            return { retryAt: new Date(this.#options.now().getTime() + PAUSE_AFTER_PROGRESS_MS) };
          }
          throw error;
        }
        // Stores the current issue from the tracker, so that the next plan is based on its current
        // state.
        await this.#storeSeen(accountId, step, error);
        await this.#fail(accountId, step, {
          status: 'failed',
          error: sentence,
          ...(error instanceof StepRefused ? { result: { ...memory, refused: true } } : {}),
          ...(error instanceof CallFailed && error.answer !== null
            ? { result: { ...memory, answer: error.answer } }
            : {}),
        });
        if (step.step_group === 0) break;
        ended.add(step.step_group);
        const tracker = groups.trackerOf(step);
        if (isFinal(error)) failuresOf.delete(tracker);
        else {
          const failures = (failuresOf.get(tracker) ?? 0) + 1;
          failuresOf.set(tracker, failures);
          if (failures >= MAX_FAILURES_IN_A_ROW) {
            const others = groups.at(tracker);
            await store.skipGroups(db, accountId, changeId, others, NOT_TRIED);
            for (const group of others) ended.add(group);
          }
        }
      }
      await this.#publish(accountId, changeId, 'applying');
    }
    await this.#settle(accountId, changeId);
    return { retryAt: null };
  }

  /**
   * Returns two functions. `trackerOf` returns the tracker of a step; `at` lists the step groups at
   * a tracker.
   */
  async #groupsOf({ change, steps }: store.ChangeRecord) {
    const grouped = steps.filter(({ step_group: group }) => group > 0);
    const ids = grouped.map(({ target_issue_id: id }) => id);
    const places = await placesOf(this.#options.db, change.account_id, ids);
    const trackerOf = ({ target_issue_id: id }: store.StepRow) => places.get(id)?.tracker_id ?? '';
    return {
      trackerOf,
      at: (tracker: string) =>
        grouped.filter((step) => trackerOf(step) === tracker).map(({ step_group: group }) => group),
    };
  }

  /**
   * Fails a step and skips the remaining steps of its group. A failure in group 0 skips all
   * remaining steps of the change.
   */
  async #fail(
    accountId: string,
    step: store.StepRow,
    failed: Parameters<typeof store.setStep>[3],
  ): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.setStep(transaction, accountId, step.id, failed);
      if (step.step_group === 0) {
        await store.moveSteps(transaction, accountId, step.change_id, ['pending'], 'skipped');
      } else {
        await store.skipGroups(transaction, accountId, step.change_id, [step.step_group], null);
      }
    });
  }

  /** Skips the steps of an issue that differs from the plan. Stores the issue's current state. */
  async #leaveOut(accountId: string, step: store.StepRow, error: StepRefused): Promise<void> {
    await this.#storeSeen(accountId, step, error);
    await this.#options.db.transaction().execute(async (transaction) => {
      const result = { ...step.result, refused: true };
      await store.setStep(transaction, accountId, step.id, {
        status: 'skipped',
        error: error.message,
        result,
      });
      await store.skipGroups(transaction, accountId, step.change_id, [step.step_group], error.message);
    });
  }

  /** Stores the current state of the issue that caused a step to be refused. */
  async #storeSeen(accountId: string, step: store.StepRow, error: unknown): Promise<void> {
    const live = error instanceof StepRefused ? error.live : null;
    if (live === null) return;
    await this.#options.db
      .transaction()
      .execute((transaction) => this.#storeIssue(transaction, accountId, step.target_issue_id, live));
  }

  /** Stores that a step is done, together with the tracker's response, in one transaction. */
  async #recordStep(accountId: string, step: store.StepRow, outcome: StepOutcome): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.setStep(transaction, accountId, step.id, {
        status: outcome.status,
        error: outcome.note,
        applied_at: this.#options.now(),
        result: memoryOf(outcome),
      });
      if (step.action === 'delete_comment') {
        // Deleted comments must be removed here, because trackers do not report them when listing
        // comments.
        const comment = step.result.comment_external_id ?? '';
        await deleteComment(transaction, accountId, step.target_issue_id, comment);
        await countCommentOff(transaction, accountId, step.target_issue_id);
      }
      if (!outcome.issue) return;
      if (step.action === 'create') {
        await this.#recordCreated(transaction, accountId, step, outcome.issue);
        return;
      }
      await this.#storeIssue(transaction, accountId, step.target_issue_id, outcome.issue);
    });
  }

  /** Stores an issue as returned by the tracker. */
  async #storeIssue(db: Db, accountId: string, issueId: string, live: ProviderIssue): Promise<void> {
    const [issue] = await findIssues(db, accountId, [issueId]);
    if (issue) await this.#options.intake.storeIssues(db, projectRefOf(issue), [live]);
  }

  /** Stores a created issue and sets it as the target of its step and change. */
  async #recordCreated(db: Db, accountId: string, step: store.StepRow, made: ProviderIssue): Promise<void> {
    const project = await findProject(db, accountId, step.result.project_id ?? '');
    if (!project) return;
    const place = { accountId, trackerId: project.tracker_id, projectId: project.id };
    const { counted } = await this.#options.intake.storeIssues(db, place, [made]);
    // The issue exists in the tracker, so it is stored even beyond the limit of the account's plan.
    // It is counted, so that the reported usage stays correct.
    if (project.tracker_type !== 'sample') {
      await addUsage(db, accountId, 'issues_ingested', counted, this.#options.now());
    }
    const issue = await findIssueIn(db, accountId, project.id, made.externalId);
    if (!issue) return;
    await store.setStepTarget(db, accountId, step, { ...issue, contentHash: contentHashOf(made) });
  }

  /** Sets the final status of a change and notifies the handler of its kind, in one transaction. */
  async #settle(accountId: string, changeId: string): Promise<void> {
    const { db, ledger, now } = this.#options;
    const undone = await db.transaction().execute(async (transaction) => {
      const record = await store.findChange(transaction, accountId, changeId);
      if (!record) return null;
      const status = settledStatus(record.steps);
      await store.setChangeStatus(transaction, accountId, changeId, { status, applied_at: now() });
      if (status === 'failed') return null;
      if (status === 'partly_applied') {
        if (record.change.undoes === null) await ledger.notifyHandler(transaction, record, status);
        return null;
      }
      if (record.change.undoes === null) {
        await ledger.notifyHandler(transaction, record, 'applied');
        return null;
      }
      const original = await store.findChange(transaction, accountId, record.change.undoes);
      if (!original) return null;
      await store.setChangeStatus(transaction, accountId, original.change.id, { status: 'undone' });
      // If the undo skipped an issue, the original change's steps on that issue remain applied.
      const leftOut = record.steps.filter(isRefused).map(({ step_group: group }) => group);
      await store.moveSteps(transaction, accountId, original.change.id, ['applied'], 'undone', leftOut);
      await ledger.notifyHandler(transaction, original, 'undone', record);
      return original.change.id;
    });
    const settled = await store.findChange(db, accountId, changeId);
    if (settled) await this.#publish(accountId, changeId, settled.change.status);
    if (undone !== null) await this.#publish(accountId, undone, 'undone');
  }

  /**
   * True if the tracker asks for a wait longer than {@link MAX_TRACKER_PAUSE_MS}. The change then
   * fails, because users can retry a failed change but not a waiting one.
   */
  #isPauseTooLong(error: unknown): boolean {
    if (!(error instanceof TrackerError) || error.retryAt === null) return false;
    return error.retryAt.getTime() - this.#options.now().getTime() > MAX_TRACKER_PAUSE_MS;
  }

  async #publish(accountId: string, changeId: string, status: store.ChangeRow['status']): Promise<void> {
    await this.#options.publish(accountId, { type: 'change_updated', change_id: changeId, status });
  }
}

/**
 * Returns the data to store with a step. This includes the state of the issue after the step. Later
 * tracker events are compared with that state.
 */
function memoryOf({ status, memory, issue }: StepOutcome): StepMemory {
  if (status !== 'applied' || issue === undefined) return memory;
  return { ...memory, stood: { as: stateHashInTracker(issue), at: issue.updatedAt.toISOString() } };
}

/**
 * True if only this step's issue is skipped and the change continues with its other issues. This
 * applies to issues that differ from the plan, and to issues that the undo of a cluster's change
 * cannot restore.
 */
function isLeftOut(
  error: unknown,
  { change }: store.ChangeRecord,
  step: store.StepRow,
): error is StepRefused {
  if (error instanceof LeftOutError) return true;
  return error instanceof StepRefused && change.undoes !== null && step.step_group > 0;
}

/** True if a retry of the step would fail in the same way. */
function isFinal(error: unknown): boolean {
  if (error instanceof TrackerError) return !error.transient;
  return (
    error instanceof StepRefused ||
    error instanceof WriteNotApplied ||
    error instanceof CallFailed ||
    (error instanceof AppError && error.isCallerError)
  );
}

function sentenceOf(error: unknown): string {
  const isForPeople =
    error instanceof TrackerError ||
    error instanceof StepRefused ||
    error instanceof WriteNotApplied ||
    error instanceof CallFailed;
  if (isForPeople) return error.message;
  if (error instanceof AppError) return error.detail;
  return 'This step failed. The reason is in the log.';
}

function settledStatus(steps: readonly store.StepRow[]): 'applied' | 'partly_applied' | 'failed' {
  const isApplied = steps.some((step) => step.status === 'applied');
  if (steps.some((step) => step.status === 'failed')) return isApplied ? 'partly_applied' : 'failed';
  // If every issue was skipped, the change has failed.
  return !isApplied && steps.some(isRefused) ? 'failed' : 'applied';
}

/** True if the step was refused because its issue has changed since the change was planned. */
function isRefused({ result }: store.StepRow): boolean {
  return result.refused === true;
}
