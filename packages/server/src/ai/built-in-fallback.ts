import type { InsteadOf } from '@winnow/contract/verdict';
import type { Allowance, InferenceState } from './inference-cache.ts';
import type { DefaultModel } from './service.ts';

/**
 * Names the model that the built-in analyst replaces, and why; null if no model is the
 * default.
 */
export function replacedModel(
  { model, absence }: DefaultModel,
  state: InferenceState<unknown>['state'] | undefined,
): InsteadOf {
  if (model === null) return null;
  return { ai_model_id: model.id, ai_model_name: model.name, reason: absence ?? reasonOf(state) };
}

function reasonOf(state: InferenceState<unknown>['state'] | undefined) {
  switch (state) {
    case 'failed':
      return 'failed';
    case 'unasked':
      return 'waiting';
    case 'checking':
    case 'answered':
    case undefined:
      return 'asking';
  }
}

/**
 * Returns how many open questions may be sent to a model: none while it is paused or capped, and
 * all of them in a call about one pair or issue. Lists share an hourly allowance.
 */
export function questionAllowance(
  { model, absence }: DefaultModel,
  isList: boolean,
  takeForList: (modelId: string, wanted: number) => Promise<number>,
): Allowance {
  return async (open) => {
    if (model === null || absence !== null) return 0;
    return isList ? takeForList(model.id, open) : open;
  };
}
