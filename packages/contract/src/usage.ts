import { z } from 'zod';
import { id, memberOf, queryFlag } from './primitives.ts';

/** What is counted per account; plans limit by these. */
export const usageKind = z.enum(['api_requests', 'issues_ingested', 'issues_processed', 'ai_calls']);
export type UsageKind = z.infer<typeof usageKind>;

/** What language models are asked for. */
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

/** The most days that usage is told for at once, and for which it is kept. */
export const MOST_USAGE_DAYS = 400;
/** How many days are told when nobody says which, today among them. */
export const DEFAULT_USAGE_DAYS = 30;
/** In the place of the HTTP method where an agent asked the MCP endpoint; the endpoint is then what it asked for. */
export const MCP_METHOD = 'MCP';

/** No day is told of before. */
export const FIRST_DAY = '1970-01-01';
/** A day in UTC. */
export const day = z.iso
  .date('Enter a day such as 2030-01-31.')
  .refine((text) => text >= FIRST_DAY, 'Enter a day after 1970.');

const range = {
  /** Both days count. Default: the {@link DEFAULT_USAGE_DAYS} days up to `to`. */
  from: day.optional(),
  /** Default: today. */
  to: day.optional(),
};
export const usageQuery = z.object({ ...range, timeseries: queryFlag.default(false) });
export const usageExportQuery = z.object(range);
export type UsageRange = { from: string; to: string };

const count = z.int().min(0);
/** Milliseconds; within 5 % of the exact figure. Null when there were no requests. */
const latency = z.number().nullable();

const calls = {
  /** Answers of models. What no model answered is not counted. */
  calls: count,
  /** Questions that got no usable answer. */
  failed: count,
  tokens: count,
  input_tokens: count,
  output_tokens: count,
  /** US dollars by the provider's list, as far as it is known. */
  cost: z.number().min(0),
  /** Calls whose cost is not known. */
  unpriced_calls: count,
};
const modelCalls = z.object(calls);
export type ModelCalls = z.infer<typeof modelCalls>;

const limit = z.object({
  /** In the period. */
  used: count,
  /** Null: no limit. */
  limit: count.nullable(),
});
export type UsageLimit = z.infer<typeof limit>;

export const apiUsage = z.object({
  from: day,
  to: day,
  /** Requests made with API keys from `from` to `to`; those that a rate limit refused are not among them. */
  total_requests: count,
  /** The same since the account exists. */
  requests_ever: count,
  /** Those answered with a status of 400 or more, or by a tool with an error. */
  errors: count,
  p50_ms: latency,
  p95_ms: latency,
  /** Every day of the range; with `timeseries=true`. */
  requests_by_date: z.array(z.object({ date: day, count, errors: count })).optional(),
  /** The most used first. */
  requests_by_endpoint: z.array(
    z.object({
      /** The route's pattern; for {@link MCP_METHOD} what was asked for, such as `tools/call search_issues`. */
      endpoint: z.string(),
      method: z.string(),
      count,
      errors: count,
      p50_ms: latency,
      p95_ms: latency,
    }),
  ),
  /** The most used first. */
  requests_by_key: z.array(
    z.object({ key_id: id, name: z.string(), is_revoked: z.boolean(), count, errors: count }),
  ),
  ai: z.object({
    ...calls,
    /** The most used first, as is `by_feature`. */
    by_model: z.array(
      z.object({ model: z.string(), provider: z.string(), identifier: z.string(), ...calls }),
    ),
    by_feature: z.array(z.object({ feature: aiFeature, ...calls })),
    /** Every day of the range; with `timeseries=true`. */
    by_date: z.array(z.object({ date: day, calls: count, cost: z.number().min(0) })).optional(),
  }),
  /** Issues that were read for the first time, without the sample's. */
  issues_ingested: count,
  /** What is used of the plan in the present calendar month, whatever the range. */
  limits: z.object({
    plan_id: z.string(),
    plan_name: z.string(),
    /** Beyond a limit calls are refused; where nothing is paid they are only counted. */
    is_enforced: z.boolean(),
    period: z.object({ from: day, to: day }),
    api_calls_monthly: limit,
    ai_calls_monthly: limit,
    issues_ingested_monthly: limit,
  }),
});
export type ApiUsage = z.infer<typeof apiUsage>;
