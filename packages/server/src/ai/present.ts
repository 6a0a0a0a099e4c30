import type { AiModel } from '@winnow/contract/ai-model';
import type { AiModelRow } from './store.ts';

/** A model as people see it. The sealed key stays behind, and so does where the operator's models are. */
export function presentAiModel(model: AiModelRow): AiModel {
  return {
    id: model.id,
    name: model.name,
    provider_name: model.provider_name,
    model_identifier: model.model_identifier,
    api_url: model.is_offered ? '' : model.api_url,
    has_api_key: model.is_offered || model.sealed_key !== null,
    is_default: model.is_default,
    is_offered: model.is_offered,
    created_at: model.created_at.toISOString(),
  };
}
