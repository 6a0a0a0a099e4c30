import type { AiModel } from '@winnow/contract/ai-model';
import type { AiModelRow } from './store.ts';

/** A model as its owner sees it. The sealed key stays behind. */
export function presentAiModel(model: AiModelRow): AiModel {
  return {
    id: model.id,
    name: model.name,
    provider_name: model.provider_name,
    model_identifier: model.model_identifier,
    api_url: model.api_url,
    has_api_key: model.sealed_key !== null,
    is_default: model.is_default,
    created_at: model.created_at.toISOString(),
  };
}
