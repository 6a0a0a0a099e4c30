import { isDeepStrictEqual } from 'node:util';
import type { BaseHashes } from '@winnow/contract/change';
import {
  baseHashesOf,
  type ChangePlan,
  type ChangeRecord,
  type ChangeRequest,
  changedSince,
  type KindHandler,
} from '../changes/index.ts';
import type { Issues, IssueView } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { resolveAssignees } from './assignees.ts';
import { type EditRequest, toChangePlan } from './edit-request.ts';
import { type Creation, IssueCreation, type IssueCreationOptions } from './issue-creation.ts';
import {
  type Draft,
  type EditPlan,
  type IssueUpdate,
  isAssignedTo,
  planAssign,
  planComment,
  planUpdate,
} from './plan.ts';

export type { EditRequest } from './edit-request.ts';

export interface IssueEditsOptions extends IssueCreationOptions {
  issues: Issues;
}

/** Maximum number of open proposals on an issue with which a new one is compared, newest first. */
const MAX_PROPOSALS_COMPARED = 50;

/**
 * Edits of single issues, requested by agents and flows: texts, labels, state, assignees and
 * comments. Also creates issues.
 */
export class IssueEdits implements KindHandler {
  readonly #options: IssueEditsOptions;
  readonly #creating: IssueCreation;

  constructor(options: IssueEditsOptions) {
    this.#options = options;
    this.#creating = new IssueCreation(options);
  }

  /**
   * Changes texts, labels or the state of an issue. Returns null if nothing differs.
   *
   * Labels are added and removed individually; other labels stay. `seen` is the content hash of the
   * issue as the caller read it.
   *
   * @throws {AppError} `not_found` for an unknown issue; `conflict` (code `changed_since`) if the
   * issue's text or state differs from `seen`
   */
  update(
    accountId: string,
    request: EditRequest,
    issue: string,
    update: IssueUpdate,
    seen?: string,
  ): Promise<ChangeRecord | null> {
    return this.#runInTurn(accountId, request, issue, (found) =>
      this.#saveOnce(accountId, request, planUpdate(found, update), hashesOf(found, seen)),
    );
  }

  /**
   * Replaces the assignees of an issue. Returns null if nothing differs. People are named by login,
   * by full name, or as `me`.
   *
   * @throws {AppError} `invalid` if a name matches no one or several people; `conflict` if the
   * current assignees differ from `seen`
   */
  assign(
    accountId: string,
    request: EditRequest,
    issue: string,
    names: readonly string[],
    seen?: readonly string[],
  ): Promise<ChangeRecord | null> {
    return this.#runInTurn(accountId, request, issue, async (found) => {
      const logins = await resolveAssignees(this.#options, accountId, found.project_id, names, request);
      const plan = planAssign(found, logins);
      if (plan.steps.length > 0 && !isAssignedTo(found, seen ?? found.assignees)) {
        throw await changedSince(this.#options.db, accountId, found);
      }
      return this.#saveOnce(accountId, request, plan);
    });
  }

  async comment(
    accountId: string,
    request: EditRequest,
    issue: string,
    body: string,
  ): Promise<ChangeRecord | null> {
    return this.#runInTurn(accountId, request, issue, (found) =>
      this.#save(accountId, request, planComment(found, body)),
    );
  }

  /**
   * Creates an issue. Without `allowDuplicate`, creates nothing if the same issue exists or was
   * already requested.
   *
   * Requests of one caller with the same idempotency key create only one issue. A repeated request
   * returns its change, and retries it if it failed.
   *
   * @throws {AppError} `conflict` if the key was used for another issue; `unavailable` if drafts
   * cannot be compared at present
   */
  create(
    accountId: string,
    request: EditRequest,
    projectId: string,
    draft: Draft,
    allowDuplicate: boolean,
  ): Promise<Creation> {
    return this.#creating.create(accountId, request, projectId, draft, allowDuplicate);
  }

  /**
   * Refuses a second creation of the same issue. Refuses an edit while another change is being
   * applied to the issue. Called by the ledger.
   */
  async guard(db: Db, accountId: string, plan: ChangePlan, { as }: ChangeRequest): Promise<void> {
    await this.#creating.expectNew(db, accountId, plan, as);
    await this.#options.ledger.expectFree(db, accountId, plan);
  }

  /**
   * Refuses to approve a proposed issue if the same issue was created in the meantime. Called by
   * the ledger.
   */
  beforeApproval(accountId: string, plan: ChangePlan): Promise<void> {
    return this.#creating.expectStillNew(accountId, plan);
  }

  /**
   * Saves an edit when earlier edits of the issue are complete. Returns null if `save` finds
   * nothing to write.
   */
  async #runInTurn(
    accountId: string,
    request: EditRequest,
    issue: string,
    save: (found: IssueView) => Promise<string | null>,
  ): Promise<ChangeRecord | null> {
    const { issues, ledger } = this.#options;
    const { id } = await issues.findByIdOrKey(accountId, issue);
    const changeId = await ledger.runInTurn(accountId, request, { issueIds: [id] }, async () =>
      save(await issues.findByIdOrKey(accountId, id)),
    );
    return changeId === null ? null : ledger.whenSettled(accountId, changeId);
  }

  /**
   * Saves an edit and returns the id of its change. Returns null if the edit has no steps. If the
   * actor has already proposed the same edit, returns the id of that proposal.
   */
  async #saveOnce(
    accountId: string,
    request: EditRequest,
    edit: EditPlan,
    seen?: BaseHashes,
  ): Promise<string | null> {
    if (edit.steps.length === 0) return null;
    const before = await this.#proposedBefore(accountId, request, edit, seen);
    return before?.change.id ?? this.#save(accountId, request, edit, seen);
  }

  async #proposedBefore(
    accountId: string,
    { actor, as, request }: EditRequest,
    edit: EditPlan,
    seen?: BaseHashes,
  ): Promise<ChangeRecord | null> {
    const hashes = baseHashesOf(edit);
    // Requests with an idempotency key are compared by that key only. Edits based on an outdated
    // version are refused later.
    const isSeen = Object.entries(hashes).every(([id, hash]) => (seen?.[id] ?? hash) === hash);
    if (as !== 'proposed' || request !== undefined || !isSeen) return null;
    const filter = { status: 'proposed', issueId: edit.issues[0]?.id } as const;
    const { records } = await this.#options.ledger.list(accountId, filter, {
      limit: MAX_PROPOSALS_COMPARED,
      skip: 0,
    });
    const wanted = edit.steps.map(({ action, issueId, before, after }) => [action, issueId, before, after]);
    const isSame = ({ change, steps }: ChangeRecord) =>
      change.actor_id === actor.id &&
      isDeepStrictEqual(change.base_hashes, hashes) &&
      isDeepStrictEqual(
        steps.map(({ action, target_issue_id, before, after }) => [action, target_issue_id, before, after]),
        wanted,
      );
    return records.find(isSame) ?? null;
  }

  #save(accountId: string, request: EditRequest, edit: EditPlan, seen?: BaseHashes): Promise<string> {
    return this.#options.ledger.save(accountId, request, toChangePlan(request, edit), { seen });
  }
}

/**
 * Returns the content hash that the caller has read, by issue id. Undefined if the caller sent no
 * hash.
 */
function hashesOf({ id }: IssueView, seen: string | undefined): BaseHashes | undefined {
  return seen === undefined ? undefined : { [id]: seen };
}
