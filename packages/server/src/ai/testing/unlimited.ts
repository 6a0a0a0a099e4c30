import type { LanguageModelsOptions } from '../model.ts';

const nothing = async () => undefined;

/** Language models whose health and use are not recorded, for tests of what is said to them. */
export const UNLIMITED: Pick<LanguageModelsOptions, 'health' | 'caps'> = {
  health: { expectRunning: nothing, noteSuccess: nothing, noteFailure: nothing },
  caps: { take: async () => ({ giveBack: nothing, settle: nothing }) },
};

/** A model without a price and without caps. */
export const UNPRICED = { price: null, caps: { calls: null, cost: null } };
