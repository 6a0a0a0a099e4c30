import type { BillingInterval, Plan, PlanChange, WaitingChange } from '@winnow/contract/plan';
import type { UsageKind } from '@winnow/contract/usage';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/**
 * Subscription of an account, as last read from Stripe. If `subscription_id` is null, the account
 * only has a customer id at Stripe.
 */
export interface SubscriptionTable {
  account_id: string;
  customer_id: string;
  subscription_id: string | null;
  plan_id: string | null;
  interval: BillingInterval | null;
  /** Status of the subscription at Stripe, such as `active`. */
  status: string | null;
  current_period_start: Instant | null;
  current_period_end: Instant | null;
  cancel_at_period_end: boolean;
  /** Plan change that takes effect at the end of the billing period. */
  pending_change: JSONColumnType<PlanChange> | null;
  /** Plan change that takes effect once it is paid. */
  waiting_change: JSONColumnType<WaitingChange> | null;
  read_at: Instant;
}

/** A plan made for a single account. */
export interface CustomPlanTable {
  id: string;
  account_id: string;
  name: string;
  /** Price per month in US dollars. */
  price_monthly: ColumnType<string | null, number | null, number | null>;
  price_annually: ColumnType<string | null, number | null, number | null>;
  features: JSONColumnType<Plan['features']>;
  created_at: InstantByDefault;
}

/**
 * Id of an event or checkout session of Stripe that was processed, so that it is not processed
 * again.
 */
export interface StripeEventTable {
  id: string;
  received_at: Instant;
}

/** Usage of an account in a calendar month (UTC), per kind of usage that plans limit. */
export interface PlanUsageTable {
  account_id: string;
  kind: UsageKind;
  /** First day of the calendar month. */
  month: ColumnType<string, string, never>;
  taken: Generated<number>;
  /**
   * Until this time, processes may hold units that they have taken in advance. They return the
   * units that they do not use.
   */
  ahead_until: Generated<Date>;
}

export interface UsageCounterTable {
  account_id: string;
  kind: UsageKind;
  day: ColumnType<string, string, never>;
  count: ColumnType<number, number, number>;
}

/** Requests of one API key to one endpoint on one day. */
export interface ApiUsageTable {
  account_id: string;
  day: ColumnType<string, string, never>;
  key_id: string;
  /** Route template of an HTTP request, or method of an MCP request. */
  endpoint: string;
  method: string;
  /** Name of the API key. Null if the key was revoked before its first use was stored. */
  key_name: string | null;
  count: number;
  errors: number;
  /** Histogram of the durations of the requests; see billing/usage/latency.ts. */
  latency: number[];
}
