import type { LiveEvent } from '@winnow/contract/live';
import { contentHashOf } from '../issues/content-hash.ts';
import type { IssueIntake } from '../issues/intake.ts';
import { deleteComment, findIssues, type IssueView } from '../issues/service.ts';
import { AppError } from '../platform/errors.ts';
import type { Db, StepMemory } from '../schema/tables.ts';
import { type Provider, type ProviderIssue, TrackerError } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';
import { hashOfTexts, haveSameText, isWritten } from './edited-texts.ts';
import type { Ledger } from './ledger.ts';
import * as store from './store.ts';
import { placeOf, targetOf } from './target.ts';

export interface ApplierOptions {
  db: Db;
  ledger: Ledger;
  trackers: Trackers;
  intake: IssueIntake;
  now: () => Date;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** What one try came to: done, or when to try again. */
export interface ApplyOutcome {
  retryAt: Date | null;
}

interface StepOutcome {
  status: 'applied' | 'skipped';
  note: string | null;
  commentExternalId?: string;
  issue?: ProviderIssue;
  /** What the step remembers already. */
  memory?: StepMemory;
}

/** A tracker that asks for a longer pause fails the step. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** Why a step was not even tried, for a person; trying again would not help. */
class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

/** A tracker took a write and did something else. It may have done a part, so a retry looks for it first. */
class NotAsAsked extends Error {
  override readonly name = 'NotAsAsked';
}

/** Holds a tracker's answer to a write against what was asked for. @throws {NotAsAsked} */
function expectAnswer(answer: ProviderIssue, issue: IssueView, isDone: boolean, otherwise: string): void {
  if (answer.externalId === issue.external_id && isDone) return;
  throw new NotAsAsked(`The tracker took the change, but ${issue.key} ${otherwise}.`);
}

/** Carries changes out. Nothing else calls a provider's writing methods. */
export class ChangeApplier {
  readonly #options: ApplierOptions;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /**
   * Applies what is left of a change, one step at a time; safe to run again after a crash at any point, because a step
   * that was begun is first looked for in the tracker. Passing faults are thrown for the job to try again, unless
   * `isLastAttempt`: then they fail the step. The caller makes sure that a change is applied once at a time.
   */
  async apply(
    accountId: string,
    changeId: string,
    job: { signal: AbortSignal; isLastAttempt: boolean },
  ): Promise<ApplyOutcome> {
    const { db } = this.#options;
    const record = await store.findChange(db, accountId, changeId);
    if (record?.change.status !== 'applying') return { retryAt: null };
    for (const step of record.steps) {
      if (step.status !== 'pending' && step.status !== 'applying') continue;
      job.signal.throwIfAborted();
      // What a limit kept out was not begun: what is found in the tracker later is somebody else's doing.
      const { kept_out: wasKeptOut = false, ...memory } = step.result;
      const begun = step.status === 'applying' && !wasKeptOut;
      await store.setStep(db, accountId, step.id, { status: 'applying', result: memory });
      try {
        const outcome = await this.#perform(record, step, begun, job.signal);
        await this.#recordStep(accountId, step, outcome);
      } catch (error) {
        job.signal.throwIfAborted();
        const sentence = sentenceOf(error);
        const isWaiting = !isFinal(error) && !this.#waitsTooLong(error) && !job.isLastAttempt;
        if (isWaiting) {
          const isKeptOut = !begun && error instanceof TrackerError && error.code === 'rate_limited';
          await store.setStep(db, accountId, step.id, {
            status: 'applying',
            error: sentence,
            result: isKeptOut ? { ...memory, kept_out: true } : memory,
          });
          await this.#publish(accountId, changeId, 'applying');
          if (error instanceof TrackerError && error.retryAt !== null) return { retryAt: error.retryAt };
          throw error;
        }
        await store.setStep(db, accountId, step.id, {
          status: 'failed',
          error: sentence,
          ...(error instanceof StepRefused ? { result: { ...memory, refused: true } } : {}),
        });
        await store.moveSteps(db, accountId, changeId, ['pending'], 'skipped');
        break;
      }
      await this.#publish(accountId, changeId, 'applying');
    }
    await this.#settle(accountId, changeId);
    return { retryAt: null };
  }

  async #perform(
    record: store.ChangeRecord,
    step: store.StepRow,
    begun: boolean,
    signal: AbortSignal,
  ): Promise<StepOutcome> {
    if (step.action === 'mark_unrelated' || step.action === 'unmark_unrelated') {
      return { status: 'applied', note: null };
    }
    const accountId = record.change.account_id;
    const issue = await this.#issue(accountId, step.target_issue_id, step.target_key);
    const { provider } = await this.#options.trackers.open(accountId, issue.tracker_id);
    switch (step.action) {
      case 'edit':
        return this.#edit(provider, issue, step, begun, signal);
      case 'comment':
        return this.#comment(provider, issue, step, begun ? record.change.created_at : null, signal);
      case 'delete_comment': {
        const commentId = step.result.comment_external_id ?? '';
        await this.#write(issue, () => provider.deleteComment(targetOf(issue), commentId, signal));
        return { status: 'applied', note: null };
      }
      case 'close_as_duplicate':
        return this.#close(provider, issue, step, begun, signal);
      case 'reopen': {
        const live = await this.#live(provider, issue, signal);
        if (live.state === 'opened') {
          return {
            status: begun ? 'applied' : 'skipped',
            note: `${issue.key} is open already.`,
            issue: live,
          };
        }
        const { closed } = step.result;
        if (closed !== undefined && !isAsWeClosed(live, closed)) {
          throw new StepRefused(
            `${issue.key} was changed since it was closed here. Reopen it in the tracker.`,
          );
        }
        const reopened = await this.#write(issue, () => provider.reopen(targetOf(issue), signal));
        expectAnswer(reopened, issue, reopened.state === 'opened', 'is still closed');
        return { status: 'applied', note: null, issue: reopened };
      }
    }
  }

  /** Closes an issue towards one that is, as its tracker has it now, no duplicate itself. */
  async #close(
    provider: Provider,
    issue: IssueView,
    step: store.StepRow,
    begun: boolean,
    signal: AbortSignal,
  ): Promise<StepOutcome> {
    const { duplicate_of: duplicateOf = null } = step.after;
    const original = await this.#issue(issue.account_id, step.result.original_id ?? '', duplicateOf ?? '');
    const isLinked = original.tracker_id === issue.tracker_id;
    const live = await this.#live(provider, issue, signal);
    if (live.state === 'closed') {
      // Across trackers nothing tells of what an issue was closed as a duplicate.
      const isOurs = begun && (!isLinked || live.isDuplicate || live.duplicateOf !== null);
      if (!isOurs) throw new StepRefused(`${issue.key} was closed by somebody else.`);
      return { status: 'applied', note: null, issue: { ...live, duplicateOf } };
    }
    await this.#expectNoDuplicate(original, signal);
    const closed = await this.#write(issue, () =>
      provider.closeAsDuplicate(targetOf(issue), isLinked ? targetOf(original) : null, signal),
    );
    expectAnswer(closed, issue, closed.state === 'closed', 'is still open');
    return { status: 'applied', note: null, issue: { ...closed, duplicateOf } };
  }

  /** Somebody may have closed the survivor as a duplicate while the steps before were written. */
  async #expectNoDuplicate(original: IssueView, signal: AbortSignal): Promise<void> {
    const { provider } = await this.#options.trackers.open(original.account_id, original.tracker_id);
    const { state, isDuplicate, duplicateOf } = await this.#live(provider, original, signal);
    if (state === 'closed' && (isDuplicate || duplicateOf !== null)) {
      throw new StepRefused(`${original.key} was itself closed as a duplicate meanwhile.`);
    }
  }

  /** Writes texts over what they were planned on, and nothing else. */
  async #edit(
    provider: Provider,
    issue: IssueView,
    step: store.StepRow,
    begun: boolean,
    signal: AbortSignal,
  ): Promise<StepOutcome> {
    const { before, after, result } = step;
    const live = await this.#live(provider, issue, signal);
    const isUntouched =
      result.left === undefined ? haveSameText(live, before) : hashOfTexts(live, after) === result.left;
    if (!isUntouched) {
      if (begun && isWritten(live, before, after)) return { status: 'applied', note: null, issue: live };
      throw new StepRefused(`${issue.key} was edited in the tracker since.`);
    }
    const { title, description } = after;
    const { restore, native = live.nativeDescription } = result;
    const memory = description === undefined || native === undefined ? result : { ...result, native };
    // Before it is written over: a process that ends right after must not have lost it.
    await store.setStep(this.#options.db, issue.account_id, step.id, { status: 'applying', result: memory });
    const edited = await this.#write(issue, () =>
      provider.edit(
        targetOf(issue),
        {
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
          ...(restore === undefined ? {} : { nativeDescription: restore }),
        },
        signal,
      ),
    );
    expectAnswer(edited, issue, isWritten(edited, before, after), 'does not have the text that was written');
    return { status: 'applied', note: null, issue: edited, memory };
  }

  async #comment(
    provider: Provider,
    issue: IssueView,
    step: store.StepRow,
    lookSince: Date | null,
    signal: AbortSignal,
  ): Promise<StepOutcome> {
    const target = targetOf(issue);
    const posted = lookSince === null ? null : await provider.findComment(target, step.id, lookSince, signal);
    const commentExternalId =
      posted ??
      (await this.#write(issue, () => provider.comment(target, step.after.comment ?? '', step.id, signal)));
    return { status: 'applied', note: null, commentExternalId };
  }

  /** Writes, and remembers of the tracker whether its credentials may. */
  async #write<T>(issue: IssueView, write: () => Promise<T>): Promise<T> {
    const { health } = this.#options.trackers;
    try {
      const answer = await write();
      await health.noteWrite(issue.account_id, issue.tracker_id);
      return answer;
    } catch (error) {
      if (error instanceof TrackerError && error.code === 'forbidden') {
        await health.noteRefusedWrite(issue.account_id, issue.tracker_id, error.message);
      }
      throw error;
    }
  }

  async #live(provider: Provider, issue: IssueView, signal: AbortSignal): Promise<ProviderIssue> {
    const live = await provider.issue(targetOf(issue), signal);
    if (live === null) throw new StepRefused(`${issue.key} is not in the tracker any more.`);
    return live;
  }

  async #issue(accountId: string, issueId: string, key: string): Promise<IssueView> {
    const [issue] = issueId === '' ? [] : await findIssues(this.#options.db, accountId, [issueId]);
    if (!issue)
      throw new StepRefused(`${key} is no longer here: it is gone from its tracker, or out of scope.`);
    return issue;
  }

  /** Stores that a step is done together with what the tracker answered. */
  async #recordStep(accountId: string, step: store.StepRow, outcome: StepOutcome): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.setStep(transaction, accountId, step.id, {
        status: outcome.status,
        error: outcome.note,
        applied_at: this.#options.now(),
        result: memoryAfter(step, outcome),
      });
      if (step.action === 'delete_comment') {
        // A listing never tells of a comment that is gone.
        const comment = step.result.comment_external_id ?? '';
        await deleteComment(transaction, accountId, step.target_issue_id, comment);
      }
      if (!outcome.issue) return;
      const [issue] = await findIssues(transaction, accountId, [step.target_issue_id]);
      if (issue) await this.#options.intake.takeIssues(transaction, placeOf(issue), [outcome.issue]);
    });
  }

  /** Draws the line under a change and tells the feature that proposed it, in one transaction. */
  async #settle(accountId: string, changeId: string): Promise<void> {
    const { db, ledger, now } = this.#options;
    const undone = await db.transaction().execute(async (transaction) => {
      const record = await store.findChange(transaction, accountId, changeId);
      if (!record) return null;
      const status = settledStatus(record.steps);
      await store.setChangeStatus(transaction, accountId, changeId, { status, applied_at: now() });
      if (status !== 'applied') return null;
      if (record.change.undoes === null) {
        await ledger.announce(transaction, record, 'applied');
        return null;
      }
      const original = await store.findChange(transaction, accountId, record.change.undoes);
      if (!original) return null;
      await store.setChangeStatus(transaction, accountId, original.change.id, { status: 'undone' });
      await store.moveSteps(transaction, accountId, original.change.id, ['applied'], 'undone');
      await ledger.announce(transaction, original, 'undone');
      return original.change.id;
    });
    const settled = await store.findChange(db, accountId, changeId);
    if (settled) await this.#publish(accountId, changeId, settled.change.status);
    if (undone !== null) await this.#publish(accountId, undone, 'undone');
  }

  /** Nobody can decide about a change that waits; better it fails, and is tried again by hand. */
  #waitsTooLong(error: unknown): boolean {
    if (!(error instanceof TrackerError) || error.retryAt === null) return false;
    return error.retryAt.getTime() - this.#options.now().getTime() > LONGEST_WAIT_MS;
  }

  async #publish(accountId: string, changeId: string, status: store.ChangeRow['status']): Promise<void> {
    await this.#options.publish(accountId, { type: 'change_updated', change_id: changeId, status });
  }
}

function memoryAfter(step: store.StepRow, outcome: StepOutcome): StepMemory {
  if (outcome.commentExternalId !== undefined) {
    return { ...step.result, comment_external_id: outcome.commentExternalId };
  }
  if (step.action === 'edit' && outcome.issue) {
    const left = { left: hashOfTexts(outcome.issue, step.after), left_hash: contentHashOf(outcome.issue) };
    return { ...(outcome.memory ?? step.result), ...left };
  }
  if (step.action === 'close_as_duplicate' && outcome.issue) {
    const at = outcome.issue.closedAt?.toISOString() ?? null;
    return { ...step.result, closed: { content_hash: contentHashOf(outcome.issue), at } };
  }
  return step.result;
}

/** Whether nobody edited the issue, or closed it anew, since our close left it like this. */
function isAsWeClosed(live: ProviderIssue, left: NonNullable<StepMemory['closed']>): boolean {
  return contentHashOf(live) === left.content_hash && (live.closedAt?.toISOString() ?? null) === left.at;
}

/** Whether trying the same step again is pointless. */
function isFinal(error: unknown): boolean {
  if (error instanceof TrackerError) return !error.transient;
  return (
    error instanceof StepRefused ||
    error instanceof NotAsAsked ||
    (error instanceof AppError && error.status < 500)
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof TrackerError || error instanceof StepRefused || error instanceof NotAsAsked) {
    return error.message;
  }
  if (error instanceof AppError) return error.detail;
  return 'This step stopped for a reason that is in the log.';
}

function settledStatus(steps: readonly store.StepRow[]): 'applied' | 'partly_applied' | 'failed' {
  const failed = steps.some((step) => step.status === 'failed');
  if (!failed) return 'applied';
  return steps.some((step) => step.status === 'applied') ? 'partly_applied' : 'failed';
}
