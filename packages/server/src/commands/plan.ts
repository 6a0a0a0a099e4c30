import {
  billingInterval,
  PLAN_FEATURES,
  type Plan,
  type PlanFeature,
  UNLIMITED,
} from '@winnow/contract/plan';
import { z } from 'zod';
import { findByAddress } from '../accounts/service.ts';
import { customPlan } from '../billing/plans/custom-plans.ts';
import { planOf } from '../billing/plans/plans.ts';
import { addCustomPlan, listCustomPlans, type OwnedPlan, removeCustomPlan } from '../billing/plans/store.ts';
import { dollarsOf, lookupKeyOf } from '../billing/stripe/prices.ts';
import { findSubscription } from '../billing/stripe/store.ts';
import type { Db } from '../schema/tables.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { NO_ARGUMENTS, type ParsedArguments } from './read-args.ts';
import { withDatabase } from './with-database.ts';

const ADD_PLAN_ARGUMENTS = {
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

/** Adds a custom plan, which is sold to a single account. */
export const addPlan = command({
  name: 'plan add',
  synopsis: 'plan add EMAIL --id ID --name NAME …',
  summary: 'Add a custom plan for one account',
  details: `  --monthly USD         monthly price
  --yearly USD          yearly price; give one price or both
  --api-calls N         API calls per month
  --ai-calls N          AI calls per month
  --issues N            issues ingested per month
  --custom-models       include custom language models
  --custom-metrics      include custom compliance metrics

-1 means no limit, which is also the default. The account can buy the plan once Stripe has its prices; the command prints
their lookup keys.`,
  takes: ADD_PLAN_ARGUMENTS,
  async run(config, { operands: [email], values }) {
    const plan = readPlan(values);
    if (typeof plan === 'string') {
      process.stderr.write(`${plan}\n\nSee winnow plan --help for the arguments.\n`);
      return 2;
    }
    const fault = await withDatabase(config, async ({ db }) => {
      const owner = await findByAddress(db, email);
      if (owner === null) return `No account with the address ${email} was found.`;
      return (await addCustomPlan(db, owner.accountId, plan)) ? null : `The plan ${plan.id} already exists.`;
    });
    if (fault !== null) {
      process.stderr.write(`${fault}\n`);
      return 1;
    }
    process.stdout.write(
      `Added ${plan.name} for ${email}, with:\n${featuresOf(plan)}It can be bought as soon as Stripe has:\n${pricesOf(plan)}`,
    );
    if (config.stripe === null) {
      process.stdout.write('STRIPE_SECRET_KEY is not set: this installation sells no plans yet.\n');
    }
    return 0;
  },
});

/**
 * Parses the plan to add. If the values are invalid, returns a sentence that explains the problem.
 */
export function readPlan(values: ParsedArguments<typeof ADD_PLAN_ARGUMENTS>['values']): Plan | string {
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

/** Prints all custom plans. */
export const listPlans = command({
  name: 'plan list',
  synopsis: 'plan list',
  summary: 'List custom plans of single accounts',
  takes: NO_ARGUMENTS,
  async run(config) {
    const plans = await withDatabase(config, ({ db }) => listCustomPlans(db));
    if (plans.length === 0) process.stdout.write('There are no custom plans.\n');
    for (const plan of plans) {
      process.stdout.write(
        `${plan.id}: ${plan.name}, for ${plan.email}\n${pricesOf(plan)}${featuresOf(plan)}`,
      );
    }
    return 0;
  },
});

/** Deletes a custom plan after asking for confirmation. */
export const removePlan = command({
  name: 'plan remove',
  synopsis: 'plan remove ID [--yes]',
  summary: 'Remove a custom plan of one account',
  details: `Its account gets the Free plan immediately, and continues to pay until the subscription is canceled in Stripe.

  --yes                 do not ask for confirmation`,
  takes: { operands: ['ID'], options: { yes: { type: 'boolean' } } },
  async run(config, { operands: [id], values: { yes } }) {
    return withDatabase(config, async ({ db }) => {
      const plan = (await listCustomPlans(db)).find((made) => made.id === id);
      if (plan === undefined) {
        process.stderr.write(`No custom plan ${id} was found.\n`);
        return 1;
      }
      const free = planOf('free').name;
      const warning = (await isPaidBy(db, plan))
        ? `${plan.email} pays for ${plan.name}, will get the ${free} plan instead, and continues to pay until the subscription is canceled in Stripe.`
        : `${plan.name} was added for ${plan.email}, who does not pay for it.`;
      if (!yes && !(await confirm(warning, id))) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const payers = await removeCustomPlan(db, id);
      process.stdout.write(`Removed ${id}.\n`);
      if (payers) {
        process.stdout.write(
          `${plan.email} is on the ${free} plan now and continues to pay: cancel the subscription in Stripe.\n`,
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

/** Formats the prices that Stripe must have for a plan, one per line. */
function pricesOf(plan: Plan): string {
  return billingInterval.options
    .filter((interval) => dollarsOf(plan, interval) !== null)
    .map((interval) => `  ${lookupKeyOf(plan.id, interval)}  $${dollarsOf(plan, interval)} a ${interval}\n`)
    .join('');
}

/** Formats the features of a plan, one per line. */
function featuresOf({ features }: Plan): string {
  return Object.entries(PLAN_FEATURES)
    .map(([feature, label]) => `  ${label}: ${inWords(features[feature as PlanFeature])}\n`)
    .join('');
}

function inWords(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === UNLIMITED ? 'without a limit' : value.toLocaleString('en-US');
}
