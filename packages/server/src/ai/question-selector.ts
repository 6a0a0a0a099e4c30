import type { Question, QuestionSelector } from './inference-cache.ts';
import type { DefaultModel } from './service.ts';

export interface QuestionSelection<Asked extends Question> {
  /** True if the questions come from a list. Lists share an hourly allowance. */
  isList: boolean;
  /** Takes calls from the hourly allowance and returns the number of calls taken. */
  takeForList: (modelId: string, wanted: number) => Promise<number>;
  /**
   * Returns the questions worth asking, most valuable first. If omitted, all open questions are
   * asked in the given order.
   */
  rank?: (open: readonly Asked[]) => readonly Asked[];
}

/**
 * Creates a function that selects the open questions to send to a model. It selects none while the
 * model is paused or capped. Questions of a list are limited by the hourly allowance.
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
