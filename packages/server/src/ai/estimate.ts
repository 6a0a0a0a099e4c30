import type { AiModelEstimate } from '@winnow/contract/ai-model';
import { LIST_CALLS_PER_HOUR } from './model-caps.ts';
import { presentPrice } from './present.ts';
import { CHARACTERS_PER_TOKEN, costOf, type Price } from './prices.ts';

/** Questions that are to be asked: how many, and how long they and their answers are expected to be in total. */
export interface Questions {
  calls: number;
  characters: number;
  outputTokens: number;
}

/** What an account's reviews and scores would ask of a model. */
export interface ExpectedWork {
  reviews: Questions;
  scores: Questions;
}

/** Turns questions into tokens and, where the price is known, dollars. */
export function estimateOf({ reviews, scores }: ExpectedWork, price: Price | null): AiModelEstimate {
  return {
    reviews: expected(reviews, price),
    scores: expected(scores, price),
    list_calls_per_hour: LIST_CALLS_PER_HOUR,
    price: price && presentPrice(price),
  };
}

function expected({ calls, characters, outputTokens }: Questions, price: Price | null) {
  const [input, output] = [Math.ceil(characters / CHARACTERS_PER_TOKEN), Math.ceil(outputTokens)];
  // A rate for long prompts is for one call, so one average call is priced.
  const ofOne =
    calls === 0 ? costOf(price, NOTHING) : costOf(price, { input: input / calls, output: output / calls });
  return { calls, input_tokens: input, output_tokens: output, cost: ofOne === null ? null : ofOne * calls };
}

const NOTHING = { input: 0, output: 0 };
