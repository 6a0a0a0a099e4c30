import { isDeepStrictEqual } from 'node:util';
import type { BaseHashes } from '@winnow/contract/change';
import { changedSince } from '../changes/changed-since.ts';
import type { Asked, ChangeRecord, KindHandler } from '../changes/ledger.ts';
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

/** An issue as who asks has seen it, as far as they say. */
export interface Seen {
  contentHash?: string | undefined;
  assignees?: readonly string[] | undefined;
}

/** Plain edits of issues that agents ask for: text, labels, state, assignees, comments, and new issues. */
export class IssueEdits implements KindHandler {
  readonly #options: IssueEditsOptions;
  readonly #creating: Creating;

  constructor(options: IssueEditsOptions) {
    this.#options = options;
    this.#creating = new Creating(options);
  }

  /**
   * Gives an issue other texts, labels or state. Null when all is so already; 404 when there is no such issue, 409
   * `changed_since` when it is not as the caller has seen it, by its content hash.
   */
  async update(
    accountId: string,
    request: Request,
    issue: string,
    update: IssueUpdate,
    seen?: string,
  ): Promise<ChangeRecord | null> {
    const found = await this.#options.issues.find(accountId, issue);
    const plan = planUpdate(found, update);
    return plan.steps.length === 0 ? null : this.#runOnce(accountId, request, plan, hashesOf(found, seen));
  }

  /**
   * Makes people the assignees of an issue, named by login, by full name or as `me`. Null when they are already. 422 when
   * a name is nobody's, or more than one's, in the project; 409 as for {@link update}, also when other people are assigned
   * than the caller has seen.
   */
  async assign(
    accountId: string,
    request: Request,
    issue: string,
    names: readonly string[],
    seen: Seen = {},
  ): Promise<ChangeRecord | null> {
    const found = await this.#options.issues.find(accountId, issue);
    const logins = await loginsOf(this.#options, accountId, found.project_id, names, request);
    const plan = planAssign(found, logins);
    if (plan.steps.length === 0) return null;
    // Who is assigned is no part of the content hash. Later the step itself holds the tracker against it.
    if (!isAssignedTo(found, seen.assignees ?? found.assignees)) {
      throw await changedSince(this.#options.db, accountId, found);
    }
    return this.#runOnce(accountId, request, plan, hashesOf(found, seen.contentHash));
  }

  /** Comments on an issue. */
  async comment(accountId: string, request: Request, issue: string, body: string): Promise<ChangeRecord> {
    const found = await this.#options.issues.find(accountId, issue);
    return this.#run(accountId, request, planComment(found, body));
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

  /** Of those who edit the same issue at once, or make the same one, the first one wins. Called by the ledger. */
  async guard(db: Db, accountId: string, plan: ChangePlan, { as }: Asked): Promise<void> {
    await this.#creating.expectNew(db, accountId, plan, as);
    await this.#options.ledger.expectFree(db, accountId, plan);
  }

  /** What was proposed as new may be there by now. Called by the ledger. */
  beforeApproval(accountId: string, plan: ChangePlan): Promise<void> {
    return this.#creating.expectStillNew(accountId, plan);
  }

  /** As {@link #run}; where the actor has proposed the very same and it still waits, that is answered. */
  async #runOnce(
    accountId: string,
    request: Request,
    edit: EditPlan,
    seen?: BaseHashes,
  ): Promise<ChangeRecord> {
    return (
      (await this.#proposedBefore(accountId, request, edit, seen)) ??
      this.#run(accountId, request, edit, seen)
    );
  }

  async #proposedBefore(
    accountId: string,
    { actor, as, request }: Request,
    edit: EditPlan,
    seen?: BaseHashes,
  ): Promise<ChangeRecord | null> {
    const hashes = baseHashesOf(edit);
    // What has a name of its own is known by that, and what was not seen as it is will be refused.
    if (as !== 'proposed' || request !== undefined || !isDeepStrictEqual(seen ?? hashes, hashes)) return null;
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

  /** Saves an edit, and waits for the tracker where it is written now. */
  #run(accountId: string, request: Request, edit: EditPlan, seen?: BaseHashes): Promise<ChangeRecord> {
    return this.#options.ledger.carryOut(accountId, request, planOfEdit(request, edit), seen);
  }
}

function hashesOf({ id }: IssueView, seen: string | undefined): BaseHashes | undefined {
  return seen === undefined ? undefined : { [id]: seen };
}
