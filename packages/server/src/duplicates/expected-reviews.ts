import {
  type BuiltInAnalyst,
  createFence,
  judgePairPrompt,
  type LanguageModels,
  ModelAnalyst,
  type Questions,
  type StoredModel,
} from '../ai/index.ts';
import type { Db } from '../schema/tables.ts';
import { pairsToAsk } from './judge-ahead.ts';
import { judgedIssue, type ModelVerdicts } from './verdicts-by-model.ts';

/** Typical number of output tokens of a verdict: a decision with one or two sentences. */
const OUTPUT_TOKENS_PER_VERDICT = 150;
/** Placeholder of typical length for the built-in analyst's sentences in the prompt. */
const BUILT_IN_REASON = 'x'.repeat(200);

export interface ExpectedReviewsOptions {
  db: Db;
  builtIn: BuiltInAnalyst;
  languageModels: LanguageModels;
  verdicts: ModelVerdicts;
}

/**
 * Estimates the questions about pairs that a model would be asked as the default model. `model` is
 * null if it is not stored yet.
 */
export async function expectedReviews(
  { db, builtIn, languageModels, verdicts }: ExpectedReviewsOptions,
  accountId: string,
  model: StoredModel | null,
): Promise<Questions> {
  const analyst = model && new ModelAnalyst(builtIn, languageModels, model);
  const open = await pairsToAsk({ db, verdicts }, accountId, analyst);
  const fence = createFence();
  const system = judgePairPrompt.system(fence).length;
  const lengths = open.map(({ first, second, similarity }) => {
    const found = {
      decision: 'undecided',
      confidence: 0.5,
      reason: BUILT_IN_REASON,
      difference: null,
    } as const;
    const texts = { first: judgedIssue(first), second: judgedIssue(second) };
    const pair = { ...texts, similarity, builtIn: found };
    return system + judgePairPrompt.render(pair, fence).length;
  });
  return {
    calls: open.length,
    characters: lengths.reduce((sum, length) => sum + length, 0),
    outputTokens: open.length * OUTPUT_TOKENS_PER_VERDICT,
  };
}
