import type { BillingInterval, Plan, PlanChange, WaitingChange } from '@winnow/contract/plan';
import type { UsageKind } from '@winnow/contract/usage';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** What Stripe said of an account when it was last asked. Without a `subscription_id` it only knows who pays. */
export interface SubscriptionTable {
  account_id: string;
  customer_id: string;
  subscription_id: string | null;
  plan_id: string | null;
  interval: BillingInterval | null;
  /** In Stripe's words. */
  status: string | null;
  current_period_start: Instant | null;
  current_period_end: Instant | null;
  cancel_at_period_end: boolean;
  /** What it changes to at the end of its period. */
  pending_change: JSONColumnType<PlanChange> | null;
  /** What it changes to once that is paid. */
  waiting_change: JSONColumnType<WaitingChange> | null;
  read_at: Instant;
}

/** A plan that was made for one account. */
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

/** An event of Stripe that was carried out, or a session that was settled. */
export interface StripeEventTable {
  id: string;
  received_at: Instant;
}

/** What was taken of a calendar month's amount (UTC), where a plan limits it. */
export interface PlanUsageTable {
  account_id: string;
  kind: UsageKind;
  /** Its first day. */
  month: ColumnType<string, string, never>;
  taken: Generated<number>;
  /** Until then some of it may be taken ahead by a process that gives back what it does not use. */
  ahead_until: Generated<Date>;
}

export interface UsageCounterTable {
  account_id: string;
  kind: UsageKind;
  day: ColumnType<string, string, never>;
  count: ColumnType<number, number, number>;
}

/** What one API key asked of one endpoint on one day. */
export interface ApiUsageTable {
  account_id: string;
  day: ColumnType<string, string, never>;
  key_id: string;
  /** The route's pattern, or what an agent asked for. */
  endpoint: string;
  method: string;
  /** Null when the key was revoked before its first use was written. */
  key_name: string | null;
  count: number;
  errors: number;
  /** How many requests took how long; see billing/latency.ts. */
  latency: number[];
}
