import type { SeedPrice } from './objects.ts';

/** Prices that an operator creates in Stripe to sell the public plans of Winnow. */
export const WINNOW_PRICES: readonly (SeedPrice & { lookup_key: string })[] = [
  { lookup_key: 'winnow_pro_month', unit_amount: 2_000, interval: 'month' },
  { lookup_key: 'winnow_pro_year', unit_amount: 20_000, interval: 'year' },
  { lookup_key: 'winnow_ultra_month', unit_amount: 20_000, interval: 'month' },
  { lookup_key: 'winnow_ultra_year', unit_amount: 200_000, interval: 'year' },
];
