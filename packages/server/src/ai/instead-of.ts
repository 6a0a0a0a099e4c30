import type { InsteadOf } from '@winnow/contract/verdict';
import type { Allowance, Standing } from './asking.ts';
import type { DefaultModel } from './service.ts';

/** Names the model in whose place the built-in analyst answers, and why; null where no model is the default. */
export function insteadOfModel(
  { model, absence }: DefaultModel,
  state: Standing<unknown>['state'] | undefined,
): InsteadOf {
  if (model === null) return null;
  return { ai_model_id: model.id, ai_model_name: model.name, reason: absence ?? reasonOf(state) };
}

function reasonOf(state: Standing<unknown>['state'] | undefined) {
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
 * How many open questions may be put to a model: none while it is paused or at its cap, all in a call about one pair or issue,
 * and else as many as the hourly allowance of lists has left.
 */
export function allowanceOf(
  { model, absence }: DefaultModel,
  isList: boolean,
  takeForList: (modelId: string, wanted: number) => Promise<number>,
): Allowance {
  return async (open) => {
    if (model === null || absence !== null) return 0;
    return isList ? takeForList(model.id, open) : open;
  };
}
