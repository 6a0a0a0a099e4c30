import { randomUUID } from 'node:crypto';
import {
  AI_PROVIDERS,
  type AiModelCreate,
  type AiModelTest,
  type AiModelTestResult,
  type AiModelUpdate,
} from '@winnow/contract/ai-model';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import type { LanguageModels, ModelConnection, StoredModel } from './model.ts';
import { ModelError } from './model-error.ts';
import { answerOkPrompt } from './prompts/answer-ok.ts';
import * as store from './store.ts';

const KEY_WANTED = 'Enter an API key.';
const KEY_UNREADABLE = 'The stored key cannot be read any more. Enter the API key again.';
const KEY_WANTED_AGAIN = 'Enter the API key again: the stored one is only ever sent to the stored host.';

export interface AiModelsOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  languageModels: LanguageModels;
  /** Told when another model is to judge from now on, or the default one was changed. */
  onDefaultChanged: (accountId: string) => Promise<void>;
}

/** The language models of an account. */
export class AiModels {
  readonly #options: AiModelsOptions;

  constructor(options: AiModelsOptions) {
    this.#options = options;
  }

  list(accountId: string): Promise<store.AiModelRow[]> {
    return store.listModels(this.#options.db, accountId);
  }

  /** Stores a model. 409 when its name is taken. The first one becomes the default unless that is declined. */
  async create(accountId: string, input: AiModelCreate): Promise<store.AiModelRow> {
    const id = randomUUID();
    const created = await this.#write(accountId, async (transaction) => {
      const isFirst = (await store.listModels(transaction, accountId)).length === 0;
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

  /** Changes what is given. 404, 409 for a name that is taken, 422 where a key is missing. */
  async update(accountId: string, modelId: string, input: AiModelUpdate): Promise<store.AiModelRow> {
    const updated = await this.#write(accountId, async (transaction) => {
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

  /** Removes a model with its key and its verdicts. When it was the default, the built-in analyst takes over. */
  async delete(accountId: string, modelId: string): Promise<void> {
    const { db, onDefaultChanged } = this.#options;
    const row = await store.findModel(db, accountId, modelId);
    if (!row || !(await store.deleteModel(db, accountId, modelId))) throw notFound();
    if (row.is_default) await onDefaultChanged(accountId);
  }

  /** Whether a model answers, in words. Never fails for what the other side said. */
  async test(accountId: string, input: AiModelTest): Promise<AiModelTestResult> {
    const { db, languageModels } = this.#options;
    const stored = input.model_id === undefined ? null : await store.findModel(db, accountId, input.model_id);
    if (stored === undefined) throw notFound();
    const unasked = (message: string) => ({ success: false, message, latency_ms: null });
    const apiUrl = plainAddress(input.api_url);
    const storedKey = input.api_key === '' ? (stored?.sealed_key ?? null) : null;
    if (stored && storedKey && !sameHost(apiUrl, stored.api_url)) return unasked(KEY_WANTED_AGAIN);
    const apiKey = stored && storedKey ? this.#readKey(stored) : input.api_key;
    if (apiKey === null) return unasked(KEY_UNREADABLE);
    if (apiKey === '' && AI_PROVIDERS[input.provider_name].needsKey) return unasked(KEY_WANTED);
    const model: ModelConnection = {
      // Tried out like one that was never asked: what the stored one suffers from may just have been mended.
      id: null,
      name: input.name || stored?.name || input.model_identifier,
      provider: input.provider_name,
      identifier: input.model_identifier,
      apiUrl,
      apiKey,
    };
    const startMs = performance.now();
    const tried = await languageModels.ask(accountId, model, 'test', answerOkPrompt, null).then(
      () => null,
      (error: unknown) => {
        if (error instanceof ModelError) return error;
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

  /** The model that works for the account; null when the built-in analyst does, as where the model's key cannot be read. */
  async defaultOf(accountId: string): Promise<StoredModel | null> {
    const row = await store.findDefault(this.#options.db, accountId);
    const apiKey = row ? this.#readKey(row) : null;
    if (!row || apiKey === null) return null;
    return {
      id: row.id,
      name: row.name,
      provider: row.provider_name,
      identifier: row.model_identifier,
      apiUrl: row.api_url,
      apiKey,
    };
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

function keyContext(accountId: string, modelId: string): string {
  return `ai-model:${accountId}:${modelId}`;
}
