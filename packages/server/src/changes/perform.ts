import { contentHashOf } from '../issues/content-hash.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import type { Db, StepMemory } from '../schema/tables.ts';
import { type Provider, type ProviderIssue, TrackerError } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';
import { hashOfTexts, haveSameText, isWritten } from './edited-texts.ts';
import * as store from './store.ts';
import { targetOf } from './target.ts';

/** What became of a step. */
export interface StepOutcome {
  status: 'applied' | 'skipped';
  /** Why there was nothing to do, for a person. */
  note: string | null;
  /** What the step is to remember from now on. */
  memory: StepMemory;
  /** The issue as the tracker has it now, where the step changed it. */
  issue?: ProviderIssue;
}

/** Why a step was not even tried, for a person; trying again would not help. */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
}

/** A tracker took a write and did something else. It may have done a part, so a retry looks for it first. */
export class NotAsAsked extends Error {
  override readonly name = 'NotAsAsked';
}

/** A step that is being carried out. */
interface Work {
  record: store.ChangeRecord;
  step: store.StepRow;
  issue: IssueView;
  provider: Provider;
  /** It was begun before, so it is looked for in the tracker first. */
  begun: boolean;
  signal: AbortSignal;
}

/** Carries out single steps: the only place that calls a provider's writing methods. */
export class StepPerformer {
  readonly #db: Db;
  readonly #trackers: Trackers;

  constructor({ db, trackers }: { db: Db; trackers: Trackers }) {
    this.#db = db;
    this.#trackers = trackers;
  }

  /**
   * Carries out one step. One that was begun before is looked for in the tracker, so nothing is done twice.
   * @throws {StepRefused | NotAsAsked | TrackerError}
   */
  async perform(
    record: store.ChangeRecord,
    step: store.StepRow,
    { begun, signal }: { begun: boolean; signal: AbortSignal },
  ): Promise<StepOutcome> {
    if (step.action === 'mark_unrelated' || step.action === 'unmark_unrelated') return applied(step);
    const issue = await this.#issue(record.change.account_id, step.target_issue_id, step.target_key);
    const { provider } = await this.#trackers.open(issue.account_id, issue.tracker_id);
    const work: Work = { record, step, issue, provider, begun, signal };
    switch (step.action) {
      case 'edit':
        return this.#edit(work);
      case 'comment':
        return this.#comment(work);
      case 'delete_comment':
        return this.#deleteComment(work);
      case 'close_as_duplicate':
        return this.#close(work);
      case 'reopen':
        return this.#reopen(work);
      case 'link_blocking':
        return this.#link(work);
      case 'unlink_blocking':
        return this.#unlink(work);
    }
  }

  /** Writes texts over what they were planned on, and nothing else. */
  async #edit({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const { before, after, result } = step;
    const live = await this.#live(provider, issue, signal);
    const isUntouched =
      result.left === undefined ? haveSameText(live, before) : hashOfTexts(live, after) === result.left;
    const asLeft = (left: ProviderIssue, memory: StepMemory): StepOutcome => ({
      ...applied(step),
      memory: { ...memory, left: hashOfTexts(left, after), left_hash: contentHashOf(left) },
      issue: left,
    });
    if (!isUntouched) {
      if (begun && isWritten(live, before, after)) return asLeft(live, result);
      throw new StepRefused(`${issue.key} was edited in the tracker since.`);
    }
    const { title, description } = after;
    const { restore, native = live.nativeDescription } = result;
    const memory = description === undefined || native === undefined ? result : { ...result, native };
    // Before it is written over: a process that ends right after must not have lost it.
    await store.setStep(this.#db, issue.account_id, step.id, { status: 'applying', result: memory });
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
    return asLeft(edited, memory);
  }

  async #comment({ record, provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    if (step.result.unless_linked === true && (await this.#isLinked(record))) {
      return { status: 'skipped', note: 'The tracker keeps the link itself.', memory: step.result };
    }
    const target = targetOf(issue);
    const posted = begun
      ? await provider.findComment(target, step.id, record.change.created_at, signal)
      : null;
    const comment_external_id =
      posted ??
      (await this.#write(issue, () => provider.comment(target, step.after.comment ?? '', step.id, signal)));
    return { ...applied(step), memory: { ...step.result, comment_external_id } };
  }

  async #deleteComment({ provider, issue, step, signal }: Work): Promise<StepOutcome> {
    const commentId = step.result.comment_external_id ?? '';
    await this.#write(issue, () => provider.deleteComment(targetOf(issue), commentId, signal));
    return applied(step);
  }

  /** Closes an issue towards one that is, as its tracker has it now, no duplicate itself. */
  async #close({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const { duplicate_of: duplicateOf = null } = step.after;
    const original = await this.#issue(issue.account_id, step.result.original_id ?? '', duplicateOf ?? '');
    const isLinked = original.tracker_id === issue.tracker_id;
    const asLeft = (left: ProviderIssue): StepOutcome => {
      const now = { ...left, duplicateOf };
      const closed = { content_hash: contentHashOf(now), at: now.closedAt?.toISOString() ?? null };
      return { ...applied(step), memory: { ...step.result, closed }, issue: now };
    };
    const live = await this.#live(provider, issue, signal);
    if (live.state === 'closed') {
      // Across trackers nothing tells of what an issue was closed as a duplicate.
      const isOurs = begun && (!isLinked || live.isDuplicate || live.duplicateOf !== null);
      if (!isOurs) throw new StepRefused(`${issue.key} was closed by somebody else.`);
      return asLeft(live);
    }
    await this.#expectNoDuplicate(original, signal);
    const closed = await this.#write(issue, () =>
      provider.closeAsDuplicate(targetOf(issue), isLinked ? targetOf(original) : null, signal),
    );
    expectAnswer(closed, issue, closed.state === 'closed', 'is still open');
    return asLeft(closed);
  }

  async #reopen({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const live = await this.#live(provider, issue, signal);
    if (live.state === 'opened') {
      const note = `${issue.key} is open already.`;
      return { status: begun ? 'applied' : 'skipped', note, memory: step.result, issue: live };
    }
    const { closed } = step.result;
    if (closed !== undefined && !isAsWeClosed(live, closed)) {
      throw new StepRefused(`${issue.key} was changed since it was closed here. Reopen it in the tracker.`);
    }
    const reopened = await this.#write(issue, () => provider.reopen(targetOf(issue), signal));
    expectAnswer(reopened, issue, reopened.state === 'opened', 'is still closed');
    return { ...applied(step), issue: reopened };
  }

  /** Says in the tracker that the issue blocks another one; where it has no such links, nothing is done. */
  async #link({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const other = await this.#otherEnd(issue, step);
    if (await blocks(provider, issue, other, signal)) {
      if (begun) return applied(step);
      const note = `${issue.key} blocks ${other.key} already.`;
      return { status: 'skipped', note, memory: { ...step.result, was_linked: true } };
    }
    try {
      await this.#write(issue, () => provider.link(targetOf(issue), 'blocks', targetOf(other), signal));
    } catch (error) {
      if (!(error instanceof TrackerError) || error.code !== 'unsupported') throw error;
      return { status: 'skipped', note: error.message, memory: step.result };
    }
    return applied(step);
  }

  async #unlink({ provider, issue, step, signal }: Work): Promise<StepOutcome> {
    const other = await this.#otherEnd(issue, step);
    await this.#write(issue, () => provider.unlink(targetOf(issue), 'blocks', targetOf(other), signal));
    return applied(step);
  }

  #otherEnd(issue: IssueView, { before, after, result }: store.StepRow): Promise<IssueView> {
    return this.#issue(issue.account_id, result.linked_id ?? '', after.blocks ?? before.blocks ?? '');
  }

  /** Whether a link that the change was to make is there. */
  async #isLinked({ change }: store.ChangeRecord): Promise<boolean> {
    const now = await store.findChange(this.#db, change.account_id, change.id);
    return (
      now?.steps.some(
        ({ action, status, result }) =>
          action === 'link_blocking' && (status === 'applied' || result.was_linked === true),
      ) ?? false
    );
  }

  /** Somebody may have closed the survivor as a duplicate while the steps before were written. */
  async #expectNoDuplicate(original: IssueView, signal: AbortSignal): Promise<void> {
    const { provider } = await this.#trackers.open(original.account_id, original.tracker_id);
    const { state, isDuplicate, duplicateOf } = await this.#live(provider, original, signal);
    if (state === 'closed' && (isDuplicate || duplicateOf !== null)) {
      throw new StepRefused(`${original.key} was itself closed as a duplicate meanwhile.`);
    }
  }

  /** Writes, and remembers of the tracker whether its credentials may. */
  async #write<T>(issue: IssueView, write: () => Promise<T>): Promise<T> {
    const { health } = this.#trackers;
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
    const [issue] = issueId === '' ? [] : await findIssues(this.#db, accountId, [issueId]);
    if (!issue)
      throw new StepRefused(`${key} is no longer here: it is gone from its tracker, or out of scope.`);
    return issue;
  }
}

function applied({ result }: store.StepRow): StepOutcome {
  return { status: 'applied', note: null, memory: result };
}

/** Holds a tracker's answer to a write against what was asked for. @throws {NotAsAsked} */
function expectAnswer(answer: ProviderIssue, issue: IssueView, isDone: boolean, otherwise: string): void {
  if (answer.externalId === issue.external_id && isDone) return;
  throw new NotAsAsked(`The tracker took the change, but ${issue.key} ${otherwise}.`);
}

/** Whether nobody edited the issue, or closed it anew, since our close left it like this. */
function isAsWeClosed(live: ProviderIssue, left: NonNullable<StepMemory['closed']>): boolean {
  return contentHashOf(live) === left.content_hash && (live.closedAt?.toISOString() ?? null) === left.at;
}

/** Whether the tracker says that one issue blocks another. */
async function blocks(
  provider: Provider,
  issue: IssueView,
  other: IssueView,
  signal: AbortSignal,
): Promise<boolean> {
  const links = await provider.links(targetOf(issue), signal);
  const otherKey = other.key.toLowerCase();
  return links.some(({ kind, key }) => kind === 'blocks' && key.toLowerCase() === otherKey);
}
