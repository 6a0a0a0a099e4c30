import { setTimeout as pause } from 'node:timers/promises';
import { contentHashOf, findIssues, findProject, type IssueView } from '../issues/index.ts';
import type { StepMemory } from '../schema/change-tables.ts';
import type { Db } from '../schema/tables.ts';
import {
  type NewIssue,
  type Provider,
  type ProviderIssue,
  TrackerError,
  type TrackerErrorCode,
  type Trackers,
} from '../trackers/index.ts';
import { hashOfTexts, haveSameText, isUnchanged, isWritten } from './edited-texts.ts';
import type { Ledger } from './ledger.ts';
import { performCall } from './perform-call.ts';
import * as store from './store.ts';
import { targetOf } from './target.ts';

/** Outcome of a step that did not fail. */
export interface StepOutcome {
  status: 'applied' | 'skipped';
  /** Explains to users why the step had nothing to do, or what it omitted. */
  note: string | null;
  /** Data that later steps and an undo need. */
  memory: StepMemory;
  /** The issue as the tracker returned it, if the step changed it. */
  issue?: ProviderIssue;
}

/**
 * A step was not tried, because it could not succeed. The message tells users why. A retry would
 * not help.
 */
export class StepRefused extends Error {
  override readonly name = 'StepRefused';
  /** State of the issue in the tracker, if this state is the reason; otherwise null. */
  readonly live: ProviderIssue | null;

  constructor(sentence: string, live: ProviderIssue | null = null) {
    super(sentence);
    this.live = live;
  }
}

/**
 * An issue is skipped while the change continues with its other issues. The message tells users
 * why.
 */
export class LeftOutError extends StepRefused {}

/**
 * A tracker accepted a write but did not apply it as requested. A part of the write may have been
 * applied, so a retry first reads the tracker.
 */
export class WriteNotApplied extends Error {
  override readonly name = 'WriteNotApplied';
}

/**
 * A tracker accepted a write, but the result could not be read. A retry must assume that the write
 * took effect.
 */
export class WriteUnconfirmed extends TrackerError {
  constructor(cause: TrackerError) {
    super(cause.code, cause.message, { retryAt: cause.retryAt, cause });
  }
}

/** Error codes that mean that the tracker did not create the issue. */
const REFUSAL_CODES: readonly TrackerErrorCode[] = ['unauthorized', 'forbidden', 'invalid', 'rate_limited'];

/**
 * Pause before an issue's state is read a second time, in milliseconds. The first read may come
 * from a lagging replica of the tracker.
 */
const REPLICA_LAG_MS = 1_000;

/** A step in progress, with its issue and tracker. */
interface Work {
  record: store.ChangeRecord;
  step: store.StepRow;
  issue: IssueView;
  provider: Provider;
  /**
   * True if the step was started by an earlier attempt. Then the tracker is first checked for the
   * step's effect.
   */
  begun: boolean;
  signal: AbortSignal;
}

export interface PerformerOptions {
  db: Db;
  trackers: Trackers;
  ledger: Pick<Ledger, 'actionHandler'>;
}

/** Performs single steps. Only this class calls the write methods of providers. */
export class StepPerformer {
  readonly #db: Db;
  readonly #trackers: Trackers;
  readonly #ledger: Pick<Ledger, 'actionHandler'>;

  constructor({ db, trackers, ledger }: PerformerOptions) {
    this.#db = db;
    this.#trackers = trackers;
    this.#ledger = ledger;
  }

  /**
   * Performs one step. If the step was started by an earlier attempt, first checks whether the
   * tracker already shows its effect. Thus nothing is written twice.
   *
   * @throws {StepRefused | WriteNotApplied | CallFailed | TrackerError | AppError}
   */
  async perform(
    record: store.ChangeRecord,
    step: store.StepRow,
    { begun, signal }: { begun: boolean; signal: AbortSignal },
  ): Promise<StepOutcome> {
    if (step.action === 'mark_unrelated' || step.action === 'unmark_unrelated') return applied(step);
    if (step.action === 'call_tool') {
      const handler = this.#ledger.actionHandler(step.action);
      const memory = await performCall(handler, record.change.account_id, step, { begun, signal });
      return { ...applied(step), memory };
    }
    if (step.action === 'create') return this.#create(record, step, { begun, signal });
    const { base_hash: planned } = step.result;
    const issue = await this.#issue(record.change.account_id, step.target_issue_id, step.target_key).catch(
      (error: unknown) => {
        throw planned !== undefined && error instanceof StepRefused ? new LeftOutError(error.message) : error;
      },
    );
    const { provider } = await this.#trackers.open(issue.account_id, issue.tracker_id);
    const work: Work = { record, step, issue, provider, begun, signal };
    switch (step.action) {
      case 'edit':
        return this.#edit(work);
      case 'comment':
        return this.#comment(work);
      case 'delete_comment':
        return this.#deleteComment(work);
      case 'assign':
        return this.#assign(work);
      case 'change_labels':
        return this.#changeLabels(work);
      case 'close_as_duplicate':
        return this.#closeAsDuplicate(work);
      case 'close':
        return this.#close(work);
      case 'reopen':
        return this.#reopen(work);
      case 'link_blocking':
        return this.#link(work);
      case 'unlink_blocking':
        return this.#unlink(work);
    }
  }

  /**
   * Checks an issue before the first step of its group.
   * @throws {LeftOutError} if the issue differs from the plan
   * @throws {TrackerError} if the tracker is known to refuse the comment or the close
   */
  async #expectAsPlanned(
    provider: Provider,
    issue: IssueView,
    planned: string,
    signal: AbortSignal,
  ): Promise<void> {
    const target = targetOf(issue);
    const live = await provider.issue(target, signal);
    if (live === null) throw new LeftOutError(`${issue.key} is missing from its tracker.`);
    if (live.state === 'closed') throw new LeftOutError(`${issue.key} was closed by someone else.`, live);
    if (contentHashOf(live) !== planned)
      throw new LeftOutError(`${issue.key} was edited by someone else.`, live);
    await provider.expectWritable(target, 'comment', signal);
    await provider.expectWritable(target, 'close', signal);
  }

  /** Replaces texts of an issue, unless they were edited since the change was planned. */
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
      throw new StepRefused(
        `${issue.key} has been edited in the tracker since this change was prepared.`,
        live,
      );
    }
    const { title, description } = after;
    const { restore, native = live.nativeDescription } = result;
    const memory = description === undefined || native === undefined ? result : { ...result, native };
    // Stores the original text before the write. Otherwise a crash after the write would lose it.
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
    expectApplied(edited, issue, !isUnchanged(edited, before, after), 'still has the previous text');
    const isAsWritten = isWritten(edited, before, after);
    const note = isAsWritten
      ? null
      : `${issue.key} was edited, but its tracker shows a text that differs from the one written.`;
    return { ...asLeft(edited, memory), note };
  }

  async #comment({ record, provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    if (step.result.unless_linked === true && (await this.#isLinked(record))) {
      return {
        status: 'skipped',
        note: 'No comment is needed: the tracker stores the link.',
        memory: step.result,
      };
    }
    const target = targetOf(issue);
    const { comment, note } = await this.#commentOf(record, step);
    if (comment === null) return { status: 'skipped', note, memory: step.result };
    const posted = begun
      ? await provider.findComment(target, step.id, record.change.created_at, signal)
      : null;
    const { base_hash: planned } = step.result;
    if (posted === null && planned !== undefined) {
      await this.#expectAsPlanned(provider, issue, planned, signal);
    }
    const comment_external_id =
      posted ?? (await this.#write(issue, () => provider.comment(target, comment, step.id, signal)));
    return { ...applied(step), note, memory: { ...step.result, comment_external_id } };
  }

  /**
   * Returns the comment that lists the closed issues. Lines and quotes about issues that were not
   * closed are removed. `comment` is null if no issue was closed. `note` states what differs from
   * the plan.
   */
  async #commentOf(
    { change }: store.ChangeRecord,
    { after, result }: store.StepRow,
  ): Promise<{ comment: string | null; note: string | null }> {
    const { comment = '' } = after;
    const { lines, quotes = {} } = result;
    if (lines === undefined) return { comment, note: null };
    const record = await store.findChange(this.#db, change.account_id, change.id);
    const closing = (record?.steps ?? []).filter(({ action }) => action === 'close_as_duplicate');
    const open = closing.filter(({ status }) => status !== 'applied');
    if (open.length === closing.length) return { comment: null, note: 'No issue was closed.' };
    if (open.length === 0) return { comment, note: null };
    let text = comment;
    const [removed, edited]: [string[], string[]] = [[], []];
    for (const { target_issue_id: id, target_key: key } of open) {
      const left = withoutLines(text, lines[id]);
      (left === text ? edited : removed).push(key);
      // Also removes the blank line before the quotes.
      text = withoutLines(left, quotes[id] === undefined ? undefined : `\n${quotes[id]}`);
    }
    const notes = [
      ...(removed.length === 0 ? [] : [`Posted without ${removed.join(', ')}, which were not closed.`]),
      ...(edited.length === 0 ? [] : [`Not closed, but possibly named: ${edited.join(', ')}.`]),
    ];
    return { comment: text, note: notes.join(' ') };
  }

  async #deleteComment({ provider, issue, step, signal }: Work): Promise<StepOutcome> {
    const commentId = step.result.comment_external_id ?? '';
    await this.#write(issue, () => provider.deleteComment(targetOf(issue), commentId, signal));
    return applied(step);
  }

  /**
   * Creates an issue. If an earlier attempt lost the tracker's response, finds the created issue by
   * its marker.
   */
  async #create(
    { change }: store.ChangeRecord,
    step: store.StepRow,
    { begun, signal }: { begun: boolean; signal: AbortSignal },
  ): Promise<StepOutcome> {
    const { account_id: accountId } = change;
    const project = await findProject(this.#db, accountId, step.result.project_id ?? '');
    if (!project)
      throw new StepRefused(`${step.target_key} is unavailable: it was removed or is out of scope.`);
    const { provider } = await this.#trackers.open(accountId, project.tracker_id);
    const place = { externalId: project.external_id, identifier: project.identifier, name: project.name };
    const { title = '', description = '', labels = [], assignees = [] } = step.after;
    const draft = { title, description, labels, assignees };
    const look = () => provider.findCreated(place, step.id, change.created_at, signal);
    const write = () =>
      this.#write({ account_id: accountId, tracker_id: project.tracker_id }, () =>
        provider.create(place, draft, step.id, signal),
      );
    const issue =
      (begun ? await look() : null) ?? (await write().catch((error) => createdDespiteError(error, look)));
    return {
      status: 'applied',
      note: omissionNote(project.identifier, draft, issue),
      memory: { ...step.result, left_hash: contentHashOf(issue) },
      issue,
    };
  }

  /** Sets the assignees, unless the issue was reassigned since the change was planned. */
  async #assign({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const { assignees: wanted = [] } = step.after;
    const live = await this.#live(provider, issue, signal);
    if (sameNames(live.assignees, wanted)) {
      const note = `${issue.key} already has these assignees.`;
      return {
        status: begun ? 'applied' : 'skipped',
        note: begun ? null : note,
        memory: step.result,
        issue: live,
      };
    }
    if (!sameNames(live.assignees, step.before.assignees ?? [])) {
      throw new StepRefused(
        `${issue.key} has been assigned to someone else since this change was prepared.`,
        live,
      );
    }
    const assigned = await this.#write(issue, () => provider.assign(targetOf(issue), wanted, signal));
    expectApplied(
      assigned,
      issue,
      sameNames(assigned.assignees, wanted),
      'does not have the requested assignees',
    );
    return { ...applied(step), issue: assigned };
  }

  /** Adds and removes labels. Labels that the step does not name are preserved. */
  async #changeLabels({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const { labels: before = [] } = step.before;
    const { labels: after = [] } = step.after;
    const add = difference(after, before);
    const remove = difference(before, after);
    const isDone = ({ labels }: ProviderIssue) =>
      difference(lowerCased(add), lowerCased(labels)).length === 0 &&
      difference(remove, labels).length === remove.length;
    const asLeft = (left: ProviderIssue): StepOutcome => {
      return { ...applied(step), memory: { ...step.result, left_hash: contentHashOf(left) }, issue: left };
    };
    const live = await this.#live(provider, issue, signal);
    if (isDone(live)) {
      if (begun) return asLeft(live);
      return { status: 'skipped', note: `${issue.key} already has these labels.`, memory: step.result };
    }
    const labeled = await this.#write(issue, () =>
      provider.changeLabels(targetOf(issue), { add, remove }, signal),
    );
    expectApplied(labeled, issue, isDone(labeled), 'does not have the requested labels');
    return asLeft(labeled);
  }

  /** Closes an issue without marking it as a duplicate of another issue. */
  async #close({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const { close_reason: reason = 'completed' } = step.after;
    const { only_if: onlyIf } = step.result;
    const asLeft = (left: ProviderIssue): StepOutcome => ({
      ...applied(step),
      memory: { ...step.result, closed: closeSnapshot(left) },
      issue: left,
    });
    const live = await this.#live(provider, issue, signal);
    if (live.state === 'closed') {
      if (begun) return asLeft(live);
      return { status: 'skipped', note: `${issue.key} is already closed.`, memory: step.result, issue: live };
    }
    if (onlyIf !== undefined && contentHashOf(live) !== onlyIf) {
      throw new StepRefused(`${issue.key} has changed since Winnow created it. Close it in the tracker.`);
    }
    const closed = await this.#write(issue, () => provider.close(targetOf(issue), reason, signal));
    return asLeft(await this.#confirmState(provider, issue, closed, 'closed', signal));
  }

  /**
   * Closes an issue as a duplicate of its original. The original must not be a duplicate itself.
   */
  async #closeAsDuplicate({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const { duplicate_of: duplicateOf = null } = step.after;
    const original = await this.#issue(issue.account_id, step.result.original_id ?? '', duplicateOf ?? '');
    const isLinked = original.tracker_id === issue.tracker_id;
    const asLeft = (left: ProviderIssue): StepOutcome => {
      const now = { ...left, duplicateOf };
      return { ...applied(step), memory: { ...step.result, closed: closeSnapshot(now) }, issue: now };
    };
    const live = await this.#live(provider, issue, signal);
    if (live.state === 'closed') {
      // Trackers do not report duplicates of issues in other trackers.
      const isOurs = begun && (!isLinked || live.isDuplicate || live.duplicateOf !== null);
      if (!isOurs) throw new StepRefused(`${issue.key} was closed by someone else.`);
      return asLeft(live);
    }
    const { base_hash: planned } = step.result;
    if (planned !== undefined && contentHashOf(live) !== planned) {
      throw new StepRefused(`${issue.key} was edited by someone else.`, live);
    }
    await this.#expectNotDuplicate(original, signal);
    const closed = await this.#write(issue, () =>
      // Trackers cannot link an issue to its original in another tracker.
      isLinked
        ? provider.closeAsDuplicate(targetOf(issue), targetOf(original), signal)
        : provider.close(targetOf(issue), 'not_planned', signal),
    );
    return asLeft(await this.#confirmState(provider, issue, closed, 'closed', signal));
  }

  async #reopen({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const live = await this.#live(provider, issue, signal);
    if (live.state === 'opened') {
      const note = `${issue.key} is already open.`;
      return { status: begun ? 'applied' : 'skipped', note, memory: step.result, issue: live };
    }
    const { closed } = step.result;
    if (closed !== undefined && !isUnchangedSinceClose(live, closed)) {
      throw new StepRefused(`${issue.key} has changed since Winnow closed it. Reopen it in the tracker.`);
    }
    const reopened = await this.#write(issue, () => provider.reopen(targetOf(issue), signal));
    const left = await this.#confirmState(provider, issue, reopened, 'opened', signal);
    return { ...applied(step), issue: left };
  }

  /**
   * Stores in the tracker that the issue blocks another issue. Skips the step if the tracker does
   * not support such links.
   */
  async #link({ provider, issue, step, begun, signal }: Work): Promise<StepOutcome> {
    const other = await this.#otherEnd(issue, step);
    if (await isLinkedAsBlocking(provider, issue, other, signal)) {
      if (begun) return applied(step);
      const note = `${issue.key} already blocks ${other.key}.`;
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

  /** True if the change has created its link in the tracker, or if the link already existed. */
  async #isLinked({ change }: store.ChangeRecord): Promise<boolean> {
    const now = await store.findChange(this.#db, change.account_id, change.id);
    return (
      now?.steps.some(
        ({ action, status, result }) =>
          action === 'link_blocking' && (status === 'applied' || result.was_linked === true),
      ) ?? false
    );
  }

  /** Refuses the step if the surviving issue was itself closed as a duplicate in the meantime. */
  async #expectNotDuplicate(original: IssueView, signal: AbortSignal): Promise<void> {
    const { provider } = await this.#trackers.open(original.account_id, original.tracker_id);
    const { state, isDuplicate, duplicateOf } = await this.#live(provider, original, signal);
    if (state === 'closed' && (isDuplicate || duplicateOf !== null)) {
      throw new StepRefused(
        `${original.key} is now closed as a duplicate itself. Choose another issue to keep.`,
      );
    }
  }

  /** Runs a write. Records whether the tracker's credentials allow writing. */
  async #write<T>(issue: Pick<IssueView, 'account_id' | 'tracker_id'>, write: () => Promise<T>): Promise<T> {
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

  /**
   * Reads an issue after it was closed or reopened, and returns it. Needed because a tracker's
   * response may report a state that was not stored.
   *
   * @throws {WriteNotApplied} if the response or the tracker shows another state
   * @throws {WriteUnconfirmed} if the issue cannot be read
   */
  async #confirmState(
    provider: Provider,
    issue: IssueView,
    answer: ProviderIssue,
    state: ProviderIssue['state'],
    signal: AbortSignal,
  ): Promise<ProviderIssue> {
    const otherwise = state === 'closed' ? 'is still open' : 'is still closed';
    expectApplied(answer, issue, answer.state === state, otherwise);
    const read = () =>
      this.#live(provider, issue, signal).catch((error: unknown) => {
        throw error instanceof TrackerError ? new WriteUnconfirmed(error) : error;
      });
    let live = await read();
    if (live.state !== state) {
      await pause(REPLICA_LAG_MS, undefined, { signal });
      live = await read();
    }
    expectApplied(live, issue, live.state === state, otherwise);
    return live;
  }

  async #live(provider: Provider, issue: IssueView, signal: AbortSignal): Promise<ProviderIssue> {
    const live = await provider.issue(targetOf(issue), signal);
    if (live === null) throw new StepRefused(`${issue.key} is missing from its tracker.`);
    return live;
  }

  async #issue(accountId: string, issueId: string, key: string): Promise<IssueView> {
    const [issue] = issueId === '' ? [] : await findIssues(this.#db, accountId, [issueId]);
    if (!issue)
      throw new StepRefused(`${key} is unavailable: it was removed from its tracker or is out of scope.`);
    return issue;
  }
}

/** Removes the given lines from a text. Returns the text unchanged if it does not contain them. */
function withoutLines(text: string, lines: string | undefined): string {
  const whole = `\n${text}\n`;
  const at = lines === undefined ? -1 : whole.indexOf(`\n${lines}\n`);
  if (lines === undefined || at < 0) return text;
  return `${whole.slice(0, at)}${whole.slice(at + 1 + lines.length)}`.slice(1, -1);
}

function applied({ result }: store.StepRow): StepOutcome {
  return { status: 'applied', note: null, memory: result };
}

/**
 * Finds an issue that a tracker created although it returned an error. Rethrows the error if no
 * such issue is found.
 */
async function createdDespiteError(
  error: unknown,
  look: () => Promise<ProviderIssue | null>,
): Promise<ProviderIssue> {
  if (!(error instanceof TrackerError) || REFUSAL_CODES.includes(error.code)) throw error;
  const made = await look().catch(() => null);
  if (made === null) throw error;
  return made;
}

/**
 * Returns a note on labels and assignees that the tracker did not set on a new issue; null if it
 * set all of them.
 */
function omissionNote(project: string, { labels, assignees }: NewIssue, made: ProviderIssue): string | null {
  const missing = [
    ...nameAll('label', difference(lowerCased(labels), lowerCased(made.labels))),
    ...nameAll('assignee', difference(lowerCased(assignees), lowerCased(made.assignees))),
  ];
  if (missing.length === 0) return null;
  return `The tracker left out the ${missing.join(' and the ')}. The token of its connection may not be allowed to set them in ${project}.`;
}

function nameAll(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}${names.length === 1 ? '' : 's'} ${names.join(', ')}`];
}

/**
 * Throws unless a tracker's response shows the right issue and `isDone` is true.
 * @throws {WriteNotApplied}
 */
function expectApplied(answer: ProviderIssue, issue: IssueView, isDone: boolean, otherwise: string): void {
  if (answer.externalId === issue.external_id && isDone) return;
  throw new WriteNotApplied(`The tracker accepted the change, but ${issue.key} ${otherwise}.`);
}

/** Returns the state of an issue right after it was closed, to recognize later changes. */
function closeSnapshot(issue: ProviderIssue): NonNullable<StepMemory['closed']> {
  return { content_hash: contentHashOf(issue), at: issue.closedAt?.toISOString() ?? null };
}

/** Returns the names that are not among `others`. */
function difference(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

/** Lower-cases names, because these trackers compare them case-insensitively. */
function lowerCased(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase());
}

function sameNames(names: readonly string[], others: readonly string[]): boolean {
  return difference(names, others).length === 0 && difference(others, names).length === 0;
}

/** True if no one edited the issue, or closed it again, since Winnow closed it. */
function isUnchangedSinceClose(live: ProviderIssue, left: NonNullable<StepMemory['closed']>): boolean {
  const now = closeSnapshot(live);
  return now.content_hash === left.content_hash && now.at === left.at;
}

/** True if the tracker has a link that says that `issue` blocks `other`. */
async function isLinkedAsBlocking(
  provider: Provider,
  issue: IssueView,
  other: IssueView,
  signal: AbortSignal,
): Promise<boolean> {
  const links = await provider.links(targetOf(issue), signal);
  const otherKey = other.key.toLowerCase();
  return links.some(({ kind, key }) => kind === 'blocks' && key.toLowerCase() === otherKey);
}
