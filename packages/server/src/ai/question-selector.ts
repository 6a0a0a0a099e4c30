import type { Question, QuestionSelector } from './inference-cache.ts';
import type { DefaultModel } from './service.ts';

export interface QuestionSelection<Asked extends Question> {
  /** True for questions of a list, which share an hourly allowance. */
  isList: boolean;
  /** Takes calls from the hourly allowance and returns their number. */
  takeForList: (modelId: string, wanted: number) => Promise<number>;
  /** Returns the questions worth asking, the most valuable first. Default: all, as they come. */
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
