import { randomUUID } from 'node:crypto';
import {
  AI_PROVIDERS,
  type AiModelEstimate,
  type AiModelEstimateRequest,
  type AiModelTest,
  type AiModelTestResult,
  type AiModelUpdate,
  type aiModelCreate,
  type ModelAgreement,
  type ModelPrice,
  type ProviderModels,
  type ProviderModelsRequest,
} from '@winnow/contract/ai-model';
import type { ModelAbsence } from '@winnow/contract/verdict';
import type { z } from 'zod';
import { expectSignedIn, type SignedIn } from '../accounts/index.ts';
import type { AccountPlans } from '../billing/index.ts';
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
import { listMonthlyUse, type MonthlyCaps, reopenMonth } from './model-use-store.ts';
import { OfferedModels, offeredModelForbidden } from './offered-models.ts';
import { isUnavailable, type ShownModel, stateOf, type UsedModel } from './present.ts';
import { listPriceOf, type Price } from './prices.ts';
import { answerOkPrompt } from './prompts/answer-ok.ts';
import { listProviderModels } from './provider-models.ts';
import * as store from './store.ts';

const CUSTOM_MODELS_FEATURE = 'custom_ai_models_enabled';
const KEY_MISSING = 'Enter an API key.';
const KEY_UNREADABLE = 'The stored key cannot be read. Enter the API key again.';
const KEY_FOR_OTHER_HOST = 'Enter the API key again: the stored one is only ever sent to the stored host.';

export interface AiModelsOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  languageModels: LanguageModels;
  /** Models that the operator's configuration offers to every account. */
  offered: readonly OfferedModel[];
  /** Decides whether an account may have custom models. */
  plans: Pick<AccountPlans, 'has' | 'expect'>;
  health: Pick<ModelHealth, 'noteSuccess' | 'noteFailure' | 'forget'>;
  /** Sends HTTP requests to providers. */
  fetch: typeof fetch;
  /**
   * Estimates the model questions for all reviews and scores of an account. `model` is null if it
   * is not stored yet.
   */
  expectedWork: (accountId: string, model: StoredModel | null) => Promise<ExpectedWork>;
  /** Returns how often each model's verdicts agree with people's decisions. */
  agreementWithPeople: (
    accountId: string,
  ) => Promise<(ModelAgreement & { aiModelId: string; modelIdentifier: string })[]>;
  /** Called after the account's default model changed, or after it began to work again. */
  onDefaultChanged: (accountId: string) => Promise<void>;
}

/** The default model of an account. */
export interface DefaultModel {
  /** Null if the built-in analyst is the default. */
  model: StoredModel | null;
  /** Reason why the built-in analyst currently replaces the model; null while the model works. */
  absence: Extract<ModelAbsence, 'paused' | 'capped'> | null;
}

const NO_DEFAULT: DefaultModel = { model: null, absence: null };

/** Language models of an account: custom models and those that the operator offers. */
export class AiModels {
  readonly #options: AiModelsOptions;
  readonly #offered: OfferedModels;

  constructor(options: AiModelsOptions) {
    this.#options = options;
    this.#offered = new OfferedModels(options.offered);
  }

  /**
   * Lists offered models, then the account's custom models, oldest first. Adds rows for newly
   * offered models. Deletes withdrawn models and their verdicts.
   */
  async list(accountId: string): Promise<ShownModel[]> {
    return this.#withDetails(accountId, await this.#rows(accountId));
  }

  async #rows(accountId: string): Promise<store.AiModelRow[]> {
    const { db, now, onDefaultChanged } = this.#options;
    const stored = await store.listModels(db, accountId);
    const { withdrawn, missing } = this.#offered.missingAndWithdrawn(stored);
    if (withdrawn.length + missing.length === 0) return this.#offered.sort(stored);
    await this.#write(accountId, async (transaction) => {
      for (const { id } of withdrawn) await store.deleteModel(transaction, accountId, id);
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
    if (withdrawn.some(({ is_default: wasDefault }) => wasDefault)) await onDefaultChanged(accountId);
    return this.#offered.sort(await store.listModels(db, accountId));
  }

  /**
   * Stores a model and, if requested, makes it the default. Throws 409 if the name is taken, or if
   * a new default failed its last connection test. Throws 403 `plan_limit` if the plan excludes
   * custom models.
   */
  async create(user: SignedIn, input: z.output<typeof aiModelCreate>): Promise<ShownModel> {
    const { accountId } = user;
    await this.#expectCustomModels(accountId);
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
    return this.#withDetailsOf(accountId, created);
  }

  /**
   * Changes the given fields. Throws 404 for an unknown model. Throws 409 if the name is taken, or
   * if a new default failed its last connection test. Throws 422 if a key is missing. Throws 403
   * `plan_limit` if the plan excludes custom models.
   *
   * Only the default flag of an offered model can change; any other change throws 403.
   */
  async update(user: SignedIn, modelId: string, input: AiModelUpdate): Promise<ShownModel> {
    const { accountId } = user;
    const stored = await this.#requireModel(accountId, modelId);
    const { is_default: isDefault, api_key: key, ...rest } = input;
    const isPlain = key === '' && Object.values(rest).every((value) => value === undefined);
    if (stored.is_offered) {
      if (!isPlain) throw offeredModelForbidden();
      const row = await this.#makeDefault(user, stored, isDefault ?? stored.is_default);
      return this.#withDetailsOf(accountId, row);
    }
    const onlyUnsetsDefault = isPlain && isDefault === false;
    if (!onlyUnsetsDefault) await this.#expectCustomModels(accountId);
    let movedAway = false;
    const updated = await this.#write(accountId, async (transaction) => {
      await expectSignedIn(transaction, user);
      const row = await store.findModel(transaction, accountId, modelId);
      if (!row) throw notFound();
      const provider = input.provider_name ?? row.provider_name;
      const url = input.api_url === undefined ? row.api_url : plainAddress(input.api_url);
      const keepsKey = input.api_key === '' && row.sealed_key !== null;
      if (keepsKey && !sameHost(url, row.api_url)) refuseKey(KEY_FOR_OTHER_HOST);
      if (input.api_key === '' && !keepsKey && AI_PROVIDERS[provider].needsKey) refuseKey(KEY_MISSING);
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
      if (!onlyUnsetsDefault) this.#expectPriced(next, next.monthly_cost_cap);
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
    return this.#withDetailsOf(accountId, updated);
  }

  /**
   * Deletes a model with its key and its verdicts. If it was the default, the built-in analyst
   * takes over. Throws 404 for an unknown model, and 403 for an offered one.
   */
  async delete(accountId: string, modelId: string): Promise<void> {
    const { db, onDefaultChanged } = this.#options;
    const row = await this.#requireModel(accountId, modelId);
    if (row.is_offered) throw offeredModelForbidden();
    if (!(await store.deleteModel(db, accountId, modelId))) throw notFound();
    if (row.is_default) await onDefaultChanged(accountId);
  }

  /**
   * Tests a connection and returns the result with a sentence for the user. A failing provider is a
   * result, not an error. Throws 404 for an unknown model. Throws 403 `plan_limit` if the plan
   * excludes custom models, and 429 `plan_limit` if it allows no more calls.
   */
  async test(accountId: string, input: AiModelTest): Promise<AiModelTestResult> {
    const stored = input.model_id === undefined ? null : await this.#requireModel(accountId, input.model_id);
    const offered = stored && this.#connectOffered(stored);
    if (offered) return this.#testAndStore(accountId, { ...offered, id: null });
    await this.#expectCustomModels(accountId);
    const { now } = this.#options;
    const unasked = (message: string) => ({ success: false, message, latency_ms: null });
    const apiUrl = plainAddress(input.api_url);
    const apiKey = this.#keyForTest(stored, input.api_key, apiUrl);
    if (typeof apiKey !== 'string') return unasked(apiKey.refusal);
    if (apiKey === '' && AI_PROVIDERS[input.provider_name].needsKey) return unasked(KEY_MISSING);
    return this.#testAndStore(accountId, {
      id: null,
      name: input.name || stored?.name || input.model_identifier,
      provider: input.provider_name,
      identifier: input.model_identifier,
      apiUrl,
      apiKey,
      isOffered: false,
      price: stored ? priceOfRow(stored, now()) : listPriceOf(connectionName(input), now()),
      caps: NO_CAPS,
      budget: null,
    });
  }

  /**
   * Tests a stored model. A success resets its failures and ends its pause. Throws 404 for an
   * unknown model, and 409 if its key is unreadable. Throws 403 `plan_limit` if the plan excludes
   * custom models, and 429 `plan_limit` if it allows no more calls.
   */
  async resume(accountId: string, modelId: string): Promise<AiModelTestResult> {
    const { health, languageModels, now, onDefaultChanged } = this.#options;
    const model = await this.open(accountId, modelId);
    const startedAt = now();
    const { error, result } = await this.#runTest(accountId, { ...model, id: null });
    await this.#storeTest(accountId, model, error);
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

  /**
   * Lists the models that a provider offers for a key. Throws 404 for an unknown model, and 403
   * `plan_limit` if the plan excludes custom models.
   */
  async providerModels(accountId: string, input: ProviderModelsRequest): Promise<ProviderModels> {
    const { fetch } = this.#options;
    const stored = input.model_id === undefined ? null : await this.#requireModel(accountId, input.model_id);
    if (stored?.is_offered) throw offeredModelForbidden();
    await this.#expectCustomModels(accountId);
    const apiUrl = plainAddress(input.api_url);
    const apiKey = this.#keyForTest(stored, input.api_key, apiUrl);
    if (typeof apiKey !== 'string') return { models: null, message: apiKey.refusal };
    if (apiKey === '' && AI_PROVIDERS[input.provider_name].needsKey) {
      return { models: null, message: KEY_MISSING };
    }
    return listProviderModels({ provider: input.provider_name, apiUrl, apiKey }, fetch);
  }

  /**
   * Estimates the cost of using a model for all reviews and scores. Throws 404 if the stored model
   * was deleted.
   */
  async estimate(accountId: string, input: AiModelEstimateRequest): Promise<AiModelEstimate> {
    const { now, expectedWork } = this.#options;
    const row = input.model_id === undefined ? null : await this.#requireModel(accountId, input.model_id);
    const stored = row && (this.#connectOffered(row) ?? connectionOf(row, '', now()));
    const isSame =
      stored?.provider === input.provider_name && stored.identifier === input.model_identifier
        ? stored
        : null;
    const price =
      input.price === undefined
        ? (isSame?.price ?? listPriceOf(connectionName(input), now()))
        : priceOfRow({ ...input, ...priceColumns(input.price) }, now());
    const [used] = row === null ? [] : await this.#withUse(accountId, [row]);
    return estimateOf(await expectedWork(accountId, isSame), price, used ? leftOfCaps(used) : NO_CAPS);
  }

  /**
   * Returns the entered key, or the stored one if none was entered. Returns a refusal if the stored
   * key is unreadable or belongs to another host.
   */
  #keyForTest(
    stored: store.AiModelRow | null,
    entered: string,
    apiUrl: string,
  ): string | { refusal: string } {
    if (entered !== '' || !stored?.sealed_key) return entered;
    if (!sameHost(apiUrl, stored.api_url)) return { refusal: KEY_FOR_OTHER_HOST };
    return this.#readKey(stored) ?? { refusal: KEY_UNREADABLE };
  }

  async #testAndStore(accountId: string, model: ModelConnection & { id: null }): Promise<AiModelTestResult> {
    const { error, result } = await this.#runTest(accountId, model);
    await this.#storeTest(accountId, model, error);
    return result;
  }

  #storeTest(accountId: string, model: store.TestedConnection, error: ModelError | null): Promise<void> {
    const { db, now } = this.#options;
    return store.saveTest(db, accountId, model, error && { failed_at: now(), detail: error.detail });
  }

  /**
   * Tests a model. Omits its stored id, so that a cooldown or pause of the stored model does not
   * block the test.
   */
  async #runTest(
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
        message: error?.detail ?? `${model.name} responded in ${(tookMs / 1000).toFixed(1)} s.`,
        latency_ms: tookMs,
      },
    };
  }

  /**
   * Returns the default model of an account, and whether it may be asked.
   *
   * The model is null if the built-in analyst is the default, the key is unreadable, the model was
   * withdrawn, or the plan excludes custom models.
   */
  async defaultOf(accountId: string): Promise<DefaultModel> {
    const { db, plans, now } = this.#options;
    const row = await store.findDefault(db, accountId);
    if (!row) return NO_DEFAULT;
    const model = await this.#connectDefault(row, plans);
    if (model === null) return NO_DEFAULT;
    const [used] = await this.#withUse(accountId, [row]);
    if (!used || !isUnavailable(used, now())) return { model, absence: null };
    return { model, absence: stateOf(used) === 'capped' ? 'capped' : 'paused' };
  }

  async #connectDefault(row: store.AiModelRow, plans: AiModelsOptions['plans']): Promise<StoredModel | null> {
    if (row.is_offered) return this.#connectOffered(row);
    if (!(await plans.has(row.account_id, CUSTOM_MODELS_FEATURE))) return null;
    const apiKey = this.#readKey(row);
    return apiKey === null ? null : connectionOf(row, apiKey, this.#options.now());
  }

  /**
   * Returns a model that can be asked. Throws 404 for an unknown model, 403 `plan_limit` if the
   * plan excludes custom models, and 409 if its key is unreadable.
   */
  async open(accountId: string, modelId: string): Promise<StoredModel> {
    const row = await this.#requireModel(accountId, modelId);
    const offered = this.#connectOffered(row);
    if (offered) return offered;
    await this.#expectCustomModels(accountId);
    const apiKey = this.#readKey(row);
    if (apiKey === null) throw conflict('ai_model_key_unreadable', `${row.name}: ${KEY_UNREADABLE}`);
    return connectionOf(row, apiKey, this.#options.now());
  }

  #connectOffered(row: store.AiModelRow): StoredModel | null {
    return this.#offered.connect(row, this.#options.now());
  }

  /** Adds price, health, use this month, and agreement with people to each model. */
  async #withDetails(accountId: string, rows: readonly store.AiModelRow[]): Promise<ShownModel[]> {
    const { agreementWithPeople, now } = this.#options;
    if (rows.length === 0) return [];
    const [used, agreements] = await Promise.all([
      this.#withUse(accountId, rows),
      agreementWithPeople(accountId),
    ]);
    return used.map((model) => {
      const { id, model_identifier: identifier } = model.row;
      // Skips verdicts from the time when this connection used a different model.
      const isOfModel = (one: (typeof agreements)[number]) =>
        one.aiModelId === id && one.modelIdentifier === identifier;
      return { ...model, price: priceOfRow(model.row, now()), agreement: agreements.find(isOfModel) ?? null };
    });
  }

  /** Adds health and use this month to each model. */
  async #withUse(accountId: string, rows: readonly store.AiModelRow[]): Promise<UsedModel[]> {
    const { db, now } = this.#options;
    const [health, use] = await Promise.all([
      listHealth(db, accountId),
      listMonthlyUse(db, accountId, monthStart(now())),
    ]);
    return rows.map((row) => ({
      row,
      health: health.find(({ ai_model_id }) => ai_model_id === row.id),
      use: use.find(({ ai_model_id }) => ai_model_id === row.id),
    }));
  }

  async #withDetailsOf(accountId: string, row: store.AiModelRow): Promise<ShownModel> {
    const [shown] = await this.#withDetails(accountId, [row]);
    if (!shown) throw notFound();
    return shown;
  }

  /**
   * Throws `invalid` for a cost cap on a model without a known price: its cost cannot be counted.
   */
  #expectPriced(row: PricedRow, costCap: number | null): void {
    if (costCap === null || priceOfRow(row, this.#options.now()) !== null) return;
    const message = 'No price is known for this model. Enter its price, or cap its calls instead.';
    throw invalid([{ path: 'monthly_cost_cap', message }]);
  }

  /** Returns a model of the account. Throws 404 if the model does not exist or was withdrawn. */
  async #requireModel(accountId: string, modelId: string): Promise<store.AiModelRow> {
    const row = await store.findModel(this.#options.db, accountId, modelId);
    if (!row || this.#offered.isWithdrawn(row)) throw notFound();
    return row;
  }

  #expectCustomModels(accountId: string): Promise<void> {
    return this.#options.plans.expect(accountId, CUSTOM_MODELS_FEATURE);
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
    return this.#offered.withConfiguredModel(updated);
  }

  #seal(accountId: string, modelId: string, apiKey: string): Buffer | null {
    return apiKey === '' ? null : this.#options.secrets.seal(apiKey, keyContext(accountId, modelId));
  }

  /**
   * Decrypts the stored key. Returns an empty string if none is stored, and null if the encryption
   * key was lost.
   */
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
      throw nameConflict(error) ?? error;
    }
  }
}

const NO_CAPS: MonthlyCaps = { calls: null, cost: null };

/** Returns the calls and the cost that a model's caps still allow this month; null for no cap. */
function leftOfCaps({ row, use }: UsedModel): MonthlyCaps {
  const left = (cap: number | null, used = 0) => (cap === null ? null : Math.max(0, cap - used));
  return {
    calls: left(row.monthly_call_cap, use?.calls),
    cost: left(row.monthly_cost_cap, use?.cost),
  };
}

type PricedRow = Pick<
  store.AiModelRow,
  'provider_name' | 'model_identifier' | 'price_input' | 'price_output' | 'price_cached_input'
>;

function connectionName(row: Pick<PricedRow, 'provider_name' | 'model_identifier'>) {
  return { provider: row.provider_name, identifier: row.model_identifier };
}

/** Returns the price that the account entered, or the list price if none was entered. */
function priceOfRow(row: PricedRow, now: Date): Price | null {
  const { price_input: input, price_output: output, price_cached_input: cachedInput } = row;
  if (input === null || output === null) return listPriceOf(connectionName(row), now);
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
    budget: null,
  };
}

/** Removes the query, the fragment and trailing slashes from a URL. */
function plainAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** True if both URLs have the same scheme, host and port. */
function sameHost(left: string, right: string): boolean {
  return new URL(left).origin === new URL(right).origin;
}

function refuseKey(message: string): never {
  throw invalid([{ path: 'api_key', message }]);
}

function nameConflict(error: unknown) {
  if (!violates(error, 'ai_model_name')) return null;
  const message = 'A model with this name already exists.';
  return conflict('ai_model_name_taken', message, [{ path: 'name', message }]);
}

/** Returns the context string to which the encryption binds a stored key. */
export function keyContext(accountId: string, modelId: string): string {
  return `ai-model:${accountId}:${modelId}`;
}
