import type { BillingInterval, Plan, PlanChange, WaitingChange } from '@winnow/contract/plan';
import type { UsageKind } from '@winnow/contract/usage';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/**
 * The subscription of an account as last read from Stripe. Without a `subscription_id`, only the
 * customer is known.
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
  /** Plan change scheduled for the end of the period. */
  pending_change: JSONColumnType<PlanChange> | null;
  /** Plan change that takes effect after its payment. */
  waiting_change: JSONColumnType<WaitingChange> | null;
  read_at: Instant;
}

/** A custom plan, sold to one account only. */
export interface CustomPlanTable {
  id: string;
  account_id: string;
  name: string;
  /** US dollars. */
  price_monthly: ColumnType<string | null, number | null, number | null>;
  price_annually: ColumnType<string | null, number | null, number | null>;
  features: JSONColumnType<Plan['features']>;
  created_at: InstantByDefault;
}

/** A processed event of Stripe, or a processed checkout session. */
export interface StripeEventTable {
  id: string;
  received_at: Instant;
}

/** Usage in a calendar month (UTC) of a kind that a plan limits. */
export interface PlanUsageTable {
  account_id: string;
  kind: UsageKind;
  /** First day of the month. */
  month: ColumnType<string, string, never>;
  taken: Generated<number>;
  /**
   * Time until which processes may hold units taken in advance. They return those that they do not
   * use.
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
  /** Route template, or method of an MCP request. */
  endpoint: string;
  method: string;
  /** Null if the key was revoked before its first use was stored. */
  key_name: string | null;
  count: number;
  errors: number;
  /** Latency histogram of the requests; see billing/usage/latency.ts. */
  latency: number[];
}
