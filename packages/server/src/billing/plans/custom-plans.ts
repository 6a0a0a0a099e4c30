import { plan } from '@winnow/contract/plan';
import { z } from 'zod';
import { publicPlan } from './plans.ts';

const MAX_PRICE_DOLLARS = 1_000_000;
const dollars = z
  .number('A price is an amount of US dollars, such as 499 or 499.50.')
  .positive('A price must be above 0.')
  .max(MAX_PRICE_DOLLARS, `A price is at most ${MAX_PRICE_DOLLARS} dollars.`)
  .refine(
    (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
    'A price can have at most two decimals.',
  )
  .nullable();

/** Schema of a custom plan, which is sold to a single account. */
export const customPlan = plan
  .extend({
    id: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9-]{1,39}$/,
        'An id has 2 to 40 lower-case letters, digits and dashes, such as acme-2030.',
      )
      .refine((id) => publicPlan(id) === null, 'This id belongs to a public plan.'),
    name: z
      .string()
      .trim()
      .min(1, 'Enter the name of the plan.')
      .max(60, 'A name has at most 60 characters.'),
    price_monthly: dollars,
    price_annually: dollars,
  })
  .refine(
    ({ price_monthly, price_annually }) => price_monthly !== null || price_annually !== null,
    'Enter what the plan costs: by the month, by the year, or both.',
  );
