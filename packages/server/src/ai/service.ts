import { randomUUID } from 'node:crypto';
import {
  AI_PROVIDERS,
  type AiModelEstimate,
  type AiModelEstimateRequest,
  type AiModelTest,
  type AiModelTestResult,
  type AiModelUpdate,
  type aiModelCreate,
  type ModelPrice,
  type ProviderModels,
  type ProviderModelsRequest,
} from '@winnow/contract/ai-model';
import type { ModelAbsence } from '@winnow/contract/verdict';
import type { z } from 'zod';
import { expectSignedIn, type SignedIn } from '../accounts/signed-in.ts';
import type { PlansOfAccounts } from '../billing/plans/plans-of-accounts.ts';
import type { OfferedModel } from '../platform/config-ai-models.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { expectNoFailedTest } from './connection-tests.ts';
import { type ExpectedWork, estimateOf } from './estimate.ts';
import type { LanguageModels, ModelConnection, StoredModel } from './model.ts';
import { monthStart } from './model-caps.ts';
import { ModelError } from './model-error.ts';
import type { ModelHealth } from './model-health.ts';
import { listHealth } from './model-health-store.ts';
import { listMonthlyUse, reopenMonth } from './model-use-store.ts';
import { notYours, OfferedModels } from './offered-models.ts';
import { isOut, type ShownModel, stateOf } from './present.ts';
import { listPriceOf, type Price } from './prices.ts';
import { answerOkPrompt } from './prompts/answer-ok.ts';
import { listProviderModels } from './provider-models.ts';
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
  health: Pick<ModelHealth, 'noteSuccess' | 'noteFailure' | 'forget'>;
  /** The only way out to providers. */
  fetch: typeof fetch;
  /** What an account's reviews and scores would ask of a model; null for one that is not stored. */
  expectedWork: (accountId: string, model: StoredModel | null) => Promise<ExpectedWork>;
  /** Called when another model is to judge, or the default one was changed. */
  onDefaultChanged: (accountId: string) => Promise<void>;
}

/** The default model of an account. */
export interface DefaultModel {
  /** Null where the built-in analyst is the default. */
  model: StoredModel | null;
  /** Why the model is not asked at the moment, so that the built-in analyst works; null while it is. */
  absence: Extract<ModelAbsence, 'paused' | 'capped'> | null;
}

const NO_DEFAULT: DefaultModel = { model: null, absence: null };

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
  async list(accountId: string): Promise<ShownModel[]> {
    return this.#shown(accountId, await this.#rows(accountId));
  }

  async #rows(accountId: string): Promise<store.AiModelRow[]> {
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
   * Stores a model, and makes it the default where that is asked for. 409 when its name is taken or its last test failed,
   * 403 `plan_limit` where the plan has no custom models.
   */
  async create(user: SignedIn, input: z.output<typeof aiModelCreate>): Promise<ShownModel> {
    const { accountId } = user;
    await this.#expectOwn(accountId);
    const id = randomUUID();
    const created = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const apiUrl = plainAddress(input.api_url);
      const { provider_name: provider, model_identifier: identifier } = input;
      if (input.is_default) {
        await expectNoFailedTest(transaction, accountId, { provider, identifier, apiUrl });
        await store.clearDefault(transaction, accountId);
      }
      const price = priceColumns(input.price ?? null);
      const costCap = input.monthly_cost_cap ?? null;
      this.#expectPriced({ provider_name: provider, model_identifier: identifier, ...price }, costCap);
      return store.insertModel(transaction, {
        account_id: accountId,
        id,
        name: input.name,
        provider_name: input.provider_name,
        model_identifier: input.model_identifier,
        api_url: apiUrl,
        sealed_key: this.#seal(accountId, id, input.api_key),
        is_default: input.is_default,
        ...price,
        monthly_call_cap: input.monthly_call_cap ?? null,
        monthly_cost_cap: costCap,
        created_at: this.#options.now(),
      });
    });
    if (created.is_default) await this.#options.onDefaultChanged(accountId);
    return this.#shownOne(accountId, created);
  }

  /**
   * Changes what is given. 404; 409 for a name that is taken, and for a default whose last test failed; 422 where a key is
   * missing; 403 `plan_limit` where the plan has no custom models. An offered one can be made the default or not, and nothing
   * else: 403.
   */
  async update(user: SignedIn, modelId: string, input: AiModelUpdate): Promise<ShownModel> {
    const { accountId } = user;
    const stored = await this.#find(accountId, modelId);
    const { is_default: isDefault, api_key: key, ...rest } = input;
    const isPlain = key === '' && Object.values(rest).every((value) => value === undefined);
    if (stored.is_offered) {
      if (!isPlain) throw notYours();
      const row = await this.#makeDefault(user, stored, isDefault ?? stored.is_default);
      return this.#shownOne(accountId, row);
    }
    const isGivenUp = isPlain && isDefault === false;
    if (!isGivenUp) await this.#expectOwn(accountId);
    let movedAway = false;
    const updated = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const row = await store.findModel(transaction, accountId, modelId);
      if (!row) throw notFound();
      const provider = input.provider_name ?? row.provider_name;
      const url = input.api_url === undefined ? row.api_url : plainAddress(input.api_url);
      const keepsKey = input.api_key === '' && row.sealed_key !== null;
      if (keepsKey && !sameHost(url, row.api_url)) refuseKey(KEY_WANTED_AGAIN);
      if (input.api_key === '' && !keepsKey && AI_PROVIDERS[provider].needsKey) refuseKey(KEY_WANTED);
      const identifier = input.model_identifier ?? row.model_identifier;
      const isMoved =
        provider !== row.provider_name ||
        identifier !== row.model_identifier ||
        url !== row.api_url ||
        input.api_key !== '';
      const willBeDefault = input.is_default ?? row.is_default;
      if (willBeDefault && (isMoved || !row.is_default)) {
        await expectNoFailedTest(transaction, accountId, { provider, identifier, apiUrl: url });
      }
      if (input.is_default === true) await store.clearDefault(transaction, accountId);
      const values = {
        name: input.name ?? row.name,
        provider_name: provider,
        model_identifier: identifier,
        api_url: url,
        sealed_key: keepsKey ? row.sealed_key : this.#seal(accountId, modelId, input.api_key),
        is_default: willBeDefault,
        ...(input.price === undefined ? {} : priceColumns(input.price)),
        ...(input.monthly_call_cap === undefined ? {} : { monthly_call_cap: input.monthly_call_cap }),
        ...(input.monthly_cost_cap === undefined ? {} : { monthly_cost_cap: input.monthly_cost_cap }),
      };
      const next = { ...row, ...values };
      if (!isGivenUp) this.#expectPriced(next, next.monthly_cost_cap);
      if (values.monthly_call_cap !== undefined || values.monthly_cost_cap !== undefined) {
        await reopenMonth(transaction, accountId, modelId);
      }
      movedAway = isMoved;
      return store.updateModel(transaction, accountId, modelId, values);
    });
    if (!updated) throw notFound();
    this.#options.languageModels.wake(modelId);
    if (movedAway) await this.#options.health.forget(accountId, modelId);
    if (updated.is_default || input.is_default === false) await this.#options.onDefaultChanged(accountId);
    return this.#shownOne(accountId, updated);
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
    const offered = stored && this.#connectOffered(stored);
    if (offered) return this.#tryAndRemember(accountId, { ...offered, id: null });
    await this.#expectOwn(accountId);
    const { now } = this.#options;
    const unasked = (message: string) => ({ success: false, message, latency_ms: null });
    const apiUrl = plainAddress(input.api_url);
    const apiKey = this.#keyToTry(stored, input.api_key, apiUrl);
    if (typeof apiKey !== 'string') return unasked(apiKey.refusal);
    if (apiKey === '' && AI_PROVIDERS[input.provider_name].needsKey) return unasked(KEY_WANTED);
    return this.#tryAndRemember(accountId, {
      id: null,
      name: input.name || stored?.name || input.model_identifier,
      provider: input.provider_name,
      identifier: input.model_identifier,
      apiUrl,
      apiKey,
      isOffered: false,
      price: stored ? priceOfRow(stored, now()) : listPriceOf(nameOfInput(input), now()),
      caps: NO_CAPS,
    });
  }

  /**
   * Tests a stored model and, when it answers, ends its pause and its failures. 404; 403 `plan_limit` where the plan has no
   * custom models; 409 when its key cannot be read; 429 `plan_limit` when the plan allows no more calls.
   */
  async resume(accountId: string, modelId: string): Promise<AiModelTestResult> {
    const { health, languageModels, now, onDefaultChanged } = this.#options;
    const model = await this.open(accountId, modelId);
    const startedAt = now();
    const { error, result } = await this.#try(accountId, { ...model, id: null });
    await this.#rememberTest(accountId, model, error);
    if (error !== null) {
      await health.noteFailure(accountId, modelId, error, startedAt);
      return result;
    }
    languageModels.wake(modelId);
    await health.noteSuccess(accountId, modelId);
    const row = await store.findModel(this.#options.db, accountId, modelId);
    if (row?.is_default) await onDefaultChanged(accountId);
    return result;
  }

  /** Lists the models that a provider has for a key. 404; 403 `plan_limit` where the plan has no custom models. */
  async providerModels(accountId: string, input: ProviderModelsRequest): Promise<ProviderModels> {
    const { fetch } = this.#options;
    const stored = input.model_id === undefined ? null : await this.#find(accountId, input.model_id);
    if (stored?.is_offered) throw notYours();
    await this.#expectOwn(accountId);
    const apiUrl = plainAddress(input.api_url);
    const apiKey = this.#keyToTry(stored, input.api_key, apiUrl);
    if (typeof apiKey !== 'string') return { models: null, message: apiKey.refusal };
    if (apiKey === '' && AI_PROVIDERS[input.provider_name].needsKey) {
      return { models: null, message: KEY_WANTED };
    }
    return listProviderModels({ provider: input.provider_name, apiUrl, apiKey }, fetch);
  }

  /** Estimates what using a model for reviews and scores takes. 404 for a stored model that is gone. */
  async estimate(accountId: string, input: AiModelEstimateRequest): Promise<AiModelEstimate> {
    const { now, expectedWork } = this.#options;
    const row = input.model_id === undefined ? null : await this.#find(accountId, input.model_id);
    const stored = row && (this.#connectOffered(row) ?? connectionOf(row, '', now()));
    const isSame =
      stored?.provider === input.provider_name && stored.identifier === input.model_identifier
        ? stored
        : null;
    const price =
      input.price === undefined
        ? (isSame?.price ?? listPriceOf(nameOfInput(input), now()))
        : priceOfRow({ ...input, ...priceColumns(input.price) }, now());
    return estimateOf(await expectedWork(accountId, isSame), price);
  }

  /** The key that was entered, or the stored one where none was; a refusal where that may not be sent, or is unreadable. */
  #keyToTry(stored: store.AiModelRow | null, entered: string, apiUrl: string): string | { refusal: string } {
    if (entered !== '' || !stored?.sealed_key) return entered;
    if (!sameHost(apiUrl, stored.api_url)) return { refusal: KEY_WANTED_AGAIN };
    return this.#readKey(stored) ?? { refusal: KEY_UNREADABLE };
  }

  async #tryAndRemember(
    accountId: string,
    model: ModelConnection & { id: null },
  ): Promise<AiModelTestResult> {
    const { error, result } = await this.#try(accountId, model);
    await this.#rememberTest(accountId, model, error);
    return result;
  }

  #rememberTest(accountId: string, model: store.TestedConnection, error: ModelError | null): Promise<void> {
    const { db, now } = this.#options;
    return store.saveTest(db, accountId, model, error && { failed_at: now(), detail: error.detail });
  }

  /** Asks one like one that was never asked: what the stored one suffers from may just have been fixed. */
  async #try(
    accountId: string,
    model: ModelConnection & { id: null },
  ): Promise<{ error: ModelError | null; result: AiModelTestResult }> {
    const { languageModels } = this.#options;
    const startMs = performance.now();
    const error = await languageModels.ask(accountId, model, 'test', answerOkPrompt, null).then(
      () => null,
      (thrown: unknown) => {
        if (thrown instanceof ModelError && thrown.kind !== 'plan_limit') return thrown;
        throw thrown;
      },
    );
    const tookMs = Math.round(performance.now() - startMs);
    return {
      error,
      result: {
        success: error === null,
        message: error?.detail ?? `${model.name} answers. It took ${(tookMs / 1000).toFixed(1)} s.`,
        latency_ms: tookMs,
      },
    };
  }

  /**
   * Returns the default model of an account, and whether it may be asked. None where the built-in analyst is the default, the
   * model's key cannot be read, it is not offered any more, or the plan has no custom models.
   */
  async defaultOf(accountId: string): Promise<DefaultModel> {
    const { db, plans, now } = this.#options;
    const row = await store.findDefault(db, accountId);
    if (!row) return NO_DEFAULT;
    const model = await this.#connectDefault(row, plans);
    if (model === null) return NO_DEFAULT;
    const [shown] = await this.#shown(accountId, [row]);
    if (!shown || !isOut(shown, now())) return { model, absence: null };
    return { model, absence: stateOf(shown) === 'capped' ? 'capped' : 'paused' };
  }

  async #connectDefault(row: store.AiModelRow, plans: AiModelsOptions['plans']): Promise<StoredModel | null> {
    if (row.is_offered) return this.#connectOffered(row);
    if (!(await plans.has(row.account_id, OWN_MODELS))) return null;
    const apiKey = this.#readKey(row);
    return apiKey === null ? null : connectionOf(row, apiKey, this.#options.now());
  }

  /**
   * A model as it is asked. 404 when there is none, 403 `plan_limit` where the plan has no models of one's own, 409 when its
   * key cannot be read any more.
   */
  async open(accountId: string, modelId: string): Promise<StoredModel> {
    const row = await this.#find(accountId, modelId);
    const offered = this.#connectOffered(row);
    if (offered) return offered;
    await this.#expectOwn(accountId);
    const apiKey = this.#readKey(row);
    if (apiKey === null) throw conflict('ai_model_key_unreadable', `${row.name}: ${KEY_UNREADABLE}`);
    return connectionOf(row, apiKey, this.#options.now());
  }

  #connectOffered(row: store.AiModelRow): StoredModel | null {
    return this.#offered.connect(row, this.#options.now());
  }

  /** Adds to each model its price, its health and its use of this month. */
  async #shown(accountId: string, rows: readonly store.AiModelRow[]): Promise<ShownModel[]> {
    const { db, now } = this.#options;
    if (rows.length === 0) return [];
    const [health, use] = await Promise.all([
      listHealth(db, accountId),
      listMonthlyUse(db, accountId, monthStart(now())),
    ]);
    return rows.map((row) => ({
      row,
      price: priceOfRow(row, now()),
      health: health.find(({ ai_model_id }) => ai_model_id === row.id),
      use: use.find(({ ai_model_id }) => ai_model_id === row.id),
    }));
  }

  async #shownOne(accountId: string, row: store.AiModelRow): Promise<ShownModel> {
    const [shown] = await this.#shown(accountId, [row]);
    if (!shown) throw notFound();
    return shown;
  }

  /** 422 for a cap on cost where no price is known: nothing could be counted against it. */
  #expectPriced(row: PricedRow, costCap: number | null): void {
    if (costCap === null || priceOfRow(row, this.#options.now()) !== null) return;
    const message = 'No price is known for this model. Enter its price, or cap its calls instead.';
    throw invalid([{ path: 'monthly_cost_cap', message }]);
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

  async #makeDefault(user: SignedIn, row: store.AiModelRow, isDefault: boolean): Promise<store.AiModelRow> {
    const { account_id: accountId } = row;
    const updated = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      if (isDefault) {
        const model = this.#connectOffered(row);
        if (model && !row.is_default) await expectNoFailedTest(transaction, accountId, model);
        await store.clearDefault(transaction, accountId);
      }
      return store.updateModel(transaction, accountId, row.id, { is_default: isDefault });
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

const NO_CAPS = { calls: null, cost: null };

type PricedRow = Pick<
  store.AiModelRow,
  'provider_name' | 'model_identifier' | 'price_input' | 'price_output' | 'price_cached_input'
>;

function nameOfInput(row: Pick<PricedRow, 'provider_name' | 'model_identifier'>) {
  return { provider: row.provider_name, identifier: row.model_identifier };
}

/** The price that the account entered, or else the one of the list. */
function priceOfRow(row: PricedRow, now: Date): Price | null {
  const { price_input: input, price_output: output, price_cached_input: cachedInput } = row;
  if (input === null || output === null) return listPriceOf(nameOfInput(row), now);
  return { input, output, cachedInput, long: null, source: 'custom', asOf: null };
}

function priceColumns(price: ModelPrice | null) {
  return {
    price_input: price?.input ?? null,
    price_output: price?.output ?? null,
    price_cached_input: price?.cached_input ?? null,
  };
}

function connectionOf(row: store.AiModelRow, apiKey: string, now: Date): StoredModel {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider_name,
    identifier: row.model_identifier,
    apiUrl: row.api_url,
    apiKey,
    isOffered: false,
    price: priceOfRow(row, now),
    caps: { calls: row.monthly_call_cap, cost: row.monthly_cost_cap },
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
