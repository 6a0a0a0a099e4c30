import { type Plan, plan } from '@winnow/contract/plan';
import { z } from 'zod';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { everybodysPlan } from './plans.ts';

const MOST_DOLLARS = 1_000_000;
const dollars = z
  .number('A price is an amount of US dollars, such as 499 or 499.50.')
  .positive('A price is above 0.')
  .max(MOST_DOLLARS, `A price is at most ${MOST_DOLLARS} dollars.`)
  .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, 'A price has whole cents.')
  .nullable();

/** A plan for one account, as far as it can be sold. */
export const customPlan = plan
  .extend({
    id: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9-]{1,39}$/,
        'An id has 2 to 40 small letters, digits and dashes, such as acme-2030.',
      )
      .refine((id) => everybodysPlan(id) === null, 'This id is that of a plan that everybody can have.'),
    name: z
      .string()
      .trim()
      .min(1, 'Say what the plan is called.')
      .max(60, 'A name has at most 60 characters.'),
    price_monthly: dollars,
    price_annually: dollars,
  })
  .refine(
    ({ price_monthly, price_annually }) => price_monthly !== null || price_annually !== null,
    'Say what the plan costs: by the month, by the year, or both.',
  );

/** A plan with the address of the account that it was made for. */
export type OwnedPlan = Plan & { email: string };

/** Makes a plan for an account. False when there is one of this id. */
export async function addCustomPlan(db: Db, accountId: string, plan: Plan): Promise<boolean> {
  const { features, ...rest } = plan;
  try {
    await db
      .insertInto('custom_plan')
      .values({ account_id: accountId, ...rest, features: JSON.stringify(features) })
      .execute();
    return true;
  } catch (error) {
    if (violates(error, 'custom_plan_pkey')) return false;
    throw error;
  }
}

/** Removes a plan; answers how many accounts were on it, and undefined when there is none of this id. */
export async function removeCustomPlan(db: Db, id: string): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('custom_plan')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return undefined;
    const { count } = await transaction
      .selectFrom('subscription')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('plan_id', '=', id)
      .executeTakeFirstOrThrow();
    return Number(count);
  });
}

/** Every plan that was made for one account, the oldest first. */
export async function listCustomPlans(db: Db): Promise<OwnedPlan[]> {
  const rows = await db
    .selectFrom('custom_plan')
    .innerJoin('app_user', 'app_user.account_id', 'custom_plan.account_id')
    .select([
      'custom_plan.id',
      'custom_plan.name',
      'custom_plan.price_monthly',
      'custom_plan.price_annually',
      'custom_plan.features',
      'app_user.email',
    ])
    .orderBy('custom_plan.created_at')
    .orderBy('custom_plan.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    price_monthly: row.price_monthly === null ? null : Number(row.price_monthly),
    price_annually: row.price_annually === null ? null : Number(row.price_annually),
  }));
}

/** The account of an e-mail address; undefined when there is none. */
export async function accountOfAddress(db: Db, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('app_user')
    .select('account_id')
    .where(({ fn }) => fn('lower', ['email']), '=', email.toLowerCase())
    .executeTakeFirst();
  return row?.account_id;
}
