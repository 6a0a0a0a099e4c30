import {
  billingInterval,
  PLAN_FEATURES,
  type Plan,
  type PlanFeature,
  UNLIMITED,
} from '@winnow/contract/plan';
import { z } from 'zod';
import { findByAddress } from '../accounts/service.ts';
import {
  addCustomPlan,
  customPlan,
  listCustomPlans,
  type OwnedPlan,
  removeCustomPlan,
} from '../billing/plans/custom-plans.ts';
import { planOf } from '../billing/plans/plans.ts';
import { dollarsOf, lookupKeyOf } from '../billing/stripe/prices.ts';
import { findSubscription } from '../billing/stripe/store.ts';
import type { Db } from '../schema/tables.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { type Asked, NOTHING } from './read-args.ts';
import { withDatabase } from './with-database.ts';

const ADDING = {
  operands: ['EMAIL'],
  options: {
    id: { type: 'string' },
    name: { type: 'string' },
    monthly: { type: 'string' },
    yearly: { type: 'string' },
    'api-calls': { type: 'string' },
    'ai-calls': { type: 'string' },
    issues: { type: 'string' },
    'custom-models': { type: 'boolean' },
    'custom-metrics': { type: 'boolean' },
  },
} as const;

/** Makes a plan that is sold to one account alone. */
export const addPlan = command({
  name: 'plan add',
  synopsis: 'plan add EMAIL --id ID --name NAME …',
  summary: 'Make a plan that is sold to one account alone',
  details: `  --monthly USD         what it costs by the month
  --yearly USD          what it costs by the year; one of both, or both
  --api-calls N         API calls a month
  --ai-calls N          AI calls a month
  --issues N            issues ingested a month
  --custom-models       with language models of one's own
  --custom-metrics      with compliance metrics of one's own

-1 is without a limit, which is also what holds where nothing is said. The account can buy the plan once Stripe has its
prices; the command says under which lookup keys.`,
  takes: ADDING,
  async run(config, { operands: [email], values }) {
    const plan = readPlan(values);
    if (typeof plan === 'string') {
      process.stderr.write(`${plan}\n\nwinnow plan --help says what it takes.\n`);
      return 2;
    }
    const fault = await withDatabase(config, async ({ db }) => {
      const owner = await findByAddress(db, email);
      if (owner === null) return `There is no account with the address ${email}.`;
      return (await addCustomPlan(db, owner.accountId, plan)) ? null : `There is a plan ${plan.id} already.`;
    });
    if (fault !== null) {
      process.stderr.write(`${fault}\n`);
      return 1;
    }
    process.stdout.write(
      `Made ${plan.name} for ${email}, with:\n${featuresOf(plan)}It can be bought as soon as Stripe has:\n${pricesOf(plan)}`,
    );
    if (config.stripe === null) {
      process.stdout.write('STRIPE_SECRET_KEY is not set: nothing is sold here yet.\n');
    }
    return 0;
  },
});

/** The plan that is to be made, or the sentence that says what is wrong with it. */
export function readPlan(values: Asked<typeof ADDING>['values']): Plan | string {
  const parsed = customPlan.safeParse({
    id: values.id ?? '',
    name: values.name ?? '',
    price_monthly: numberOf(values.monthly, null),
    price_annually: numberOf(values.yearly, null),
    features: {
      api_calls_monthly: numberOf(values['api-calls'], UNLIMITED),
      ai_calls_monthly: numberOf(values['ai-calls'], UNLIMITED),
      issues_ingested_monthly: numberOf(values.issues, UNLIMITED),
      custom_ai_models_enabled: values['custom-models'] ?? false,
      custom_compliance_metrics_enabled: values['custom-metrics'] ?? false,
    },
  });
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

function numberOf<T>(text: string | undefined, otherwise: T): number | T {
  if (text === undefined) return otherwise;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** Lists the plans that are sold to one account alone. */
export const listPlans = command({
  name: 'plan list',
  synopsis: 'plan list',
  summary: 'List the plans that were made for one account alone',
  takes: NOTHING,
  async run(config) {
    const plans = await withDatabase(config, ({ db }) => listCustomPlans(db));
    if (plans.length === 0) process.stdout.write('No plan was made for one account.\n');
    for (const plan of plans) {
      process.stdout.write(
        `${plan.id}: ${plan.name}, for ${plan.email}\n${pricesOf(plan)}${featuresOf(plan)}`,
      );
    }
    return 0;
  },
});

/** Removes a plan that is sold to one account alone. */
export const removePlan = command({
  name: 'plan remove',
  synopsis: 'plan remove ID [--yes]',
  summary: 'Remove a plan that was made for one account alone',
  details: `Whoever is on it is on the Free plan at once, and goes on paying until their subscription is cancelled in Stripe.

  --yes                 without the question whether to go on`,
  takes: { operands: ['ID'], options: { yes: { type: 'boolean' } } },
  async run(config, { operands: [id], values: { yes } }) {
    return withDatabase(config, async ({ db }) => {
      const plan = (await listCustomPlans(db)).find((made) => made.id === id);
      if (plan === undefined) {
        process.stderr.write(`There is no plan ${id} that was made for one account.\n`);
        return 1;
      }
      const free = planOf('free').name;
      const warning = (await isPaidBy(db, plan))
        ? `${plan.email} pays for ${plan.name}, is on the ${free} plan without it, and goes on paying until the subscription is cancelled in Stripe.`
        : `${plan.name} was made for ${plan.email}, who does not pay for it.`;
      if (!yes && !(await confirm(warning, id))) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const payers = await removeCustomPlan(db, id);
      process.stdout.write(`Removed ${id}.\n`);
      if (payers) {
        process.stdout.write(
          `${plan.email} is on the ${free} plan now, and goes on paying: cancel the subscription in Stripe.\n`,
        );
      }
      return 0;
    });
  },
});

async function isPaidBy(db: Db, { id, email }: OwnedPlan): Promise<boolean> {
  const owner = await findByAddress(db, email);
  const paid = owner && (await findSubscription(db, owner.accountId));
  return paid?.plan_id === id;
}

/** The prices that Stripe has to have for a plan, one a line. */
function pricesOf(plan: Plan): string {
  return billingInterval.options
    .filter((interval) => dollarsOf(plan, interval) !== null)
    .map((interval) => `  ${lookupKeyOf(plan.id, interval)}  $${dollarsOf(plan, interval)} a ${interval}\n`)
    .join('');
}

/** What a plan gives, one a line. */
function featuresOf({ features }: Plan): string {
  return Object.entries(PLAN_FEATURES)
    .map(([feature, label]) => `  ${label}: ${inWords(features[feature as PlanFeature])}\n`)
    .join('');
}

function inWords(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === UNLIMITED ? 'without a limit' : value.toLocaleString('en-US');
}
