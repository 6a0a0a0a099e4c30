import type { LanguageModelsOptions } from '../model.ts';

const nothing = async () => undefined;

/** Options that disable health records and caps of language models, for tests of conversations. */
export const UNLIMITED_MODELS: Pick<LanguageModelsOptions, 'health' | 'caps'> = {
  health: { expectRunning: nothing, noteSuccess: nothing, noteFailure: nothing },
  caps: { take: async () => ({ refund: nothing, settle: nothing }) },
};

/** Fields of a model without a price and without caps. */
export const UNPRICED = { price: null, caps: { calls: null, cost: null } };
