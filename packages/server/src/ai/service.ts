import { randomUUID } from 'node:crypto';
import {
  AI_PROVIDERS,
  type AiModelCreate,
  type AiModelTest,
  type AiModelTestResult,
  type AiModelUpdate,
} from '@winnow/contract/ai-model';
import { expectSignedIn, type SignedIn } from '../accounts/signed-in.ts';
import type { PlansOfAccounts } from '../billing/plans/plans-of-accounts.ts';
import type { OfferedModel } from '../platform/config-ai-models.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { LanguageModels, ModelConnection, StoredModel } from './model.ts';
import { ModelError } from './model-error.ts';
import { notYours, OfferedModels } from './offered-models.ts';
import { answerOkPrompt } from './prompts/answer-ok.ts';
import * as store from './store.ts';

export { findModel, modelNames } from './store.ts';

const OWN_MODELS = 'custom_ai_models_enabled';
const KEY_WANTED = 'Enter an API key.';
const KEY_UNREADABLE = 'The stored key cannot be read any more. Enter the API key again.';
const KEY_WANTED_AGAIN = 'Enter the API key again: the stored one is only ever sent to the stored host.';

export interface AiModelsOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  languageModels: LanguageModels;
  /** Models that everybody may use, by the operator's configuration. */
  offered: readonly OfferedModel[];
  /** Whether accounts may have models of their own. */
  plans: Pick<PlansOfAccounts, 'has' | 'expect'>;
  /** Told when another model is to judge from now on, or the default one was changed. */
  onDefaultChanged: (accountId: string) => Promise<void>;
}

/** The language models that an account can use: its own, and those that the operator offers. */
export class AiModels {
  readonly #options: AiModelsOptions;
  readonly #offered: OfferedModels;

  constructor(options: AiModelsOptions) {
    this.#options = options;
    this.#offered = new OfferedModels(options.offered);
  }

  /**
   * Every model: those that are offered, then the account's own, the oldest first. What is offered becomes known to the
   * account here, and what is not offered any more goes away with what it said.
   */
  async list(accountId: string): Promise<store.AiModelRow[]> {
    const { db, now, onDefaultChanged } = this.#options;
    const stored = await store.listModels(db, accountId);
    const { gone, missing } = this.#offered.difference(stored);
    if (gone.length + missing.length === 0) return this.#offered.inOrder(stored);
    await this.#write(accountId, async (transaction) => {
      for (const { id } of gone) await store.deleteModel(transaction, accountId, id);
      await store.insertOffered(
        transaction,
        missing.map(({ name, provider, identifier }) => ({
          account_id: accountId,
          id: randomUUID(),
          name,
          provider_name: provider,
          model_identifier: identifier,
          api_url: '',
          sealed_key: null,
          is_default: false,
          is_offered: true,
          created_at: now(),
        })),
      );
    });
    if (gone.some(({ is_default: wasDefault }) => wasDefault)) await onDefaultChanged(accountId);
    return this.#offered.inOrder(await store.listModels(db, accountId));
  }

  /**
   * Stores a model. 409 when its name is taken, 403 `plan_limit` where the plan has no models of one's own. The first one
   * becomes the default where there is none, unless that is declined.
   */
  async create(user: SignedIn, input: AiModelCreate): Promise<store.AiModelRow> {
    const { accountId } = user;
    await this.#expectOwn(accountId);
    const id = randomUUID();
    const created = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const others = await store.listModels(transaction, accountId);
      const isFirst = others.every((other) => other.is_offered && !other.is_default);
      const isDefault = input.is_default ?? isFirst;
      if (isDefault) await store.clearDefault(transaction, accountId);
      return store.insertModel(transaction, {
        account_id: accountId,
        id,
        name: input.name,
        provider_name: input.provider_name,
        model_identifier: input.model_identifier,
        api_url: plainAddress(input.api_url),
        sealed_key: this.#seal(accountId, id, input.api_key),
        is_default: isDefault,
        created_at: this.#options.now(),
      });
    });
    if (created.is_default) await this.#options.onDefaultChanged(accountId);
    return created;
  }

  /**
   * Changes what is given. 404, 409 for a name that is taken, 422 where a key is missing; 403 `plan_limit` where the plan has
   * no models of one's own. An offered one can be made the default or not, and nothing else: 403.
   */
  async update(user: SignedIn, modelId: string, input: AiModelUpdate): Promise<store.AiModelRow> {
    const { accountId } = user;
    const stored = await this.#find(accountId, modelId);
    const { is_default: isDefault, api_key: key, ...rest } = input;
    const isPlain = key === '' && Object.values(rest).every((value) => value === undefined);
    if (stored.is_offered) {
      if (!isPlain) throw notYours();
      return this.#makeDefault(user, stored, isDefault ?? stored.is_default);
    }
    const isGivenUp = isPlain && isDefault === false;
    if (!isGivenUp) await this.#expectOwn(accountId);
    const updated = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const row = await store.findModel(transaction, accountId, modelId);
      if (!row) throw notFound();
      const provider = input.provider_name ?? row.provider_name;
      const url = input.api_url === undefined ? row.api_url : plainAddress(input.api_url);
      const keepsKey = input.api_key === '' && row.sealed_key !== null;
      if (keepsKey && !sameHost(url, row.api_url)) refuseKey(KEY_WANTED_AGAIN);
      if (input.api_key === '' && !keepsKey && AI_PROVIDERS[provider].needsKey) refuseKey(KEY_WANTED);
      if (input.is_default === true) await store.clearDefault(transaction, accountId);
      const values = {
        name: input.name ?? row.name,
        provider_name: provider,
        model_identifier: input.model_identifier ?? row.model_identifier,
        api_url: url,
        sealed_key: keepsKey ? row.sealed_key : this.#seal(accountId, modelId, input.api_key),
        is_default: input.is_default ?? row.is_default,
      };
      return store.updateModel(transaction, accountId, modelId, values);
    });
    if (!updated) throw notFound();
    this.#options.languageModels.wake(modelId);
    if (updated.is_default || input.is_default === false) await this.#options.onDefaultChanged(accountId);
    return updated;
  }

  /**
   * Removes a model with its key and its verdicts. When it was the default, the built-in analyst takes over. 404; 403 for one
   * that is offered.
   */
  async delete(accountId: string, modelId: string): Promise<void> {
    const { db, onDefaultChanged } = this.#options;
    const row = await this.#find(accountId, modelId);
    if (row.is_offered) throw notYours();
    if (!(await store.deleteModel(db, accountId, modelId))) throw notFound();
    if (row.is_default) await onDefaultChanged(accountId);
  }

  /**
   * Whether a model answers, in words; of one that is offered, as it is offered. Never fails for what the other side said.
   * 404; 403 `plan_limit` where the plan has no models of one's own, 429 `plan_limit` when it allows no more calls.
   */
  async test(accountId: string, input: AiModelTest): Promise<AiModelTestResult> {
    const stored = input.model_id === undefined ? null : await this.#find(accountId, input.model_id);
    const offered = stored && this.#offered.connect(stored);
    if (offered) return this.#try(accountId, { ...offered, id: null });
    await this.#expectOwn(accountId);
    const unasked = (message: string) => ({ success: false, message, latency_ms: null });
    const apiUrl = plainAddress(input.api_url);
    const storedKey = input.api_key === '' ? (stored?.sealed_key ?? null) : null;
    if (stored && storedKey && !sameHost(apiUrl, stored.api_url)) return unasked(KEY_WANTED_AGAIN);
    const apiKey = stored && storedKey ? this.#readKey(stored) : input.api_key;
    if (apiKey === null) return unasked(KEY_UNREADABLE);
    if (apiKey === '' && AI_PROVIDERS[input.provider_name].needsKey) return unasked(KEY_WANTED);
    return this.#try(accountId, {
      id: null,
      name: input.name || stored?.name || input.model_identifier,
      provider: input.provider_name,
      identifier: input.model_identifier,
      apiUrl,
      apiKey,
      isOffered: false,
    });
  }

  /** Asks one like one that was never asked: what the stored one suffers from may just have been mended. */
  async #try(accountId: string, model: ModelConnection & { id: null }): Promise<AiModelTestResult> {
    const { languageModels } = this.#options;
    const startMs = performance.now();
    const tried = await languageModels.ask(accountId, model, 'test', answerOkPrompt, null).then(
      () => null,
      (error: unknown) => {
        if (error instanceof ModelError && error.kind !== 'plan_limit') return error;
        throw error;
      },
    );
    const tookMs = Math.round(performance.now() - startMs);
    return {
      success: tried === null,
      message: tried?.detail ?? `${model.name} answers. It took ${(tookMs / 1000).toFixed(1)} s.`,
      latency_ms: tookMs,
    };
  }

  /**
   * The model that works for the account; null when the built-in analyst does, as where the model's key cannot be read, it is
   * not offered any more, or the plan has no models of one's own.
   */
  async defaultOf(accountId: string): Promise<StoredModel | null> {
    const { db, plans } = this.#options;
    const row = await store.findDefault(db, accountId);
    if (!row) return null;
    if (row.is_offered) return this.#offered.connect(row);
    if (!(await plans.has(accountId, OWN_MODELS))) return null;
    const apiKey = this.#readKey(row);
    return apiKey === null ? null : connectionOf(row, apiKey);
  }

  /**
   * A model as it is asked. 404 when there is none, 403 `plan_limit` where the plan has no models of one's own, 409 when its
   * key cannot be read any more.
   */
  async open(accountId: string, modelId: string): Promise<StoredModel> {
    const row = await this.#find(accountId, modelId);
    const offered = this.#offered.connect(row);
    if (offered) return offered;
    await this.#expectOwn(accountId);
    const apiKey = this.#readKey(row);
    if (apiKey === null) throw conflict('ai_model_key_unreadable', `${row.name}: ${KEY_UNREADABLE}`);
    return connectionOf(row, apiKey);
  }

  /** 404 when there is none, or when it is not offered any more. */
  async #find(accountId: string, modelId: string): Promise<store.AiModelRow> {
    const row = await store.findModel(this.#options.db, accountId, modelId);
    if (!row || this.#offered.isGone(row)) throw notFound();
    return row;
  }

  #expectOwn(accountId: string): Promise<void> {
    return this.#options.plans.expect(accountId, OWN_MODELS);
  }

  async #makeDefault(
    user: SignedIn,
    { account_id: accountId, id }: store.AiModelRow,
    isDefault: boolean,
  ): Promise<store.AiModelRow> {
    const updated = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      if (isDefault) await store.clearDefault(transaction, accountId);
      return store.updateModel(transaction, accountId, id, { is_default: isDefault });
    });
    if (!updated) throw notFound();
    await this.#options.onDefaultChanged(accountId);
    return this.#offered.shown(updated);
  }

  #seal(accountId: string, modelId: string, apiKey: string): Buffer | null {
    return apiKey === '' ? null : this.#options.secrets.seal(apiKey, keyContext(accountId, modelId));
  }

  /** The stored key, empty where there is none; null where the key that sealed it was lost. */
  #readKey({ account_id, id, sealed_key }: store.AiModelRow): string | null {
    if (sealed_key === null) return '';
    try {
      return this.#options.secrets.open(sealed_key, keyContext(account_id, id));
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }

  async #write<T>(accountId: string, work: (transaction: Db) => Promise<T>): Promise<T> {
    try {
      return await this.#options.db.transaction().execute(async (transaction) => {
        await store.lockModels(transaction, accountId);
        return work(transaction);
      });
    } catch (error) {
      throw takenName(error) ?? error;
    }
  }
}

function connectionOf(row: store.AiModelRow, apiKey: string): StoredModel {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider_name,
    identifier: row.model_identifier,
    apiUrl: row.api_url,
    apiKey,
    isOffered: false,
  };
}

/** An address as it is called: without the slashes at its end. */
function plainAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Whether both addresses are of one host and port, reached in the same way. */
function sameHost(left: string, right: string): boolean {
  return new URL(left).origin === new URL(right).origin;
}

function refuseKey(message: string): never {
  throw invalid([{ path: 'api_key', message }]);
}

function takenName(error: unknown) {
  if (!violates(error, 'ai_model_name')) return null;
  const message = 'A model of this name is there already.';
  return conflict('ai_model_name_taken', message, [{ path: 'name', message }]);
}

/** What the key of a stored model is sealed for. */
export function keyContext(accountId: string, modelId: string): string {
  return `ai-model:${accountId}:${modelId}`;
}
