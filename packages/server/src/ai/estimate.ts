import type { AiModelEstimate } from '@winnow/contract/ai-model';
import { LIST_CALLS_PER_HOUR } from './model-caps.ts';
import type { MonthlyCaps } from './model-use-store.ts';
import { presentPrice } from './present.ts';
import { CHARACTERS_PER_TOKEN, costOf, type Price } from './prices.ts';

/**
 * Size of a set of model questions: their number, and the expected total length of prompts and
 * answers.
 */
export interface Questions {
  calls: number;
  characters: number;
  outputTokens: number;
}

/** Questions needed to review all pairs and score all issues of an account. */
export interface ExpectedWork {
  reviews: Questions;
  scores: Questions;
}

/**
 * Estimates tokens and, if the price is known, the cost in US dollars. `left` is what the monthly
 * caps still allow; it limits the reviews only.
 */
export function estimateOf(
  { reviews, scores }: ExpectedWork,
  price: Price | null,
  left: MonthlyCaps,
): AiModelEstimate {
  return {
    reviews: expected(withinCaps(reviews, price, left), price),
    scores: expected(scores, price),
    list_calls_per_hour: LIST_CALLS_PER_HOUR,
    price: price && presentPrice(price),
  };
}

function expected({ calls, characters, outputTokens }: Questions, price: Price | null) {
  const [input, output] = [Math.ceil(characters / CHARACTERS_PER_TOKEN), Math.ceil(outputTokens)];
  // Computes the cost of one average call and multiplies it. The rate depends on the length of a
  // single call, so the total length must not be priced as one call.
  const costPerCall =
    calls === 0 ? costOf(price, NO_TOKENS) : costOf(price, { input: input / calls, output: output / calls });
  return {
    calls,
    input_tokens: input,
    output_tokens: output,
    cost: costPerCall === null ? null : costPerCall * calls,
  };
}

/**
 * Reduces the number of questions to the calls that the caps allow. The average length of a
 * question stays the same.
 */
function withinCaps(questions: Questions, price: Price | null, left: MonthlyCaps): Questions {
  const { cost } = expected(questions, price);
  const affordable = left.cost === null || !cost ? questions.calls : (left.cost / cost) * questions.calls;
  const calls = Math.floor(Math.min(questions.calls, left.calls ?? questions.calls, affordable));
  if (calls === questions.calls) return questions;
  const share = calls / questions.calls;
  return {
    calls,
    characters: questions.characters * share,
    outputTokens: questions.outputTokens * share,
  };
}

const NO_TOKENS = { input: 0, output: 0 };
