import { isDeepStrictEqual } from 'node:util';
import type { BaseHashes } from '@winnow/contract/change';
import { changedSince } from '../changes/changed-since.ts';
import type { ChangeRecord, ChangeRequest, KindHandler } from '../changes/ledger.ts';
import { baseHashesOf, type ChangePlan } from '../changes/plan.ts';
import type { Issues, IssueView } from '../issues/service.ts';
import type { Db } from '../schema/tables.ts';
import { planOfEdit, type Request } from './asking.ts';
import { Creating, type CreatingOptions, type Creation } from './creating.ts';
import { loginsOf } from './people.ts';
import {
  type Draft,
  type EditPlan,
  type IssueUpdate,
  isAssignedTo,
  planAssign,
  planComment,
  planUpdate,
} from './plan.ts';

export type { Request } from './asking.ts';

export interface IssueEditsOptions extends CreatingOptions {
  issues: Issues;
}

/** Proposals on an issue that are held against a new one, the newest. */
const MOST_WAITING = 50;

/** Plain edits of issues that agents ask for: text, labels, state, assignees, comments, and new issues. */
export class IssueEdits implements KindHandler {
  readonly #options: IssueEditsOptions;
  readonly #creating: Creating;

  constructor(options: IssueEditsOptions) {
    this.#options = options;
    this.#creating = new Creating(options);
  }

  /**
   * Changes texts, labels or state of an issue. Null when nothing differs; 404 when there is no such issue. Labels are added
   * and removed one by one; for texts and state 409 `changed_since` when the issue is not as the caller has seen it, by its
   * content hash.
   */
  update(
    accountId: string,
    request: Request,
    issue: string,
    update: IssueUpdate,
    seen?: string,
  ): Promise<ChangeRecord | null> {
    return this.#inTurn(accountId, request, issue, (found) =>
      this.#saveOnce(accountId, request, planUpdate(found, update), hashesOf(found, seen)),
    );
  }

  /**
   * Makes people the assignees of an issue, named by login, by full name or as `me`. Null when they are already. 422 when
   * a name matches nobody, or more than one person, in the project; 409 when other people are assigned than the caller has
   * seen.
   */
  assign(
    accountId: string,
    request: Request,
    issue: string,
    names: readonly string[],
    seen?: readonly string[],
  ): Promise<ChangeRecord | null> {
    return this.#inTurn(accountId, request, issue, async (found) => {
      const logins = await loginsOf(this.#options, accountId, found.project_id, names, request);
      const plan = planAssign(found, logins);
      if (plan.steps.length > 0 && !isAssignedTo(found, seen ?? found.assignees)) {
        throw await changedSince(this.#options.db, accountId, found);
      }
      return this.#saveOnce(accountId, request, plan);
    });
  }

  /** Comments on an issue. */
  async comment(
    accountId: string,
    request: Request,
    issue: string,
    body: string,
  ): Promise<ChangeRecord | null> {
    return this.#inTurn(accountId, request, issue, (found) =>
      this.#save(accountId, request, planComment(found, body)),
    );
  }

  /**
   * Makes an issue, unless one is there, or asked for, that seems to say the same and `allowDuplicate` is not given. Of
   * requests of the same caller by the same name only the first makes one; the others answer its change, and try it again
   * where it failed. 409 when that name stands for something else, 503 while nothing can be compared.
   */
  create(
    accountId: string,
    request: Request,
    projectId: string,
    draft: Draft,
    allowDuplicate: boolean,
  ): Promise<Creation> {
    return this.#creating.create(accountId, request, projectId, draft, allowDuplicate);
  }

  /** Refuses to create the same issue twice, and to edit an issue while another change is applied to it. Called by the ledger. */
  async guard(db: Db, accountId: string, plan: ChangePlan, { as }: ChangeRequest): Promise<void> {
    await this.#creating.expectNew(db, accountId, plan, as);
    await this.#options.ledger.expectFree(db, accountId, plan);
  }

  /** What was proposed as new may be there by now. Called by the ledger. */
  beforeApproval(accountId: string, plan: ChangePlan): Promise<void> {
    return this.#creating.expectStillNew(accountId, plan);
  }

  /** Saves an edit of the issue, as it is when the edit has its turn; null when `save` finds nothing to write. */
  async #inTurn(
    accountId: string,
    request: Request,
    issue: string,
    save: (found: IssueView) => Promise<string | null>,
  ): Promise<ChangeRecord | null> {
    const { issues, ledger } = this.#options;
    const { id } = await issues.findByIdOrKey(accountId, issue);
    const changeId = await ledger.inTurn(accountId, request, { issueIds: [id] }, async () =>
      save(await issues.findByIdOrKey(accountId, id)),
    );
    return changeId === null ? null : ledger.whenSettled(accountId, changeId);
  }

  /** Saves an edit unless it has no steps, or the actor has proposed the very same and it still waits. */
  async #saveOnce(
    accountId: string,
    request: Request,
    edit: EditPlan,
    seen?: BaseHashes,
  ): Promise<string | null> {
    if (edit.steps.length === 0) return null;
    const before = await this.#proposedBefore(accountId, request, edit, seen);
    return before?.change.id ?? this.#save(accountId, request, edit, seen);
  }

  async #proposedBefore(
    accountId: string,
    { actor, as, request }: Request,
    edit: EditPlan,
    seen?: BaseHashes,
  ): Promise<ChangeRecord | null> {
    const hashes = baseHashesOf(edit);
    // What has a name of its own is known by that, and what was not seen as it is will be refused.
    const isSeen = Object.entries(hashes).every(([id, hash]) => (seen?.[id] ?? hash) === hash);
    if (as !== 'proposed' || request !== undefined || !isSeen) return null;
    const filter = { status: 'proposed', issueId: edit.issues[0]?.id } as const;
    const { records } = await this.#options.ledger.list(accountId, filter, { limit: MOST_WAITING, skip: 0 });
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

  #save(accountId: string, request: Request, edit: EditPlan, seen?: BaseHashes): Promise<string> {
    return this.#options.ledger.save(accountId, request, planOfEdit(request, edit), { seen });
  }
}

/** The content hash that the caller has seen, where the edit rests on it. */
function hashesOf({ id }: IssueView, seen: string | undefined): BaseHashes | undefined {
  return seen === undefined ? undefined : { [id]: seen };
}
