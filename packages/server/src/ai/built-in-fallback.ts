import type { InsteadOf, ModelAbsence } from '@winnow/contract/verdict';
import type { InferenceState } from './inference-cache.ts';
import type { DefaultModel } from './service.ts';

/** Reason why a question was not asked although the model was available. */
type UnaskedReason = Extract<ModelAbsence, 'waiting' | 'not_worth_asking'>;

/**
 * Returns the default model that the built-in analyst replaces, with the reason. Returns null if no
 * model is the default. `unasked` is the reason reported for questions that were not selected.
 */
export function replacedModel(
  { model, absence }: DefaultModel,
  state: InferenceState<unknown>['state'] | undefined,
  unasked: UnaskedReason = 'waiting',
): InsteadOf {
  if (model === null) return null;
  return { ai_model_id: model.id, ai_model_name: model.name, reason: absence ?? reasonOf(state, unasked) };
}

function reasonOf(state: InferenceState<unknown>['state'] | undefined, unasked: UnaskedReason) {
  switch (state) {
    case 'failed':
      return 'failed';
    case 'unasked':
      return unasked;
    case 'checking':
    case 'answered':
    case undefined:
      return 'asking';
  }
}
