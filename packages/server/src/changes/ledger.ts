import { randomUUID } from 'node:crypto';
import {
  type BaseHashes,
  CHANGE_STATUSES,
  type ChangeKind,
  type ChangeStatus,
} from '@winnow/contract/change';
import { contentHashOf } from '../issues/content-hash.ts';
import type { IssueIntake } from '../issues/intake.ts';
import { presentIssue } from '../issues/present.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import { AppError, conflict, notFound, upstreamFailed } from '../platform/errors.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db, StepMemory } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { connectionProblem } from '../trackers/connections.ts';
import { type ProviderIssue, TrackerError } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';
import { hashOfTexts, isWritten } from './edited-texts.ts';
import { type ChangePlan, type PlannedStep, undoSteps } from './plan.ts';
import * as store from './store.ts';
import { placeOf, targetOf } from './target.ts';

export type { ChangeRecord } from './store.ts';

const READ_AGAIN_MS = 10_000;

/** Who asks for a change. */
export interface Actor {
  type: 'user' | 'api_key' | 'flow';
  id: string;
  name: string;
}

/** What a change is saved as: to be applied at once, or for somebody to approve. */
export type SavedAs = 'applying' | 'proposed';

/** What the feature that plans a kind of change has to say about it. */
export interface KindHandler {
  /** Throws when such a change may not be begun, or proposed, as things stand. Asked twice; the second time nobody else saves one. */
  guard(db: Db, accountId: string, plan: ChangePlan, asked: { actor: Actor; as: SavedAs }): Promise<void>;
  /** Told in the transaction in which a change became applied, or was taken back. */
  settled(db: Db, record: store.ChangeRecord, outcome: 'applied' | 'undone'): Promise<void>;
}

export interface LedgerOptions {
  db: Db;
  trackers: Trackers;
  intake: IssueIntake;
  events: Pick<Events<AccountEvent>, 'publish' | 'subscribe' | 'listening'>;
  /** Queues the durable job that applies a change, in the transaction that saved it. */
  requestApply: (db: Db, accountId: string, changeId: string) => Promise<void>;
}

/** The ledger of changes: every write to a tracker is saved here first, then applied step by step, and can be undone. */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #handlers = new Map<ChangeKind, KindHandler>();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Registers the feature that plans changes of this kind. Composition calls it once per kind. */
  handleKind(kind: ChangeKind, handler: KindHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** Tells the handler of a settled change's kind; part of applying. */
  async announce(db: Db, record: store.ChangeRecord, outcome: 'applied' | 'undone'): Promise<void> {
    await this.#handlers.get(record.change.kind)?.settled(db, record, outcome);
  }

  /**
   * Saves a change and queues its application. Its issues are read again first: when one differs from what was planned
   * on, or from the hashes the caller saw, nothing is saved and 409 `changed_since` says so; what was read is stored.
   * 502 when a tracker cannot be read. The handler of its kind has the last word, in the transaction that saves.
   */
  async submit(
    accountId: string,
    actor: Actor,
    plan: ChangePlan,
    seen: BaseHashes | undefined,
  ): Promise<string> {
    const guard = (db: Db) => this.#guard(db, accountId, plan, { actor, as: 'applying' });
    await this.#expectSeen(accountId, plan, seen);
    await guard(this.#options.db);
    await this.#expectAppliable(accountId, plan);
    return this.#save(accountId, actor, plan, { status: 'applying', undoes: null }, async (transaction) => {
      await this.#expectUnchanged(transaction, accountId, plan);
      await guard(transaction);
    });
  }

  /** Saves a change for somebody to approve; no tracker is asked. 409 as for {@link submit}, by what is stored. */
  async propose(
    accountId: string,
    actor: Actor,
    plan: ChangePlan,
    seen: BaseHashes | undefined,
  ): Promise<string> {
    await this.#expectSeen(accountId, plan, seen);
    const changeId = await this.#save(
      accountId,
      actor,
      plan,
      { status: 'proposed', undoes: null },
      async (transaction) => {
        await this.#expectUnchanged(transaction, accountId, plan);
        await this.#guard(transaction, accountId, plan, { actor, as: 'proposed' });
      },
    );
    await this.#publish(accountId, changeId, 'proposed');
    return changeId;
  }

  /** Begins what was proposed, as {@link submit} begins a change. 409 also when it does not wait for approval. */
  async approve(accountId: string, actor: Actor, changeId: string): Promise<void> {
    const { db, requestApply } = this.#options;
    const record = await this.get(accountId, changeId);
    expectProposed(record.change);
    const plan = planOf(record);
    await this.#expectAppliable(accountId, plan);
    await db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      expectProposed(await store.lockChange(transaction, accountId, changeId));
      await this.#expectUnchanged(transaction, accountId, plan);
      await this.#guard(transaction, accountId, plan, { actor, as: 'applying' });
      await store.decideChange(transaction, accountId, changeId, 'applying', actor.name);
      await requestApply(transaction, accountId, changeId);
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  /** Turns down what was proposed. 409 when it does not wait for approval. */
  async reject(accountId: string, actor: Actor, changeId: string): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      expectProposed(await store.lockChange(transaction, accountId, changeId));
      await store.decideChange(transaction, accountId, changeId, 'rejected', actor.name);
    });
    await this.#publish(accountId, changeId, 'rejected');
  }

  /** What waits for approval, of one kind and about all of these issues. */
  proposals(db: Db, accountId: string, kind: ChangeKind, issueIds: readonly string[]) {
    return store.listProposals(db, accountId, kind, issueIds);
  }

  /** Turns down proposals that a decision has made pointless, in its transaction. */
  async overtake(db: Db, accountId: string, changeIds: readonly string[], decidedBy: string): Promise<void> {
    for (const changeId of changeIds) {
      await store.decideChange(db, accountId, changeId, 'rejected', decidedBy);
    }
  }

  /**
   * Takes an applied change back, step by step in reverse. 409 when it is not applied, is being taken back already, or a
   * text that it wrote was edited since: half of it would be taken back then.
   * Answers the id of the change that does it.
   */
  async undo(accountId: string, actor: Actor, changeId: string): Promise<string> {
    const record = await this.get(accountId, changeId);
    const { change, steps } = record;
    if (change.kind === 'undo' || (change.status !== 'applied' && change.status !== 'partly_applied')) {
      throw conflict('not_undoable', 'Only an applied change can be undone.');
    }
    const applied = steps.filter((step) => step.status === 'applied');
    const plan: ChangePlan = {
      ...planOf(record),
      kind: 'undo',
      title: `Undo: ${change.title}`,
      rationale: null,
      confidence: null,
      steps: undoSteps(applied.map(plannedStep)),
      payload: {},
    };
    await this.#expectTextsAsLeft(accountId, plan);
    try {
      const as = { status: 'applying', undoes: changeId } as const;
      return await this.#save(accountId, actor, plan, as, async (transaction) => {
        const now = await store.lockChange(transaction, accountId, changeId);
        if (now?.status !== change.status) throw conflict('not_undoable', 'This change is under way again.');
      });
    } catch (error) {
      throw violates(error, 'change_undone_once') ? alreadyUndone() : error;
    }
  }

  /**
   * Tries the steps that failed once more, held to all that {@link submit} is held to; what the change itself has written
   * is no movement. 409 when none failed, when the change is taken back, and for an undo whose change has gone on since.
   */
  async retry(accountId: string, actor: Actor, changeId: string): Promise<void> {
    const { db, requestApply } = this.#options;
    const record = await this.get(accountId, changeId);
    expectFailed(record.change);
    const plan = planOf(record);
    if (record.change.undoes === null) await this.#expectWhereLeft(accountId, record);
    await db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      const change = await store.lockChange(transaction, accountId, changeId);
      if (!change) throw notFound();
      const undoneBy = await store.undoOf(transaction, accountId, change.undoes ?? changeId);
      if (undoneBy !== null && undoneBy !== changeId) throw alreadyUndone();
      expectFailed(change);
      if (change.undoes === null) {
        await this.#guard(transaction, accountId, plan, { actor, as: 'applying' });
      } else {
        const original = await store.findChange(transaction, accountId, change.undoes);
        if (!original || !isUndoOf(record, original)) throw wentOn();
      }
      await store.reviveSteps(transaction, accountId, changeId);
      await store.setChangeStatus(transaction, accountId, changeId, {
        status: 'applying',
        retried_by: actor.name,
      });
      await requestApply(transaction, accountId, changeId);
    });
    await this.#publish(accountId, changeId, 'applying');
  }

  async get(accountId: string, changeId: string): Promise<store.ChangeRecord> {
    const record = await store.findChange(this.#options.db, accountId, changeId);
    if (!record) throw notFound();
    return record;
  }

  /** The account's changes that are being applied. */
  underWay(db: Db, accountId: string): Promise<store.ChangeRecord[]> {
    return store.listApplying(db, accountId);
  }

  /** The issue that one was closed towards here, when its tracker now names that original by this key. */
  originalOf(accountId: string, issueId: string, key: string): Promise<string | null> {
    return store.originalOf(this.#options.db, accountId, issueId, key);
  }

  /** When each of these changes was applied, and who decided it. */
  decisionsOf(accountId: string, changeIds: readonly string[]) {
    return store.decisionsOf(this.#options.db, accountId, changeIds);
  }

  /** Whether a change is being applied to this tracker. No other one is saved before the transaction ends. */
  async isApplyingTo(db: Db, accountId: string, trackerId: string): Promise<boolean> {
    await store.lockSaving(db, accountId);
    return store.isApplyingTo(db, accountId, trackerId);
  }

  list(accountId: string, filter: store.ChangeFilter, page: { limit: number; skip: number }) {
    return store.listChanges(this.#options.db, accountId, filter, page);
  }

  /** Every change that passes the filter, oldest first. */
  all(accountId: string, filter: store.ChangeFilter): AsyncIterable<store.ChangeRecord> {
    return store.everyChange(this.#options.db, accountId, filter);
  }

  /** The change as soon as it is settled, or as it stands after `timeoutMs`. */
  async whenSettled(accountId: string, changeId: string, timeoutMs: number): Promise<store.ChangeRecord> {
    const { events } = this.#options;
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    const leave = events.subscribe(
      accountId,
      (event) => {
        if (event.type !== 'change_updated' || event.change_id !== changeId) return;
        if (CHANGE_STATUSES[event.status].settled) resolve();
      },
      {
        onMissed: () => {
          this.get(accountId, changeId).then(({ change }) => {
            if (CHANGE_STATUSES[change.status].settled) resolve();
          }, resolve);
        },
      },
    );
    try {
      await Promise.race([events.listening(accountId), settled]);
      // It may have settled before we listened.
      const record = await this.get(accountId, changeId);
      if (!CHANGE_STATUSES[record.change.status].settled) await settled;
    } finally {
      clearTimeout(timer);
      leave();
    }
    return this.get(accountId, changeId);
  }

  async #save(
    accountId: string,
    actor: Actor,
    plan: ChangePlan,
    { status, undoes }: { status: SavedAs; undoes: string | null },
    guard: (transaction: Db) => Promise<void>,
  ): Promise<string> {
    const changeId = randomUUID();
    await this.#options.db.transaction().execute(async (transaction) => {
      await store.lockSaving(transaction, accountId);
      await guard(transaction);
      await store.insertChange(
        transaction,
        {
          account_id: accountId,
          id: changeId,
          kind: plan.kind,
          status,
          title: plan.title,
          rationale: plan.rationale,
          confidence: plan.confidence,
          actor_type: actor.type,
          actor_id: actor.id,
          actor_name: actor.name,
          decided_by: status === 'proposed' ? null : actor.name,
          payload: plan.payload,
          base_hashes: Object.fromEntries(plan.issues.map((issue) => [issue.id, issue.contentHash])),
          undoes,
        },
        plan.issues,
        plan.steps.map((step, position) => ({
          id: randomUUID(),
          position,
          action: step.action,
          target_issue_id: step.issueId,
          target_key: step.key,
          before: step.before,
          after: step.after,
          result: step.memory ?? {},
        })),
      );
      if (status === 'applying') await this.#options.requestApply(transaction, accountId, changeId);
    });
    return changeId;
  }

  async #guard(
    db: Db,
    accountId: string,
    plan: ChangePlan,
    asked: { actor: Actor; as: SavedAs },
  ): Promise<void> {
    const handler = this.#handlers.get(plan.kind);
    if (!handler) throw new Error(`Nobody answers for changes of the kind ${plan.kind}.`);
    await handler.guard(db, accountId, plan, asked);
  }

  async #publish(accountId: string, changeId: string, status: ChangeStatus): Promise<void> {
    await this.#options.events.publish(accountId, { type: 'change_updated', change_id: changeId, status });
  }

  /** What the caller saw is what was planned on. */
  async #expectSeen(accountId: string, plan: ChangePlan, seen: BaseHashes | undefined): Promise<void> {
    const moved = plan.issues.find(({ id, contentHash }) => (seen?.[id] ?? contentHash) !== contentHash);
    if (moved) throw await changedSince(this.#options.db, accountId, moved);
  }

  /** The trackers have the plan's issues as it was made on, and let its steps be written as far as they tell. */
  async #expectAppliable(accountId: string, plan: ChangePlan): Promise<void> {
    if (plan.steps.every((step) => step.action === 'mark_unrelated')) return;
    await this.#readAgain(accountId, plan);
    await this.#expectWritable(accountId, plan);
  }

  /** Another change may have been applied while the trackers were read. */
  async #expectUnchanged(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    const ids = plan.issues.map((issue) => issue.id);
    const hashes = new Map(
      (await findIssues(db, accountId, ids)).map((issue) => [issue.id, issue.content_hash]),
    );
    const changed = plan.issues.find((issue) => hashes.get(issue.id) !== issue.contentHash);
    if (changed) throw await changedSince(db, accountId, changed);
  }

  /** An issue that its tracker does not have, although it shows the project, goes here once a sync misses it, too. */
  async #noteMissing(issue: IssueView): Promise<void> {
    const { db, intake } = this.#options;
    await intake.noteMissing(db, placeOf(issue), [issue.external_id]);
  }

  /** A change is not begun of which a later step is known to fail. */
  async #expectWritable(accountId: string, plan: ChangePlan): Promise<void> {
    const signal = AbortSignal.timeout(READ_AGAIN_MS);
    for (const { action, issueId } of plan.steps) {
      if (action !== 'comment' && action !== 'close_as_duplicate') continue;
      const [issue] = await findIssues(this.#options.db, accountId, [issueId]);
      if (!issue) continue;
      const { provider } = await this.#options.trackers.open(accountId, issue.tracker_id);
      const write = action === 'comment' ? 'comment' : 'close';
      const check = provider.expectWritable(targetOf(issue), write, signal).catch((error: unknown) => {
        const isRefusal =
          error instanceof TrackerError && (error.code === 'forbidden' || error.code === 'invalid');
        throw isRefusal ? conflict('cannot_be_written', error.message) : error;
      });
      await asked(check);
    }
  }

  /** Each text that the plan of an undo writes over is, in its tracker, the one that the change left. */
  async #expectTextsAsLeft(accountId: string, plan: ChangePlan): Promise<void> {
    const signal = AbortSignal.timeout(READ_AGAIN_MS);
    for (const { action, issueId, key, before, memory } of plan.steps) {
      if (action !== 'edit' || memory?.left === undefined) continue;
      const [issue] = await findIssues(this.#options.db, accountId, [issueId]);
      if (!issue) continue;
      const live = await this.#read(issue, signal);
      if (live !== null && hashOfTexts(live, before) === memory.left) continue;
      throw conflict('edited_since', `${key} was edited since, so this cannot be taken back as a whole.`);
    }
  }

  /** The issues of a change that failed are, in their trackers, as its steps left them, or as they were planned on. */
  async #expectWhereLeft(accountId: string, { change, steps, issues }: store.ChangeRecord): Promise<void> {
    const { db, intake } = this.#options;
    const signal = AbortSignal.timeout(READ_AGAIN_MS);
    if (steps.every(({ action }) => action === 'mark_unrelated')) return;
    for (const { issue_id: id, key } of issues) {
      const [issue] = await findIssues(db, accountId, [id]);
      const live = issue ? await this.#read(issue, signal) : null;
      if (!issue || live === null) throw conflict('issue_gone', `${key} is not there any more.`);
      const own = steps.filter((step) => step.target_issue_id === id);
      const left = own.flatMap(({ status, result }) =>
        status === 'applied' ? (result.left_hash ?? result.closed?.content_hash ?? []) : [],
      );
      const expected = left.at(-1) ?? change.base_hashes[id];
      // What failed may have taken effect all the same.
      const tried = own.filter(({ status, result }) => status === 'failed' && result.refused !== true);
      if (
        [live, ...tried.map((step) => withoutStep(live, step))].some((as) => contentHashOf(as) === expected)
      )
        continue;
      await db
        .transaction()
        .execute((transaction) => intake.takeIssues(transaction, placeOf(issue), [live], issue.content_hash));
      throw await changedSince(db, accountId, issue);
    }
  }

  /** The issue as its tracker has it now; null when it is gone. 502 when that cannot be read. */
  async #read(issue: IssueView, signal: AbortSignal): Promise<ProviderIssue | null> {
    const { provider } = await this.#options.trackers.open(issue.account_id, issue.tracker_id);
    return asked(provider.issue(targetOf(issue), signal));
  }

  /** Reads a plan's issues from their trackers; what differs from the plan is stored and stops it. */
  async #readAgain(accountId: string, plan: ChangePlan): Promise<void> {
    const signal = AbortSignal.timeout(READ_AGAIN_MS);
    const issues = await findIssues(
      this.#options.db,
      accountId,
      plan.issues.map((issue) => issue.id),
    );
    for (const issue of issues) {
      const { provider } = await this.#options.trackers.open(accountId, issue.tracker_id);
      const target = targetOf(issue);
      const live = await asked(provider.issue(target, signal));
      if (live === null) {
        if ((await asked(provider.project(target.project, signal))) !== null) await this.#noteMissing(issue);
        throw conflict('issue_gone', `${issue.key} is not in the tracker any more.`);
      }
      if (contentHashOf(live) === issue.content_hash) continue;
      await this.#options.db
        .transaction()
        .execute((transaction) =>
          this.#options.intake.takeIssues(transaction, placeOf(issue), [live], issue.content_hash),
        );
      throw await changedSince(this.#options.db, accountId, issue);
    }
  }
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

/** A saved change as it was planned. */
function planOf({ change, steps, issues }: store.ChangeRecord): ChangePlan {
  return {
    kind: change.kind,
    title: change.title,
    rationale: change.rationale,
    confidence: change.confidence,
    issues: issues.map(({ issue_id, key }) => ({
      id: issue_id,
      key,
      contentHash: change.base_hashes[issue_id] ?? '',
    })),
    steps: steps.map(plannedStep),
    payload: change.payload,
  };
}

function plannedStep(step: store.StepRow): PlannedStep & { memory: StepMemory } {
  const { action, target_issue_id: issueId, target_key: key, before, after, result: memory } = step;
  return { action, issueId, key, before, after, memory };
}

/** An issue as it was before a step, if the step did what it was to do. */
function withoutStep(live: ProviderIssue, { action, before, after }: store.StepRow): ProviderIssue {
  if (action === 'close_as_duplicate') return { ...live, state: 'opened' };
  if (action === 'edit' && isWritten(live, before, after)) {
    const { title = live.title, description = live.description } = before;
    return { ...live, title, description };
  }
  return live;
}

/** Whether an undo takes back all that its change has written by now. */
function isUndoOf(undo: store.ChangeRecord, original: store.ChangeRecord): boolean {
  const applied = original.steps.filter((step) => step.status === 'applied').map(plannedStep);
  const name = ({ action, issueId }: { action: string; issueId: string }) => `${action} ${issueId}`;
  const wanted = undoSteps(applied).map(name);
  const planned = undo.steps.map((step) => name({ action: step.action, issueId: step.target_issue_id }));
  return wanted.length === planned.length && wanted.every((one, index) => one === planned[index]);
}

function expectFailed({ status }: store.ChangeRow): void {
  if (status !== 'failed' && status !== 'partly_applied') {
    throw conflict('nothing_failed', 'No step of this change failed.');
  }
}

function wentOn() {
  return conflict('went_on', 'The change that this takes back has gone on since. Undo it anew.');
}

function expectProposed(change: store.ChangeRow | undefined): void {
  if (!change) throw notFound();
  if (change.status !== 'proposed') {
    throw conflict('not_proposed', 'This change does not wait for approval any more.');
  }
}

function alreadyUndone() {
  return conflict('already_undone', 'This change is undone already, or is being undone.');
}

/** 409 with the issue as it is now. */
async function changedSince(db: Db, accountId: string, { id, key }: { id: string; key: string }) {
  const [issue] = await findIssues(db, accountId, [id]);
  if (!issue)
    return conflict('issue_gone', `${key} is no longer here: it is gone from its tracker, or out of scope.`);
  return new AppError({
    code: 'changed_since',
    status: 409,
    detail: `${key} has changed since you saw it. Look at it again, then decide.`,
    more: { issue: presentIssue(issue) },
  });
}
