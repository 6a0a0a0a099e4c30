import { createHash, randomUUID } from 'node:crypto';
import { normalized } from '@winnow/analysis/normalized';
import type { VerdictDecision } from '@winnow/contract/verdict';
import type { ChangePlan, ChangeRecord, InitialStatus, Ledger, PlannedStep } from '../changes/index.ts';
import { findProject, type IssueView } from '../issues/index.ts';
import { AppError, conflict, notFound, unavailable } from '../platform/errors.ts';
import { createLimiter } from '../platform/limiter.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { Trackers } from '../trackers/index.ts';
import { resolveAssignees } from './assignees.ts';
import { type EditRequest, toChangePlan } from './edit-request.ts';
import { type Draft, planCreate } from './plan.ts';
import { listRequestedIssues, type RequestedIssue } from './store.ts';

/**
 * Maximum time in milliseconds that a draft waits until earlier drafts of the account are checked.
 */
const MAX_DRAFT_WAIT_MS = 30_000;

type DraftTexts = Pick<Draft, 'title' | 'description'>;

/** An issue similar to a draft. */
export interface SimilarIssue {
  issue: IssueView;
  similarity: number;
  decision: VerdictDecision;
}

/**
 * An issue that probably describes the same problem as a draft. Includes the reason, and passages
 * that occur in both.
 */
export interface LikelyOriginal extends SimilarIssue {
  reason: string;
  shared: string[];
}

/** Compares drafts with existing issues and with other drafts. */
interface Originals {
  /**
   * Finds issues that resemble a draft, best first. `likely` contains issues that are probably the
   * same; `near` contains other similar issues.
   * @throws {AppError} `unavailable` if the comparison is not possible at present
   */
  find(accountId: string, draft: DraftTexts): Promise<{ likely: LikelyOriginal[]; near: SimilarIssue[] }>;
  /**
   * Returns the index in `others` of the first draft that probably describes the same issue; null
   * if none does.
   */
  indexOfSame(accountId: string, draft: DraftTexts, others: readonly DraftTexts[]): Promise<number | null>;
}

/** Outcome of a request to create an issue. */
export type Creation =
  /**
   * A change that creates the issue was saved, by this call or by an earlier call with the same
   * idempotency key.
   */
  | { outcome: 'requested'; record: ChangeRecord; near: SimilarIssue[] }
  /** No change was saved, because similar issues exist. */
  | { outcome: 'exists'; likely: LikelyOriginal[] }
  /**
   * No change was saved, because the same issue is proposed, is being created, or was created
   * recently.
   */
  | { outcome: 'already_requested'; record: ChangeRecord };

/** Result of checking a draft: the saved change, or the reason why no change was saved. */
type Begun =
  | { changeId: string; near: SimilarIssue[] }
  | { likely: LikelyOriginal[] }
  | { same: RequestedIssue }
  | 'request_key_used';

export interface IssueCreationOptions {
  db: Db;
  trackers: Trackers;
  ledger: Ledger;
  originals: Originals;
}

/** Creates issues. Prevents duplicate creation of the same issue. */
export class IssueCreation {
  readonly #options: IssueCreationOptions;
  readonly #turns = createLimiter({ concurrency: 1 });

  constructor(options: IssueCreationOptions) {
    this.#options = options;
  }

  /** Implements `IssueEdits.create`. */
  async create(
    accountId: string,
    request: EditRequest,
    projectId: string,
    draft: Draft,
    allowDuplicate: boolean,
  ): Promise<Creation> {
    const { db, ledger } = this.#options;
    const asked = async (): Promise<Creation | null> => {
      const record = await this.#createdBefore(accountId, request, projectId, draft);
      return record && { outcome: 'requested', record, near: [] };
    };
    // Checks the idempotency key first. Otherwise a retry would find the issue that the first call
    // created.
    const earlier = await asked();
    if (earlier) return earlier;
    const project = await findProject(db, accountId, projectId);
    if (!project) throw notFound();
    const assignees = await resolveAssignees(this.#options, accountId, projectId, draft.assignees, request);
    const plan = planCreate(project, { ...draft, assignees }, randomUUID());
    const payload = {
      ...(allowDuplicate ? { allow_duplicate: true } : {}),
      ...(request.request === undefined ? {} : { request_hash: requestHashOf(projectId, draft) }),
    };
    const save = () => ledger.save(accountId, request, toChangePlan(request, plan, payload));
    const begin = () => this.#runInTurn(accountId, () => this.#begin(accountId, request, draft, save));
    try {
      // Drafts are checked one after another. The second of two equal drafts therefore finds the
      // first.
      const begun = allowDuplicate
        ? { changeId: await save(), near: [] }
        : await begin().catch((error: unknown) => {
            if (!isAlreadyRequested(error)) throw error;
            // Another process saved the same draft at the same time. A second check finds that
            // draft.
            return begin();
          });
      if (begun === 'request_key_used') throw alreadyRequested();
      if ('likely' in begun) return { outcome: 'exists', likely: begun.likely };
      if ('same' in begun) {
        const record = await ledger.whenSettled(accountId, begun.same.changeId);
        return { outcome: 'already_requested', record };
      }
      const record = await ledger.whenSettled(accountId, begun.changeId);
      return { outcome: 'requested', record, near: begun.near };
    } catch (error) {
      const isNamedBefore = violates(error, 'change_named_once') || isAlreadyRequested(error);
      const first = isNamedBefore ? await asked() : null;
      if (first === null) throw error;
      return first;
    }
  }

  /**
   * Checks that a new issue differs from issues that are being created or were created recently. If
   * the issue is only proposed, it must also differ from open proposals.
   * @throws {AppError} `conflict` if another issue has the same text
   */
  async expectNew(db: Db, accountId: string, plan: ChangePlan, as: InitialStatus): Promise<void> {
    const step = creationIn(plan);
    if (step === null) return;
    const text = plainTextOf(draftOf(step));
    const requested = await listRequestedIssues(db, accountId);
    const isSame = (other: RequestedIssue) =>
      other.issueId !== step.issueId &&
      (as === 'proposed' || other.status !== 'proposed') &&
      plainTextOf(other) === text;
    if (requested.some(isSame)) throw alreadyRequested();
  }

  /**
   * Checks, before a proposed issue is approved, that it still differs from all existing issues.
   * @throws {AppError} `conflict` if an existing issue is probably the same
   */
  async expectStillNew(accountId: string, plan: ChangePlan): Promise<void> {
    const step = creationIn(plan);
    if (step === null) return;
    const [original] = (await this.#options.originals.find(accountId, draftOf(step))).likely;
    if (!original) return;
    throw conflict(
      'duplicate_found',
      `${original.issue.key} now appears to describe the same problem. Reject this proposal, or have it proposed again with allow_duplicate.`,
    );
  }

  /**
   * Runs `work` when earlier drafts of the account have been checked.
   * @throws {AppError} `unavailable` if the wait takes too long
   */
  async #runInTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(MAX_DRAFT_WAIT_MS);
    try {
      return await this.#turns.run(accountId, work, { signal });
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      throw unavailable('Too many issues are being created at once. Try again.');
    }
  }

  /**
   * Saves the change that creates an issue, unless the same issue exists or was already requested.
   */
  async #begin(
    accountId: string,
    request: EditRequest,
    draft: Draft,
    save: () => Promise<string>,
  ): Promise<Begun> {
    const { db, originals } = this.#options;
    if (await this.#requestedBefore(accountId, request)) return 'request_key_used';
    const requested = await listRequestedIssues(db, accountId);
    const text = plainTextOf(draft);
    const verySame = requested.find((other) => plainTextOf(other) === text);
    if (verySame) return { same: verySame };
    const waiting = requested.filter(({ status }) => status !== 'applied');
    const place = await originals.indexOfSame(accountId, draft, waiting);
    const same = place === null ? undefined : waiting[place];
    if (same) return { same };
    const { likely, near } = await originals.find(accountId, draft);
    return likely.length > 0 ? { likely } : { changeId: await save(), near };
  }

  /**
   * Returns the change that an earlier request with the same idempotency key saved; null if there
   * is none. Retries the change if it failed.
   * @throws {AppError} `conflict` if the key was used for another issue
   */
  async #createdBefore(
    accountId: string,
    request: EditRequest,
    projectId: string,
    draft: Draft,
  ): Promise<ChangeRecord | null> {
    const { ledger } = this.#options;
    const earlier = await this.#requestedBefore(accountId, request);
    if (!earlier) return null;
    if (earlier.requestHash !== requestHashOf(projectId, draft)) {
      throw conflict(
        'idempotency_key_used',
        'This idempotency key was used for another issue. Use a new key for a new issue.',
      );
    }
    const { change } = await ledger.get(accountId, earlier.changeId);
    if (change.status === 'failed' && request.as === 'applying') {
      await ledger.retry(accountId, request.actor, change.id).catch((error: unknown) => {
        // This error means that a concurrent call retried the change first.
        if (!(error instanceof AppError && error.code === 'nothing_failed')) throw error;
      });
    }
    return ledger.whenSettled(accountId, change.id);
  }

  async #requestedBefore(accountId: string, { actor, request }: EditRequest) {
    return request === undefined ? null : this.#options.ledger.findRequested(accountId, actor, request);
  }
}

/**
 * Returns the step of a plan that creates an issue. Null if there is none, or if duplicates are
 * allowed.
 */
function creationIn({ steps, payload }: ChangePlan): PlannedStep | null {
  if (payload.allow_duplicate === true) return null;
  return steps.find(({ action }) => action === 'create') ?? null;
}

function draftOf({ after: { title = '', description = '' } }: PlannedStep): DraftTexts {
  return { title, description };
}

/** Returns the text of a draft for comparison, without differences in letter case and spacing. */
function plainTextOf({ title, description }: DraftTexts): string {
  const plain = (text: string) => normalized(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return `${plain(title)}\n${plain(description)}`;
}

const ALREADY_REQUESTED = 'asked_for_already';

function alreadyRequested(): AppError {
  return conflict(
    ALREADY_REQUESTED,
    'The same issue is already requested or was created a moment ago. Find it with search_issues or list_changes, or call again with allow_duplicate.',
  );
}

function isAlreadyRequested(error: unknown): boolean {
  return error instanceof AppError && error.code === ALREADY_REQUESTED;
}

function requestHashOf(projectId: string, { title, description, labels, assignees }: Draft): string {
  const parts = [projectId, title, description, labels, assignees];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
