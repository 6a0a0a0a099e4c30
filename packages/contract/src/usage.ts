import { z } from 'zod';
import { id, memberOf, queryFlag } from './primitives.ts';

/** Kinds of usage that are counted per account. Plans limit some of them. */
export const usageKind = z.enum(['api_requests', 'issues_ingested', 'issues_processed', 'ai_calls']);
export type UsageKind = z.infer<typeof usageKind>;

/** Features that call language models. */
export const AI_FEATURES = {
  verdict: { label: 'Verdicts on pairs' },
  suggestion: { label: 'Suggested texts' },
  compliance: { label: 'Compliance scores' },
  dependencies: { label: 'Dependencies' },
  flow: { label: 'Flows' },
  test: { label: 'Tests of models' },
} as const satisfies Record<string, { label: string }>;
export const aiFeature = memberOf(AI_FEATURES);
export type AiFeature = z.infer<typeof aiFeature>;

/** Maximum days per usage query. Usage is stored for at most this many days. */
export const MAX_USAGE_DAYS = 400;
/** Default number of days reported, including today. */
export const DEFAULT_USAGE_DAYS = 30;
/**
 * Value of `method` for calls to the MCP endpoint. The value of `endpoint` is then the MCP method
 * or the tool.
 */
export const MCP_METHOD = 'MCP';

/** Earliest day accepted in queries. */
export const FIRST_DAY = '1970-01-01';
/** A day in UTC. */
export const day = z.iso
  .date('Enter a day such as 2030-01-31.')
  .refine((text) => text >= FIRST_DAY, 'Enter a day after 1970.');

const range = {
  /**
   * First day of the range, inclusive. Default: {@link DEFAULT_USAGE_DAYS} days up to and including
   * `to`.
   */
  from: day.optional(),
  /** Last day of the range, inclusive. Default: today. */
  to: day.optional(),
};
export const usageQuery = z.object({ ...range, timeseries: queryFlag.default(false) });
export const usageExportQuery = z.object(range);
export type UsageRange = { from: string; to: string };

const count = z.int().min(0);
/** Latency in milliseconds, within 5 % of the exact value. Null without requests. */
const latency = z.number().nullable();

const calls = {
  /** Number of responses. Calls without a response are not counted. */
  calls: count,
  /** Number of calls without a usable response. */
  failed: count,
  tokens: count,
  input_tokens: count,
  output_tokens: count,
  /** Cost in US dollars according to the price list. Calls of unknown cost are not included. */
  cost: z.number().min(0),
  /** Number of calls of unknown cost. */
  unpriced_calls: count,
};
const modelCalls = z.object(calls);
export type ModelCalls = z.infer<typeof modelCalls>;

const limit = z.object({
  /** Number of units used in the period. */
  used: count,
  /** Maximum units in the period; null if unlimited. */
  limit: count.nullable(),
});
export type UsageLimit = z.infer<typeof limit>;

export const apiUsage = z.object({
  from: day,
  to: day,
  /**
   * Number of requests with API keys from `from` to `to`. Requests refused by a rate limit do not
   * count.
   */
  total_requests: count,
  /** Number of requests with API keys since the account was created. */
  requests_ever: count,
  /** Number of requests with a status of 400 or above, or with a tool error. */
  errors: count,
  p50_ms: latency,
  p95_ms: latency,
  /** One entry for each day of the range. Present only with `timeseries=true`. */
  requests_by_date: z.array(z.object({ date: day, count, errors: count })).optional(),
  /** Requests by endpoint, the most used first. */
  requests_by_endpoint: z.array(
    z.object({
      /**
       * Pattern of the route. For {@link MCP_METHOD}, the MCP call, such
       * as `tools/call search_issues`.
       */
      endpoint: z.string(),
      method: z.string(),
      count,
      errors: count,
      p50_ms: latency,
      p95_ms: latency,
    }),
  ),
  /** Requests by API key, the most used first. */
  requests_by_key: z.array(
    z.object({ key_id: id, name: z.string(), is_revoked: z.boolean(), count, errors: count }),
  ),
  ai: z.object({
    ...calls,
    /** Calls by language model, the most used first. */
    by_model: z.array(
      z.object({ model: z.string(), provider: z.string(), identifier: z.string(), ...calls }),
    ),
    by_feature: z.array(z.object({ feature: aiFeature, ...calls })),
    /** One entry for each day of the range. Present only with `timeseries=true`. */
    by_date: z.array(z.object({ date: day, calls: count, cost: z.number().min(0) })).optional(),
  }),
  /** Number of issues read for the first time. Sample issues are not counted. */
  issues_ingested: count,
  /**
   * Use of the plan's quotas in the current calendar month. The requested range has no effect on
   * it.
   */
  limits: z.object({
    plan_id: z.string(),
    plan_name: z.string(),
    /**
     * True if calls over a limit are refused. If the installation sells no plans, calls are only
     * counted.
     */
    is_enforced: z.boolean(),
    period: z.object({ from: day, to: day }),
    api_calls_monthly: limit,
    ai_calls_monthly: limit,
    issues_ingested_monthly: limit,
  }),
});
export type ApiUsage = z.infer<typeof apiUsage>;
