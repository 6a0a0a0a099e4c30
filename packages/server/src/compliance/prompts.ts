import { randomUUID } from 'node:crypto';
import { builtInPrompts } from '@winnow/analysis/readiness/prompts';
import type {
  CompliancePrompt,
  CompliancePromptDraft,
  CompliancePromptVersion,
  Criterion,
} from '@winnow/contract/compliance';
import { isId } from '@winnow/contract/primitives';
import type { AccountPlans } from '../billing/index.ts';
import { conflict, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './prompt-store.ts';

/** Maximum number of custom prompts per account. */
const MAX_CUSTOM_PROMPTS = 50;

const BUILT_IN: readonly CompliancePrompt[] = builtInPrompts.map(
  ({ id, name, shortName, description, criteria }) => ({
    id,
    name,
    short_name: shortName,
    description,
    criteria: [...criteria],
    builtin: true,
    version: 1,
  }),
);

export interface PromptsOptions {
  db: Db;
  /** Throws if the account's plan excludes custom prompts. */
  plans: Pick<AccountPlans, 'expect'>;
}

/** Prompts by which issues are judged: built-in and custom ones. */
export class Prompts {
  readonly #options: PromptsOptions;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** Returns the built-in prompts, default first, then the account's custom prompts by name. */
  async list(accountId: string): Promise<CompliancePrompt[]> {
    return [...BUILT_IN, ...(await store.listPrompts(this.#options.db, accountId)).map(presentPrompt)];
  }

  /** Returns the current version of a prompt. Throws `not_found` if the prompt does not exist. */
  async findPromptById(accountId: string, promptId: string): Promise<CompliancePrompt> {
    const builtIn = BUILT_IN.find(({ id }) => id === promptId);
    if (builtIn) return builtIn;
    const row = isId(promptId) ? await store.findPrompt(this.#options.db, accountId, promptId) : undefined;
    if (!row) throw notFound();
    return presentPrompt(row);
  }

  /**
   * Returns all versions of a prompt, newest first. Throws `not_found` if the prompt does not
   * exist.
   */
  async versions(accountId: string, promptId: string): Promise<CompliancePromptVersion[]> {
    const builtIn = BUILT_IN.find(({ id }) => id === promptId);
    if (builtIn) return [{ ...builtIn, created_at: null }];
    const rows = isId(promptId) ? await store.listVersions(this.#options.db, accountId, promptId) : [];
    if (rows.length === 0) throw notFound();
    return rows.map((row) => ({ ...presentPrompt(row), created_at: row.created_at.toISOString() }));
  }

  /**
   * Stores a new prompt. Throws `forbidden` if the plan excludes custom prompts. Throws `conflict`
   * if the account has too many, or if the name is taken.
   */
  async create(accountId: string, draft: CompliancePromptDraft): Promise<CompliancePrompt> {
    await this.#expectCustomizable(accountId);
    return this.#write(accountId, async (db, others) => {
      if (others.length >= MAX_CUSTOM_PROMPTS) {
        throw conflict(
          'too_many_prompts',
          `An account can have at most ${MAX_CUSTOM_PROMPTS} custom prompts.`,
        );
      }
      expectFreeName(draft.name, others);
      return store.insertPrompt(db, accountId, { id: randomUUID(), version: 1, ...storedDraft(draft, []) });
    });
  }

  /**
   * Stores a new version of a custom prompt, unless the draft changes nothing. Scores of previous
   * versions remain in the history. Throws `not_found` if the prompt does not exist.
   */
  async update(accountId: string, promptId: string, draft: CompliancePromptDraft): Promise<CompliancePrompt> {
    await this.#expectCustomizable(accountId);
    return this.#write(accountId, async (db, others) => {
      const now = others.find(({ id }) => id === promptId);
      if (!now) throw notFound();
      expectFreeName(
        draft.name,
        others.filter(({ id }) => id !== promptId),
      );
      const versions = await store.listVersions(db, accountId, promptId);
      const written = storedDraft(
        draft,
        versions.flatMap(({ criteria }) => criteria),
      );
      if (isSame(written, now)) return now;
      return store.insertPrompt(db, accountId, { id: promptId, version: now.version + 1, ...written });
    });
  }

  /**
   * Deletes a custom prompt with all its scores. Throws `not_found` if the prompt does not exist.
   */
  async remove(accountId: string, promptId: string): Promise<void> {
    const { db } = this.#options;
    if (!isId(promptId)) throw notFound();
    await db.transaction().execute(async (transaction) => {
      await store.lockPrompts(transaction, accountId);
      if (!(await store.removePrompt(transaction, accountId, promptId))) throw notFound();
    });
  }

  /** Converts a draft to the form of a stored prompt, without storing it. */
  async tryOut(accountId: string, draft: CompliancePromptDraft): Promise<CompliancePrompt> {
    await this.#expectCustomizable(accountId);
    return { id: randomUUID(), ...storedDraft(draft, []), builtin: false, version: 0 };
  }

  async #write(
    accountId: string,
    work: (db: Db, others: store.PromptRow[]) => Promise<store.PromptRow>,
  ): Promise<CompliancePrompt> {
    return this.#options.db.transaction().execute(async (transaction) => {
      await store.lockPrompts(transaction, accountId);
      const others = await store.listPrompts(transaction, accountId);
      return presentPrompt(await work(transaction, others));
    });
  }

  #expectCustomizable(accountId: string): Promise<void> {
    return this.#options.plans.expect(accountId, 'custom_compliance_metrics_enabled');
  }
}

function expectFreeName(name: string, others: readonly store.PromptRow[]): void {
  const taken = [...BUILT_IN, ...others].some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (!taken) return;
  throw conflict('name_taken', `A prompt named “${name}” already exists.`, [
    { path: 'name', message: 'This name is taken.' },
  ]);
}

/** Tolerance for rounding errors when weights are compared. */
const SHARE_TOLERANCE = 1e-9;

type StoredDraft = Pick<CompliancePrompt, 'name' | 'short_name' | 'description' | 'criteria'>;

function isSame(one: StoredDraft, other: StoredDraft): boolean {
  return (
    one.name === other.name &&
    one.short_name === other.short_name &&
    one.description === other.description &&
    one.criteria.length === other.criteria.length &&
    one.criteria.every(({ name, weight, description, check }, index) => {
      const criterion = other.criteria[index];
      return (
        criterion?.name === name &&
        criterion.description === description &&
        criterion.check === check &&
        Math.abs(criterion.weight - weight) < SHARE_TOLERANCE
      );
    })
  );
}

/**
 * Adds ids and relative weights to the criteria of a draft. If a previous version has a criterion
 * of the same name, its id is reused, so that previous scores appear under it. An id is never
 * reused for another name. `former` contains the criteria of previous versions, newest version
 * first.
 */
function storedDraft(
  { name, short_name, description, criteria }: CompliancePromptDraft,
  former: readonly Criterion[],
): StoredDraft {
  const whole = criteria.reduce((sum, { weight }) => sum + weight, 0);
  let last = Math.max(0, ...former.map(({ id }) => Number(id.replace(/^criterion_/, ''))));
  const stored: Criterion[] = criteria.map((criterion) => {
    const before = former.find((other) => other.name.toLowerCase() === criterion.name.toLowerCase());
    if (before === undefined) last += 1;
    return { ...criterion, id: before?.id ?? `criterion_${last}`, weight: criterion.weight / whole };
  });
  return { name, short_name, description, criteria: stored };
}

function presentPrompt({
  id,
  name,
  short_name,
  description,
  criteria,
  version,
}: store.PromptRow): CompliancePrompt {
  return { id, name, short_name, description, criteria, builtin: false, version };
}
