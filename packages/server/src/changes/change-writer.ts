import { randomUUID } from 'node:crypto';
import { type BaseHashes, STEP_ACTIONS, type StepAction } from '@winnow/contract/change';
import { findIssues } from '../issues/index.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { type Actor, type ChangeRequest, personOf, withIdempotencyKey } from './change-request.ts';
import { changedSince } from './changed-since.ts';
import type { KindHandlers } from './kind-handlers.ts';
import { baseHashesOf, type ChangePlan } from './plan.ts';
import * as store from './store.ts';
import type { TrackerChecks } from './tracker-checks.ts';

export interface ChangeWriterOptions {
  db: Db;
  checks: TrackerChecks;
  kinds: KindHandlers;
  events: Pick<Events<AccountEvent>, 'publish'>;
  /** Enqueues the job that applies a change. Runs in the transaction that saves the change. */
  requestApply: (db: Db, accountId: string, changeId: string) => Promise<void>;
  /** Records a decision about a saved change, in its transaction. */
  recordDecision?: RecordDecision | undefined;
}

/** Records in the audit log that someone approved, rejected or undid a change. */
export type RecordDecision = (
  transaction: Db,
  accountId: string,
  decision: { actor: Actor; title: string; decision: 'approved' | 'rejected' | 'undone' },
) => Promise<void>;

/** Options of saving a change. */
export interface SaveOptions {
  /**
   * Content hashes of the issues as the caller last read them. Saving fails if an issue has changed
   * since.
   */
  seen?: BaseHashes | undefined;
}

/** Saves planned changes. A saved change is applied directly or waits for approval. */
export class ChangeWriter {
  readonly #options: ChangeWriterOptions;

  constructor(options: ChangeWriterOptions) {
    this.#options = options;
  }

  /** Implements `Ledger.save`. */
  async save(
    accountId: string,
    wanted: ChangeRequest,
    plan: ChangePlan,
    { seen }: SaveOptions,
  ): Promise<string> {
    const { db, checks, kinds, events } = this.#options;
    const { within, signal } = wanted;
    const isBeyond = within !== undefined && !(await isWithin(db, accountId, plan, within));
    const needsApproval =
      isBeyond || (wanted.as === 'applying' && (await needsSecondPerson(db, accountId, plan)));
    const asked: ChangeRequest = needsApproval ? { ...wanted, as: 'proposed' } : wanted;
    const guard = (database: Db) => kinds.guard(database, accountId, plan, asked);
    await this.#expectSeen(accountId, plan, seen);
    if (asked.as === 'applying') {
      await guard(db);
      await checks.expectAppliable(accountId, plan, signal);
    }
    const changeId = await this.insert(accountId, asked, plan, null, async (transaction) => {
      await expectUnchanged(transaction, accountId, plan);
      await guard(transaction);
      signal?.throwIfAborted();
    });
    if (asked.as === 'proposed') {
      await events.publish(accountId, { type: 'change_updated', change_id: changeId, status: 'proposed' });
    }
    return changeId;
  }

  /**
   * Saves a change under the account's change lock, unless `guard` throws. `undoes` is the id of
   * the change that this one undoes.
   */
  async insert(
    accountId: string,
    { actor, as: status, ...named }: ChangeRequest,
    plan: ChangePlan,
    undoes: string | null,
    guard: (transaction: Db) => Promise<void>,
  ): Promise<string> {
    const { db, requestApply } = this.#options;
    const changeId = randomUUID();
    await db.transaction().execute(async (transaction) => {
      await store.lockChangeWrites(transaction, accountId);
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
          person_id: personOf(actor),
          decided_by: status === 'proposed' ? null : actor.name,
          decided_by_type: status === 'proposed' ? null : actor.type,
          payload: withIdempotencyKey(plan.payload, named),
          base_hashes: baseHashesOf(plan),
          undoes,
        },
        plan.issues,
        plan.steps.map((step, position) => ({
          id: randomUUID(),
          position,
          step_group: step.group ?? 0,
          action: step.action,
          target_issue_id: step.issueId,
          target_key: step.key,
          before: step.before,
          after: step.after,
          result: step.memory ?? {},
        })),
      );
      if (status === 'applying') await requestApply(transaction, accountId, changeId);
    });
    return changeId;
  }

  /** Throws if an issue's content in the plan differs from the content that the caller has read. */
  async #expectSeen(accountId: string, plan: ChangePlan, seen: BaseHashes | undefined): Promise<void> {
    const hashes = baseHashesOf(plan);
    const moved = plan.issues.find(({ id }) => {
      const planned = hashes[id];
      return planned !== undefined && (seen?.[id] ?? planned) !== planned;
    });
    if (moved) throw await changedSince(this.#options.db, accountId, moved);
  }
}

/** True if a step closes an issue. */
export function isClosing(action: StepAction): boolean {
  return action === 'close' || action === 'close_as_duplicate';
}

/**
 * True if the workspace requires a second person for this change: it closes an issue, or writes to
 * more than one.
 */
export async function needsSecondPerson(
  db: Db,
  accountId: string,
  { steps }: Pick<ChangePlan, 'steps'>,
): Promise<boolean> {
  const writes = steps.filter(
    ({ action, after }) => STEP_ACTIONS[action] !== 'here' && after.condition === undefined,
  );
  const closes = writes.some(({ action }) => isClosing(action));
  const isBulk = new Set(writes.map(({ issueId, key }) => issueId ?? key)).size > 1;
  return (closes || isBulk) && (await store.hasFourEyes(db, accountId));
}

/** True if all issues that a change reads, writes or creates belong to the project. */
async function isWithin(db: Db, accountId: string, plan: ChangePlan, projectId: string): Promise<boolean> {
  const ids = [...plan.issues.map(({ id }) => id), ...plan.steps.flatMap(({ issueId }) => issueId ?? [])];
  const issues = await findIssues(db, accountId, [...new Set(ids)]);
  const made = plan.steps.flatMap(({ memory }) => memory?.project_id ?? []);
  return [...issues.map(({ project_id: id }) => id), ...made].every((id) => id === projectId);
}

/**
 * Throws if a stored issue differs from the plan. Another change may have been applied while issues
 * were read from the trackers.
 */
export async function expectUnchanged(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
  const ids = plan.issues.map((issue) => issue.id);
  const hashes = new Map(
    (await findIssues(db, accountId, ids)).map((issue) => [issue.id, issue.content_hash]),
  );
  const changed = plan.issues.find(
    ({ id, contentHash }) => contentHash !== null && hashes.get(id) !== contentHash,
  );
  if (changed) throw await changedSince(db, accountId, changed);
}
