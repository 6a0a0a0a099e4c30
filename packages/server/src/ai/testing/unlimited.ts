import type { LanguageModelsOptions } from '../model.ts';

const nothing = async () => undefined;

/**
 * Options for language models without health records and caps, for tests of their conversations.
 */
export const UNLIMITED_MODELS: Pick<LanguageModelsOptions, 'health' | 'caps'> = {
  health: { expectRunning: nothing, noteSuccess: nothing, noteFailure: nothing },
  caps: { take: async () => ({ refund: nothing, settle: nothing }) },
};

/** A model without a price and caps. */
export const UNPRICED = { price: null, caps: { calls: null, cost: null } };
