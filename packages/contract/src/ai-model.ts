import { z } from 'zod';
import { id, instant, memberOf } from './primitives.ts';

/**
 * The providers of language models: their names, the address a new model starts with, models to choose from, and whether
 * they need a key. `custom` is any server that speaks OpenAI's chat API.
 */
export const AI_PROVIDERS = {
  openai: {
    label: 'OpenAI',
    apiUrl: 'https://api.openai.com/v1',
    models: ['gpt-4o', 'gpt-4-turbo', 'gpt-3.5-turbo'],
    needsKey: true,
  },
  anthropic: {
    label: 'Anthropic',
    apiUrl: 'https://api.anthropic.com/v1',
    models: ['claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'],
    needsKey: true,
  },
  google: {
    label: 'Google',
    apiUrl: 'https://generativelanguage.googleapis.com/v1beta',
    models: ['gemini-1.5-pro-latest', 'gemini-1.0-pro', 'gemini-1.5-flash-latest'],
    needsKey: true,
  },
  custom: { label: 'Custom', apiUrl: '', models: [], needsKey: false },
} as const satisfies Record<
  string,
  { label: string; apiUrl: string; models: readonly string[]; needsKey: boolean }
>;
export const aiProvider = memberOf(AI_PROVIDERS);
export type AiProvider = z.infer<typeof aiProvider>;

/** A language model that the account can use. The key is never answered. */
export const aiModel = z.object({
  id,
  name: z.string(),
  provider_name: aiProvider,
  model_identifier: z.string(),
  api_url: z.string(),
  has_api_key: z.boolean(),
  /** It judges and suggests. When no model is the default, the built-in analyst does. */
  is_default: z.boolean(),
  /** Whoever runs this Winnow offers it to everybody. It may be the default, and cannot be changed or removed. */
  is_offered: z.boolean(),
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
const apiKey = z
  .string()
  .trim()
  .max(1000, 'An API key has at most 1000 characters.')
  .regex(/^[\x21-\x7e]*$/, 'An API key has no spaces and only plain characters.');

const KEY_WANTED = 'Enter an API key.';
const connection = { provider_name: aiProvider, model_identifier: modelIdentifier, api_url: apiUrl };

export const aiModelCreate = z
  .object({
    name,
    ...connection,
    api_key: apiKey.default(''),
    /** Left out: only the first model of an account becomes the default. */
    is_default: z.boolean().optional(),
  })
  .refine(({ provider_name, api_key }) => api_key !== '' || !AI_PROVIDERS[provider_name].needsKey, {
    path: ['api_key'],
    message: KEY_WANTED,
  });
export type AiModelCreate = z.infer<typeof aiModelCreate>;

/** What is left out stays; so does the key when it is blank. */
export const aiModelUpdate = z.object({
  name: name.optional(),
  provider_name: aiProvider.optional(),
  model_identifier: modelIdentifier.optional(),
  api_url: apiUrl.optional(),
  api_key: apiKey.default(''),
  /** `false` gives the work back to the built-in analyst. */
  is_default: z.boolean().optional(),
});
export type AiModelUpdate = z.infer<typeof aiModelUpdate>;

/** A connection to try out. With `model_id` and no key the stored key is used, on the stored host only. */
export const aiModelTest = z.object({
  model_id: id.optional(),
  name: z.string().trim().max(100).optional(),
  ...connection,
  api_key: apiKey.default(''),
});
export type AiModelTest = z.infer<typeof aiModelTest>;

export const aiModelTestResult = z.object({
  success: z.boolean(),
  message: z.string(),
  /** How long the answer took; null when nothing was asked. */
  latency_ms: z.int().nullable(),
});
export type AiModelTestResult = z.infer<typeof aiModelTestResult>;

function isWebAddress(text: string): boolean {
  // That there is none is said already.
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}
