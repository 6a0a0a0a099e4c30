import { z } from 'zod';
import { id, instant, memberOf, outsideApiKey } from './primitives.ts';

/**
 * Providers of language models. Each has a label, a default URL, suggested models, and whether a
 * key is needed. `custom` is any server compatible with OpenAI's chat API.
 */
export const AI_PROVIDERS = {
  openai: {
    label: 'OpenAI',
    apiUrl: 'https://api.openai.com/v1',
    models: ['gpt-6.1-sol', 'gpt-6-luna', 'gpt-6-astra'],
    needsKey: true,
  },
  anthropic: {
    label: 'Anthropic',
    apiUrl: 'https://api.anthropic.com/v1',
    models: ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5'],
    needsKey: true,
  },
  google: {
    label: 'Google',
    apiUrl: 'https://generativelanguage.googleapis.com/v1beta',
    models: ['gemini-3.8-flash', 'gemini-2.5-flash', 'gemini-2.5-pro'],
    needsKey: true,
  },
  custom: { label: 'Custom', apiUrl: '', models: [], needsKey: false },
} as const satisfies Record<
  string,
  { label: string; apiUrl: string; models: readonly string[]; needsKey: boolean }
>;
export const aiProvider = memberOf(AI_PROVIDERS);
export type AiProvider = z.infer<typeof aiProvider>;

/**
 * Suffix that names an edition of a model. Editions have the same price: `gpt-4o-2024-08-06` costs
 * as much as `gpt-4o`.
 */
const EDITION_SUFFIX = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3}|latest)$/;

/** Returns the model name without its edition suffix. */
export function withoutEdition(modelIdentifier: string): string {
  return modelIdentifier.replace(EDITION_SUFFIX, '');
}

/** Health states of a model, with labels. */
export const MODEL_STATES = {
  unused: { label: 'Not asked yet' },
  ok: { label: 'Works' },
  failing: { label: 'Fails' },
  paused: { label: 'Paused' },
  capped: { label: 'Cap reached' },
} as const satisfies Record<string, { label: string }>;
export const modelState = memberOf(MODEL_STATES);
export type ModelState = z.infer<typeof modelState>;

/** US dollars per million tokens. */
const dollars = z
  .number('Enter a price in US dollars.')
  .min(0, 'A price is 0 or more.')
  .max(10_000, 'A price is at most $10,000 per million tokens.');
export const modelPrice = z.object({
  input: dollars,
  output: dollars,
  /** Price of cached input, or null if it costs as much as other input. */
  cached_input: dollars.nullable().default(null),
});
export type ModelPrice = z.infer<typeof modelPrice>;

/** Health of a model: the outcomes of its recent calls, and its use this month. */
export const modelHealth = z.object({
  state: modelState,
  last_success_at: instant.nullable(),
  last_failure_at: instant.nullable(),
  /** Reason of the last failed call, as a sentence. */
  last_failure: z.string().nullable(),
  /** Number of failures since the last success. Failures of concurrent calls count as one. */
  failures_in_row: z.int(),
  paused_at: instant.nullable(),
  /**
   * Time of the next automatic attempt. Null if the model stays paused until a user chooses "Try
   * again".
   */
  paused_until: instant.nullable(),
  /**
   * Name of the analyst that replaces the model in reviews and scores while the model is
   * unavailable. Null if the model is available or is not the default.
   */
  used_instead: z.string().nullable(),
  /** Calls and cost in US dollars since the month began (UTC). */
  month: z.object({ calls: z.int(), cost: z.number() }),
});
export type ModelHealth = z.infer<typeof modelHealth>;

/**
 * Agreement between a model's verdicts and people's judgments and decisions. Each value counts
 * pairs.
 */
export const modelAgreement = z.object({
  /** Number of pairs that have a verdict of the model, and that people judged or decided. */
  pairs: z.int(),
  /** Number of pairs on which people and the model agreed. */
  agreed: z.int(),
  /** Number of pairs on which people and the built-in analyst agreed. */
  built_in_agreed: z.int(),
});
export type ModelAgreement = z.infer<typeof modelAgreement>;

/** A language model of the account. The API key is never returned. */
export const aiModel = z.object({
  id,
  name: z.string(),
  provider_name: aiProvider,
  model_identifier: z.string(),
  api_url: z.string(),
  has_api_key: z.boolean(),
  /**
   * True if this is the default model, which judges pairs and suggests texts. Without a default
   * model, the built-in analyst does both.
   */
  is_default: z.boolean(),
  /**
   * True if the operator offers the model to all accounts. Accounts can make it their default, but
   * cannot change or remove it.
   */
  is_offered: z.boolean(),
  /**
   * Token prices, entered by the account (`custom`) or from the built-in list (`list`). `as_of` is
   * the date of the built-in list. Null if the price is unknown.
   */
  price: modelPrice.extend({ source: z.enum(['custom', 'list']), as_of: z.iso.date().nullable() }).nullable(),
  /** Maximum calls and cost in a calendar month (UTC); null for no cap. */
  monthly_call_cap: z.int().nullable(),
  monthly_cost_cap: z.number().nullable(),
  health: modelHealth,
  /** Null if no one has judged or decided a pair that the model gave a verdict on. */
  agreement: modelAgreement.nullable(),
  created_at: instant,
});
export type AiModel = z.infer<typeof aiModel>;
export const aiModelList = z.array(aiModel);

const name = z.string().trim().min(1, 'Enter a name.').max(100, 'A name has at most 100 characters.');
const modelIdentifier = z
  .string()
  .trim()
  .min(1, 'Enter the name of the model.')
  .max(200, 'The name of a model has at most 200 characters.')
  .regex(/^[\w.:/@+-]*$/, 'The name of a model has no spaces and no special characters.');
const ADDRESS_WANTED = 'Enter a web address such as https://api.example.com/v1.';
const apiUrl = z
  .string()
  .trim()
  .min(1, 'Enter the address of the API.')
  .max(500, 'The address has at most 500 characters.')
  .refine(isWebAddress, ADDRESS_WANTED);

const KEY_WANTED = 'Enter an API key.';
const caps = {
  /** Custom price of the account. Null to use the built-in price list. */
  price: modelPrice.nullable().optional(),
  monthly_call_cap: z
    .int('Enter a whole number.')
    .min(0, 'A cap is 0 or more.')
    .max(10_000_000, 'A cap is at most 10,000,000 calls.')
    .nullable()
    .optional(),
  monthly_cost_cap: z
    .number('Enter an amount in US dollars.')
    .min(0, 'A cap is 0 or more.')
    .max(1_000_000, 'A cap is at most $1,000,000.')
    .nullable()
    .optional(),
};
const connection = { provider_name: aiProvider, model_identifier: modelIdentifier, api_url: apiUrl };

export const aiModelCreate = z
  .object({
    name,
    ...connection,
    api_key: outsideApiKey.default(''),
    ...caps,
    /**
     * True to make this the default model for reviews and scores. The response is 409 if the last
     * test of the model failed.
     */
    is_default: z.boolean().default(false),
  })
  .refine(({ provider_name, api_key }) => api_key !== '' || !AI_PROVIDERS[provider_name].needsKey, {
    path: ['api_key'],
    message: KEY_WANTED,
  });
export type AiModelCreate = z.input<typeof aiModelCreate>;

/** Changes to a model. Omitted fields and a blank key stay unchanged. */
export const aiModelUpdate = z.object({
  name: name.optional(),
  provider_name: aiProvider.optional(),
  model_identifier: modelIdentifier.optional(),
  api_url: apiUrl.optional(),
  api_key: outsideApiKey.default(''),
  ...caps,
  /**
   * True to make this the default model for reviews and scores. The response is 409 if the last
   * test of the model failed. False to return to the built-in analyst.
   */
  is_default: z.boolean().optional(),
});
export type AiModelUpdate = z.infer<typeof aiModelUpdate>;

/**
 * Connection to test. With `model_id` and a blank key, the test uses the stored key. It does so
 * only if the host is the stored host.
 */
export const aiModelTest = z.object({
  model_id: id.optional(),
  name: z.string().trim().max(100).optional(),
  ...connection,
  api_key: outsideApiKey.default(''),
});
export type AiModelTest = z.infer<typeof aiModelTest>;

export const aiModelTestResult = z.object({
  success: z.boolean(),
  message: z.string(),
  /** Duration of the test call; null if no call was made. */
  latency_ms: z.int().nullable(),
});
export type AiModelTestResult = z.infer<typeof aiModelTestResult>;

/**
 * Request to estimate the cost of using a model for reviews and scores. The model can be stored or
 * new.
 */
export const aiModelEstimateRequest = z.object({
  model_id: id.optional(),
  provider_name: aiProvider,
  model_identifier: modelIdentifier,
  price: modelPrice.nullable().optional(),
});
export type AiModelEstimateRequest = z.infer<typeof aiModelEstimateRequest>;
const expectedWork = z.object({
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** US dollars, or null if the price is unknown. */
  cost: z.number().nullable(),
});
export const aiModelEstimate = z.object({
  /**
   * Calls made as soon as the model becomes the default, within its caps. They judge pairs in the
   * queue whose outcome is uncertain and that have no verdict of this model.
   */
  reviews: expectedWork,
  /** Calls for scoring all projects: one for each open issue that this model has not scored. */
  scores: expectedWork,
  /** Maximum calls per hour that result from users opening lists. */
  list_calls_per_hour: z.int(),
  /** Price used for the estimate. Null if it is unknown. */
  price: aiModel.shape.price,
});
export type AiModelEstimate = z.infer<typeof aiModelEstimate>;

/**
 * Requests the names of the models that a provider lists for a key. With `model_id` and a blank
 * key, the stored key is used.
 */
export const providerModelsRequest = z.object({
  model_id: id.optional(),
  provider_name: aiProvider,
  api_url: apiUrl,
  api_key: outsideApiKey.default(''),
});
export type ProviderModelsRequest = z.infer<typeof providerModelsRequest>;
export const providerModels = z.object({
  /** Null if the provider returned no list. */
  models: z.array(z.string()).nullable(),
  /** Reason why the provider returned no list. Null if it returned one. */
  message: z.string().nullable(),
});
export type ProviderModels = z.infer<typeof providerModels>;

/** The built-in list of prices, with its date. */
export const modelPrices = z.object({
  as_of: z.iso.date(),
  models: z.array(
    modelPrice.extend({ provider_name: aiProvider, model_identifier: z.string(), as_of: z.iso.date() }),
  ),
});
export type ModelPrices = z.infer<typeof modelPrices>;

function isWebAddress(text: string): boolean {
  // An empty text is reported by another check.
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}
