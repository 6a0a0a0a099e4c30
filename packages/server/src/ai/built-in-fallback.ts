import type { InsteadOf, ModelAbsence } from '@winnow/contract/verdict';
import type { InferenceState, Question, QuestionSelector } from './inference-cache.ts';
import type { DefaultModel } from './service.ts';

/** Reason why a permitted question was not asked. */
type UnaskedReason = Extract<ModelAbsence, 'waiting' | 'not_worth_asking'>;

/**
 * Names the model that the built-in analyst replaces, and why; null if no model is the
 * default. `unasked` is the reason for a question that was not selected.
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

export interface QuestionSelection<Asked extends Question> {
  /** True for questions of a list, which share an hourly allowance. */
  isList: boolean;
  /** Takes calls from the hourly allowance and returns their number. */
  takeForList: (modelId: string, wanted: number) => Promise<number>;
  /**
   * Returns the questions worth asking, the most valuable first. Default: all, in the given order.
   */
  rank?: (open: readonly Asked[]) => readonly Asked[];
}

/**
 * Selects the open questions that are sent to a model: none while it is paused or capped, and those
 * of a list within the hourly allowance.
 */
export function questionSelector<Asked extends Question>(
  { model, absence }: DefaultModel,
  { isList, takeForList, rank = (open) => open }: QuestionSelection<Asked>,
): QuestionSelector<Asked> {
  return async (open) => {
    if (model === null || absence !== null) return [];
    const ranked = rank(open);
    if (!isList || ranked.length === 0) return ranked;
    return ranked.slice(0, await takeForList(model.id, ranked.length));
  };
}
