import {
  AI_PROVIDERS,
  type AiModel,
  type AiModelTest,
  type AiProvider,
  aiModelCreate,
  aiModelUpdate,
} from '@winnow/contract/ai-model';
import type { SaveInput } from './queries.ts';

/** What stands in the dialog. */
export interface ModelValues {
  name: string;
  provider_name: AiProvider;
  model_identifier: string;
  api_url: string;
  api_key: string;
}
export const MODEL_FIELDS = ['name', 'provider_name', 'model_identifier', 'api_url', 'api_key'] as const;

/** The choice that lets a model be named freely. */
export const OTHER = 'Other';

/** The models to choose from; empty where there is none to suggest. */
export function modelChoices(provider: AiProvider): string[] {
  const { models } = AI_PROVIDERS[provider];
  return models.length === 0 ? [] : [...models, OTHER];
}

/** Whether the model is one of those suggested for its provider. */
export function isSuggested({ provider_name, model_identifier }: ModelValues): boolean {
  const models: readonly string[] = AI_PROVIDERS[provider_name].models;
  return models.includes(model_identifier);
}

/** What another provider brings along. */
export function valuesOfProvider(provider: AiProvider) {
  const { apiUrl, models } = AI_PROVIDERS[provider];
  return { provider_name: provider, api_url: apiUrl, model_identifier: models[0] ?? '' };
}

export function initialValues(model: AiModel | null): ModelValues {
  if (model === null) return { name: '', ...valuesOfProvider('openai'), api_key: '' };
  const { name, provider_name, model_identifier, api_url } = model;
  return { name, provider_name, model_identifier, api_url, api_key: '' };
}

/** What the fields must hold: of a stored model the key may stay as it is. */
export function modelSchema(model: AiModel | null) {
  return model?.has_api_key === true ? aiModelUpdate : aiModelCreate;
}

export function saveInput(model: AiModel | null, values: ModelValues): SaveInput {
  return model === null ? { body: values } : { modelId: model.id, body: values };
}

export function testInput(model: AiModel | null, values: ModelValues): AiModelTest {
  return model === null ? values : { ...values, model_id: model.id };
}
