import { parseArgs } from 'node:util';
import { billingInterval, PLAN_FEATURES, type Plan, UNLIMITED } from '@winnow/contract/plan';
import { z } from 'zod';
import {
  accountOfAddress,
  addCustomPlan,
  customPlan,
  listCustomPlans,
  removeCustomPlan,
} from '../billing/custom-plans.ts';
import { planOf } from '../billing/plans.ts';
import { dollarsOf, lookupKeyOf } from '../billing/stripe/prices.ts';
import type { Config } from '../platform/config.ts';
import { withDatabase } from './with-database.ts';

export const PLAN_DETAILS = `  plan add EMAIL --id ID --name NAME
      --monthly USD         what it costs by the month
      --yearly USD          what it costs by the year; one of both, or both
      --api-calls N         API calls a month
      --ai-calls N          AI calls a month
      --issues N            issues ingested a month
      --custom-models       with language models of one's own
      --custom-metrics      with compliance metrics of one's own
  plan list
  plan remove ID            whoever is on it is on the Free plan at once, and goes on paying until they cancel

-1 is without a limit, which is also what holds where nothing is said. The account can buy the plan once Stripe has its
prices; the command says under which lookup keys.`;

/** Makes, lists and removes plans that are sold to one account alone. */
export async function plan(config: Config, args: readonly string[]): Promise<number> {
  const order = readOrder(args);
  if (typeof order === 'string') {
    process.stderr.write(`${order}\n\nwinnow plan --help says what it takes.\n`);
    return 2;
  }
  switch (order.act) {
    case 'add':
      return add(config, order.email, order.plan);
    case 'list':
      return list(config);
    case 'remove':
      return remove(config, order.id);
  }
}

type Order = { act: 'add'; email: string; plan: Plan } | { act: 'list' } | { act: 'remove'; id: string };

/** What is to be done, or the sentence that says what is wrong. */
export function readOrder(args: readonly string[]): Order | string {
  const [act, ...rest] = args;
  try {
    switch (act) {
      case 'add':
        return readAdd(rest);
      case 'list':
        return rest.length === 0 ? { act } : 'This takes nothing more.';
      case 'remove':
        return rest.length === 1 ? { act, id: rest[0] ?? '' } : 'Say which plan, by its id.';
      default:
        return 'Say what to do: add, list or remove.';
    }
  } catch (error) {
    // What `parseArgs` throws is a sentence for whoever typed.
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function readAdd(args: readonly string[]): Order | string {
  const { values, positionals } = parseArgs({
    args: args.flatMap(withoutDoubt),
    allowPositionals: true,
    options: {
      id: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      monthly: { type: 'string' },
      yearly: { type: 'string' },
      'api-calls': { type: 'string' },
      'ai-calls': { type: 'string' },
      issues: { type: 'string' },
      'custom-models': { type: 'boolean', default: false },
      'custom-metrics': { type: 'boolean', default: false },
    },
  });
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0) return 'Say for whom: the e-mail address of one account.';
  const parsed = customPlan.safeParse({
    id: values.id,
    name: values.name,
    price_monthly: numberOf(values.monthly, null),
    price_annually: numberOf(values.yearly, null),
    features: {
      api_calls_monthly: numberOf(values['api-calls'], UNLIMITED),
      ai_calls_monthly: numberOf(values['ai-calls'], UNLIMITED),
      issues_ingested_monthly: numberOf(values.issues, UNLIMITED),
      custom_ai_models_enabled: values['custom-models'],
      custom_compliance_metrics_enabled: values['custom-metrics'],
    },
  });
  return parsed.success ? { act: 'add', email, plan: parsed.data } : z.prettifyError(parsed.error);
}

/** `--issues -1` is meant as `--issues=-1`: the parser takes a dash for the next option. */
function withoutDoubt(word: string, index: number, words: readonly string[]): string[] {
  if (word === '-1' && words[index - 1]?.startsWith('--')) return [];
  return [words[index + 1] === '-1' && word.startsWith('--') ? `${word}=-1` : word];
}

function numberOf<T>(text: string | undefined, otherwise: T): number | T {
  if (text === undefined) return otherwise;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

async function add(config: Config, email: string, plan: Plan): Promise<number> {
  const fault = await withDatabase(config, async ({ db }) => {
    const accountId = await accountOfAddress(db, email);
    if (accountId === undefined) return `There is no account with the address ${email}.`;
    return (await addCustomPlan(db, accountId, plan)) ? null : `There is a plan ${plan.id} already.`;
  });
  if (fault !== null) {
    process.stderr.write(`${fault}\n`);
    return 1;
  }
  process.stdout.write(
    `Made ${plan.name} for ${email}. It can be bought as soon as Stripe has:\n${pricesOf(plan)}`,
  );
  if (config.stripe === null) {
    process.stdout.write('STRIPE_SECRET_KEY is not set: nothing is sold here yet.\n');
  }
  return 0;
}

/** The prices that Stripe has to have for a plan, one a line. */
function pricesOf(plan: Plan): string {
  return billingInterval.options
    .filter((interval) => dollarsOf(plan, interval) !== null)
    .map((interval) => `  ${lookupKeyOf(plan.id, interval)}  $${dollarsOf(plan, interval)} a ${interval}\n`)
    .join('');
}

async function list(config: Config): Promise<number> {
  const plans = await withDatabase(config, ({ db }) => listCustomPlans(db));
  if (plans.length === 0) process.stdout.write('No plan was made for one account.\n');
  for (const plan of plans) {
    const features = Object.entries(plan.features).map(
      ([feature, value]) => `  ${labelOf(feature)}: ${value === UNLIMITED ? 'without a limit' : value}\n`,
    );
    process.stdout.write(
      `${plan.id}: ${plan.name}, for ${plan.email}\n${pricesOf(plan)}${features.join('')}`,
    );
  }
  return 0;
}

function labelOf(feature: string): string {
  const labels: Readonly<Record<string, string>> = PLAN_FEATURES;
  return labels[feature] ?? feature;
}

async function remove(config: Config, id: string): Promise<number> {
  const payers = await withDatabase(config, ({ db }) => removeCustomPlan(db, id));
  if (payers === undefined) {
    process.stderr.write(`There is no plan ${id} that was made for one account.\n`);
    return 1;
  }
  process.stdout.write(`Removed ${id}.\n`);
  if (payers > 0) {
    process.stdout.write(
      `The account that pays for it is on the ${planOf('free').name} plan now, and goes on paying: cancel its subscription in Stripe.\n`,
    );
  }
  return 0;
}
