import { schemaResolver } from '@mantine/form';
import {
  AI_PROVIDERS,
  type AiModel,
  type AiModelTest,
  type AiProvider,
  aiModelCreate,
  aiModelUpdate,
  type ModelPrice,
  type ModelPrices,
  withoutEdition,
} from '@winnow/contract/ai-model';
import type { ReactNode } from 'react';
import type { SaveInput } from '../../../features/models/queries.ts';

/** Values of the form fields. */
export interface ModelValues {
  name: string;
  provider_name: AiProvider;
  model_identifier: string;
  api_url: string;
  api_key: string;
  /**
   * Price per million input tokens. This field and the number fields below are empty if not set.
   */
  price_input: number | '';
  price_output: number | '';
  price_cached_input: number | '';
  monthly_call_cap: number | '';
  monthly_cost_cap: number | '';
  /** True to use the model for reviews and scores after saving. */
  is_default: boolean;
}
export const MODEL_FIELDS = [
  'name',
  'provider_name',
  'model_identifier',
  'api_url',
  'api_key',
  'price_input',
  'price_output',
  'price_cached_input',
  'monthly_call_cap',
  'monthly_cost_cap',
] as const;
/** Fields that determine the connection. A test result is valid until one of them changes. */
export const CONNECTION_FIELDS = ['provider_name', 'model_identifier', 'api_url', 'api_key'] as const;

/** Option that lets the user type any model name. */
export const OTHER = 'Other';

/** True if the provider lists the model, by its exact name or as a dated edition. */
export function isListed(listed: readonly string[], name: string): boolean {
  return listed.includes(name) || listed.some((other) => withoutEdition(other) === name);
}

/**
 * Finds the price of a model in the price list. A dated edition has the price of its model; the
 * server uses the same rule.
 */
export function listPriceOf(
  prices: ModelPrices | undefined,
  { provider_name, model_identifier }: Pick<ModelValues, 'provider_name' | 'model_identifier'>,
): ModelPrices['models'][number] | undefined {
  const name = withoutEdition(model_identifier);
  return prices?.models.find(
    (price) => price.provider_name === provider_name && price.model_identifier === name,
  );
}

/**
 * Returns the model names that the user can select: suggested models, models of the provider's
 * list, and {@link OTHER}. Once the list is loaded, omits suggested models that are not in it,
 * unless selected. Empty if no model is suggested or listed.
 */
export function modelChoices(
  provider: AiProvider,
  listed: readonly string[] = [],
  chosen?: string,
): string[] {
  const suggested = AI_PROVIDERS[provider].models.filter(
    (name) => listed.length === 0 || name === chosen || isListed(listed, name),
  );
  const names = [...new Set<string>([...suggested, ...listed])];
  return names.length === 0 ? [] : [...names, OTHER];
}

/** True if the model is one of those suggested for its provider. */
export function isSuggested({ provider_name, model_identifier }: ModelValues): boolean {
  const models: readonly string[] = AI_PROVIDERS[provider_name].models;
  return models.includes(model_identifier);
}

/** Returns the form values that change when the user selects another provider. */
export function valuesOfProvider(provider: AiProvider) {
  const { apiUrl, models } = AI_PROVIDERS[provider];
  return { provider_name: provider, api_url: apiUrl, model_identifier: models[0] ?? '' };
}

export function initialValues(model: AiModel | null): ModelValues {
  const custom = model?.price?.source === 'custom' ? model.price : null;
  const money = {
    price_input: custom?.input ?? '',
    price_output: custom?.output ?? '',
    price_cached_input: custom?.cached_input ?? '',
    monthly_call_cap: model?.monthly_call_cap ?? '',
    monthly_cost_cap: model?.monthly_cost_cap ?? '',
    is_default: false,
  } as const;
  if (model === null) return { name: '', ...valuesOfProvider('openai'), api_key: '', ...money };
  const { name, provider_name, model_identifier, api_url } = model;
  return { name, provider_name, model_identifier, api_url, api_key: '', ...money };
}

const numberOrNull = (value: number | '') => (value === '' ? null : value);

/**
 * Returns the price that the user entered. Null uses the price list. A price needs both the input
 * and the output price.
 */
export function priceOf({ price_input, price_output, price_cached_input }: ModelValues): ModelPrice | null {
  if (price_input === '' || price_output === '') return null;
  return { input: price_input, output: price_output, cached_input: numberOrNull(price_cached_input) };
}

/** Returns the error of an incompletely entered price; undefined if there is none. */
function priceProblem({ price_input, price_output, price_cached_input }: ModelValues) {
  const isPartial = (price_input === '') !== (price_output === '');
  const isCachedAlone = price_input === '' && price_cached_input !== '';
  return isPartial || isCachedAlone ? 'Enter both the input and the output price.' : undefined;
}

/**
 * Returns the errors of the form by field. When editing a model, the key may be empty to keep the
 * saved one.
 */
export function problemsOf(model: AiModel | null, values: ModelValues): Record<string, ReactNode> {
  const schema = model?.has_api_key === true ? aiModelUpdate : aiModelCreate;
  const found = schemaResolver(schema, { sync: true })({ ...saveInput(model, values).body });
  const problem = priceProblem(values);
  return {
    ...Object.fromEntries(
      Object.entries(found).map(([path, message]) => [path.replace('price.', 'price_'), message]),
    ),
    ...(problem === undefined ? {} : { price_output: problem }),
  };
}

/**
 * Returns the request that saves the model. Unless the user chose to use the model, the default
 * model does not change.
 */
export function saveInput(model: AiModel | null, values: ModelValues): SaveInput {
  const body = {
    ...connectionOf(values),
    name: values.name,
    price: priceOf(values),
    monthly_call_cap: numberOrNull(values.monthly_call_cap),
    monthly_cost_cap: numberOrNull(values.monthly_cost_cap),
    ...(values.is_default ? { is_default: true } : {}),
  };
  return model === null ? { body } : { modelId: model.id, body };
}

export function testInput(model: AiModel | null, values: ModelValues): AiModelTest {
  const body = { ...connectionOf(values), name: values.name };
  return model === null ? body : { ...body, model_id: model.id };
}

function connectionOf({ provider_name, model_identifier, api_url, api_key }: ModelValues) {
  return { provider_name, model_identifier, api_url, api_key };
}
