import { UNLIMITED } from '@winnow/contract/plan';
import type { AiFeature, ApiUsage, ModelCalls, UsageLimit, UsageRange } from '@winnow/contract/usage';
import type { Db } from '../../schema/tables.ts';
import { dayOf, everyDay, monthOf } from '../day.ts';
import type { AccountPlans } from '../plans/account-plans.ts';
import type { ApiCallMeter } from './api-calls.ts';
import { usageWithin } from './counter-store.ts';
import { type LatencyHistogram, mergeHistograms, quantileOf } from './latency.ts';
import * as store from './usage-store.ts';

/** Use of language models in a range of days. `by_date` contains only days with calls. */
export type ModelUsage = ApiUsage['ai'] & { by_date: NonNullable<ApiUsage['ai']['by_date']> };

/** Calls of one model for one feature on one day. */
export type DailyModelCalls = ModelCalls & { date: string; model: string; feature: AiFeature };
/**
 * A row of the usage export: requests of an API key to an endpoint on a day, or calls of a model on
 * a day.
 */
export type ExportedUsage =
  | (Omit<store.UsageRow, 'key_name' | 'latency'> & {
      key_name: string;
      p50_ms: number | null;
      p95_ms: number | null;
    })
  | DailyModelCalls;

export interface UsageOptions {
  db: Db;
  meter: ApiCallMeter;
  now: () => Date;
  plans: Pick<AccountPlans, 'planOf' | 'enforcesQuotas'>;
  readModelCalls: (accountId: string, range: UsageRange) => Promise<ModelUsage>;
  dailyModelCalls: (accountId: string, range: UsageRange) => Promise<DailyModelCalls[]>;
}

/** Usage of accounts: API requests, language models, and plan limits. */
export class Usage {
  readonly #options: UsageOptions;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  /**
   * Returns the usage in a range, including requests that this process has counted and not yet
   * stored. With `daily`, also returns the usage per day.
   */
  async read(accountId: string, range: UsageRange, { daily }: { daily: boolean }): Promise<ApiUsage> {
    const { db, meter, now, plans, readModelCalls } = this.#options;
    await meter.flush();
    const period = monthOf(dayOf(now()));
    const [endpoints, keys, days, inRange, inPeriod, ever, { by_date: modelDays, ...ai }, plan] =
      await Promise.all([
        store.usageByEndpoint(db, accountId, range),
        store.usageByKey(db, accountId, range),
        daily ? store.usageByDay(db, accountId, range) : [],
        usageWithin(db, accountId, range),
        usageWithin(db, accountId, period),
        usageWithin(db, accountId, null),
        readModelCalls(accountId, range),
        plans.planOf(accountId),
      ]);
    return {
      ...range,
      total_requests: endpoints.reduce((sum, { count }) => sum + count, 0),
      requests_ever: ever.api_requests,
      errors: endpoints.reduce((sum, { errors }) => sum + errors, 0),
      ...quantilesOf(endpoints.map(({ latency }) => latency).reduce(mergeHistograms, [])),
      ...(daily && { requests_by_date: everyDayOf(range, days, { count: 0, errors: 0 }) }),
      requests_by_endpoint: endpoints.map(({ latency, ...endpoint }) => ({
        ...endpoint,
        ...quantilesOf(latency),
      })),
      requests_by_key: keys.map(({ name, ...key }) => ({ ...key, name: name ?? NAMELESS_KEY })),
      ai: { ...ai, ...(daily && { by_date: everyDayOf(range, modelDays, { calls: 0, cost: 0 }) }) },
      issues_ingested: inRange.issues_ingested,
      limits: {
        plan_id: plan.id,
        plan_name: plan.name,
        is_enforced: plans.enforcesQuotas,
        period,
        api_calls_monthly: limitOf(plan.features.api_calls_monthly, inPeriod.api_requests),
        ai_calls_monthly: limitOf(plan.features.ai_calls_monthly, inPeriod.ai_calls),
        issues_ingested_monthly: limitOf(plan.features.issues_ingested_monthly, inPeriod.issues_ingested),
      },
    };
  }

  /**
   * Streams the rows of the usage export. First come requests per day, endpoint and key; then model
   * calls per day, model and feature. Both parts are ordered by day.
   */
  async *everyRow(accountId: string, range: UsageRange): AsyncGenerator<ExportedUsage> {
    const { db, meter, dailyModelCalls } = this.#options;
    await meter.flush();
    for await (const { key_name, latency, ...row } of store.everyRow(db, accountId, range)) {
      yield { ...row, key_name: key_name ?? NAMELESS_KEY, ...quantilesOf(latency) };
    }
    yield* await dailyModelCalls(accountId, range);
  }

  /**
   * Returns the number of requests per API key, including those that this process has not yet
   * stored. Keys without requests are omitted.
   */
  async requestsOfKeys(accountId: string): Promise<ReadonlyMap<string, number>> {
    const { db, meter } = this.#options;
    await meter.flush();
    return store.requestsOfKeys(db, accountId);
  }
}

/** Name displayed for a key that was revoked before its name was stored. */
const NAMELESS_KEY = 'Revoked key';

function quantilesOf(latency: LatencyHistogram): { p50_ms: number | null; p95_ms: number | null } {
  return { p50_ms: rounded(quantileOf(latency, 0.5)), p95_ms: rounded(quantileOf(latency, 0.95)) };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}

/** Returns one entry per day of the range. Days without data get zeros. */
function everyDayOf<Line extends { date: string }>(
  { from, to }: UsageRange,
  lines: readonly Line[],
  zeros: Omit<Line, 'date'>,
): (Omit<Line, 'date'> & { date: string })[] {
  const known = new Map(lines.map((line) => [line.date, line]));
  return everyDay(from, to).map((date) => known.get(date) ?? { ...zeros, date });
}

function limitOf(limit: number, used: number): UsageLimit {
  return { used, limit: limit === UNLIMITED ? null : limit };
}
