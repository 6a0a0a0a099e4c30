import { createHash, randomUUID } from 'node:crypto';
import type { VerdictDecision } from '@winnow/contract/verdict';
import type { ChangeRecord, InitialStatus, Ledger } from '../changes/ledger.ts';
import type { ChangePlan, PlannedStep } from '../changes/plan.ts';
import { findProject, type IssueView } from '../issues/service.ts';
import { AppError, conflict, notFound, unavailable } from '../platform/errors.ts';
import { createLimiter } from '../platform/limiter.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { Trackers } from '../trackers/service.ts';
import { planOfEdit, type Request } from './asking.ts';
import { loginsOf } from './people.ts';
import { type Draft, planCreate } from './plan.ts';
import { type AskedFor, issuesAskedFor } from './store.ts';

/** How long a draft waits for those before it to be looked at. */
const LONGEST_WAIT_MS = 30_000;

type DraftTexts = Pick<Draft, 'title' | 'description'>;

/** An issue that is like a draft. */
export interface SimilarIssue {
  issue: IssueView;
  similarity: number;
  decision: VerdictDecision;
}

/** An issue that seems to say what a draft says, why, and passages that both have. */
export interface LikelyOriginal extends SimilarIssue {
  reason: string;
  shared: string[];
}

/** What drafts are compared with. */
export interface Originals {
  /** The issues that seem to say what a draft says, best first, and others that come near. 503 while that cannot be told. */
  find(accountId: string, draft: DraftTexts): Promise<{ likely: LikelyOriginal[]; near: SimilarIssue[] }>;
  /** The first of other drafts that seems to say the same, by its place among them; null when none does. */
  sameAmong(accountId: string, draft: DraftTexts, others: readonly DraftTexts[]): Promise<number | null>;
}

/** What came of asking for a new issue. */
export type Creation =
  /** It was asked for, now or before under the same name. */
  | { outcome: 'asked'; record: ChangeRecord; near: SimilarIssue[] }
  /** Nothing was asked for: issues are there that seem to say the same. */
  | { outcome: 'is_there'; likely: LikelyOriginal[] }
  /** Nothing was asked for: the same is proposed, or being made, or was made a moment ago. */
  | { outcome: 'is_asked_for'; record: ChangeRecord };

/** What a call found before it saved anything; else what it saved. */
type Begun =
  | { changeId: string; near: SimilarIssue[] }
  | { likely: LikelyOriginal[] }
  | { same: AskedFor }
  | 'named_before';

export interface CreatingOptions {
  db: Db;
  trackers: Trackers;
  ledger: Ledger;
  originals: Originals;
}

/** Makes new issues, each once. */
export class Creating {
  readonly #options: CreatingOptions;
  readonly #turns = createLimiter({ concurrency: 1 });

  constructor(options: CreatingOptions) {
    this.#options = options;
  }

  /** As `IssueEdits.create` promises. */
  async create(
    accountId: string,
    request: Request,
    projectId: string,
    draft: Draft,
    allowDuplicate: boolean,
  ): Promise<Creation> {
    const { db, ledger } = this.#options;
    const asked = async (): Promise<Creation | null> => {
      const record = await this.#createdBefore(accountId, request, projectId, draft);
      return record && { outcome: 'asked', record, near: [] };
    };
    // A retry must not find what the first call made.
    const earlier = await asked();
    if (earlier) return earlier;
    const project = await findProject(db, accountId, projectId);
    if (!project) throw notFound();
    const assignees = await loginsOf(this.#options, accountId, projectId, draft.assignees, request);
    const plan = planCreate(project, { ...draft, assignees }, randomUUID());
    const payload = {
      ...(allowDuplicate ? { allow_duplicate: true } : {}),
      ...(request.request === undefined ? {} : { request_hash: requestHashOf(projectId, draft) }),
    };
    const save = () => ledger.save(accountId, request, planOfEdit(request, plan, payload));
    const begin = () => this.#inTurn(accountId, () => this.#begin(accountId, request, draft, save));
    try {
      // Of two that say the same, one after the other, the second finds the first.
      const begun = allowDuplicate
        ? { changeId: await save(), near: [] }
        : await begin().catch((error: unknown) => {
            if (!isAskedForAlready(error)) throw error;
            // Another process has saved it in the same moment: a second look finds it.
            return begin();
          });
      if (begun === 'named_before') throw askedForAlready();
      if ('likely' in begun) return { outcome: 'is_there', likely: begun.likely };
      if ('same' in begun) {
        const record = await ledger.whenSettled(accountId, begun.same.changeId);
        return { outcome: 'is_asked_for', record };
      }
      const record = await ledger.whenSettled(accountId, begun.changeId);
      return { outcome: 'asked', record, near: begun.near };
    } catch (error) {
      const isNamedBefore = violates(error, 'change_named_once') || isAskedForAlready(error);
      const first = isNamedBefore ? await asked() : null;
      if (first === null) throw error;
      return first;
    }
  }

  /**
   * Holds a change that makes an issue against those that are being made, or were a moment ago, and a proposal against those
   * that wait. 409 when one says the very same.
   */
  async expectNew(db: Db, accountId: string, plan: ChangePlan, as: InitialStatus): Promise<void> {
    const step = creationIn(plan);
    if (step === null) return;
    const text = plainTextOf(draftOf(step));
    const askedFor = await issuesAskedFor(db, accountId);
    const isSame = (other: AskedFor) =>
      other.issueId !== step.issueId &&
      (as === 'proposed' || other.status !== 'proposed') &&
      plainTextOf(other) === text;
    if (askedFor.some(isSame)) throw askedForAlready();
  }

  /** Holds a proposed issue against all that are there by now. 409 when one seems to say the same. */
  async expectStillNew(accountId: string, plan: ChangePlan): Promise<void> {
    const step = creationIn(plan);
    if (step === null) return;
    const [original] = (await this.#options.originals.find(accountId, draftOf(step))).likely;
    if (!original) return;
    throw conflict(
      'duplicate_found',
      `${original.issue.key} seems to say the same by now. Reject this, or have it proposed again with allow_duplicate.`,
    );
  }

  /** Does what must not be done for two drafts of an account at once. 503 when it cannot begin soon. */
  async #inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    try {
      return await this.#turns.run(accountId, work, { signal });
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      throw unavailable('Too many issues are being created at once. Try again.');
    }
  }

  /** Saves a new issue unless it is there, or asked for, already. */
  async #begin(
    accountId: string,
    request: Request,
    draft: Draft,
    save: () => Promise<string>,
  ): Promise<Begun> {
    const { db, originals } = this.#options;
    if (await this.#requestedBefore(accountId, request)) return 'named_before';
    const askedFor = await issuesAskedFor(db, accountId);
    const text = plainTextOf(draft);
    const verySame = askedFor.find((other) => plainTextOf(other) === text);
    if (verySame) return { same: verySame };
    const waiting = askedFor.filter(({ status }) => status !== 'applied');
    const place = await originals.sameAmong(accountId, draft, waiting);
    const same = place === null ? undefined : waiting[place];
    if (same) return { same };
    const { likely, near } = await originals.find(accountId, draft);
    return likely.length > 0 ? { likely } : { changeId: await save(), near };
  }

  /**
   * The change by which a caller asked for this issue before, by the same name; where that failed, it is tried again. Null when
   * there is none. 409 when the name stands for something else.
   */
  async #createdBefore(
    accountId: string,
    request: Request,
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
        // Another call was quicker to try it again.
        if (!(error instanceof AppError && error.code === 'nothing_failed')) throw error;
      });
    }
    return ledger.whenSettled(accountId, change.id);
  }

  async #requestedBefore(accountId: string, { actor, request }: Request) {
    return request === undefined ? null : this.#options.ledger.findRequested(accountId, actor, request);
  }
}

/** The step that makes an issue which is to be new; null also where who asked insists on it. */
function creationIn({ steps, payload }: ChangePlan): PlannedStep | null {
  if (payload.allow_duplicate === true) return null;
  return steps.find(({ action }) => action === 'create') ?? null;
}

function draftOf({ after: { title = '', description = '' } }: PlannedStep): DraftTexts {
  return { title, description };
}

/** What a text says, however it is spaced and in whatever letters. */
function plainTextOf({ title, description }: DraftTexts): string {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return `${plain(title)}\n${plain(description)}`;
}

const ASKED_FOR_ALREADY = 'asked_for_already';

function askedForAlready(): AppError {
  return conflict(
    ASKED_FOR_ALREADY,
    'The same issue is asked for already, or was made a moment ago. Look for it with search_issues and list_changes, or call again with allow_duplicate.',
  );
}

function isAskedForAlready(error: unknown): boolean {
  return error instanceof AppError && error.code === ASKED_FOR_ALREADY;
}

function requestHashOf(projectId: string, { title, description, labels, assignees }: Draft): string {
  const parts = [projectId, title, description, labels, assignees];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
