import type { AiProvider } from '@winnow/contract/ai-model';
import type { AiFeature } from '@winnow/contract/usage';
import type { Generated } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/**
 * A language model of an account. At most one model of an account is the default. Without a
 * default, the built-in analyst is used.
 */
export interface AiModelTable {
  account_id: string;
  id: string;
  name: string;
  provider_name: AiProvider;
  model_identifier: string;
  api_url: string;
  /** Encrypted API key. Null if the model needs none. */
  sealed_key: Buffer | null;
  is_default: boolean;
  /**
   * True if the operator offers the model. Its address and key are then read from the
   * configuration, not from this row.
   */
  is_offered: Generated<boolean>;
  /**
   * Price that the user entered, in US dollars per million tokens. Null: the price list applies.
   */
  price_input: number | null;
  price_output: number | null;
  /** Price of cached input. Null if cached input costs as much as other input. */
  price_cached_input: number | null;
  /** Maximum calls in a calendar month (UTC). Null: no limit. */
  monthly_call_cap: number | null;
  /** Maximum cost in a calendar month, in US dollars. Null: no limit. */
  monthly_cost_cap: number | null;
  created_at: InstantByDefault;
}

/** Recent successes and failures of a model's calls. The row is created by the first call. */
export interface AiModelHealthTable {
  account_id: string;
  ai_model_id: string;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  /** Error message of the last failure, for the user. */
  last_failure: string | null;
  /**
   * Time when `failures_in_row` was last increased. A failed call that began before this time does
   * not increase it again.
   */
  counted_failure_at: Instant | null;
  failures_in_row: Generated<number>;
  paused_at: Instant | null;
  /**
   * Time from which one call may test if the paused model works again. Null if only the user can
   * resume the model.
   */
  paused_until: Instant | null;
}

/** Number and cost of a model's calls in its current period. The next period overwrites the row. */
export interface AiModelUseTable {
  account_id: string;
  ai_model_id: string;
  /**
   * `month` counts all calls, for the monthly limits. `hour_of_lists` counts calls in an hour that
   * were caused by opening a list.
   */
  period: 'month' | 'hour_of_lists';
  starts_at: Instant;
  calls: number;
  /** Cost in US dollars, without calls whose price is unknown. */
  cost: Generated<number>;
  /** True if a limit was reached in this period, so that a call was refused. */
  is_full: Generated<boolean>;
}

/** Connection to a model whose last test failed. A successful test deletes the row. */
export interface AiModelFailedTestTable {
  account_id: string;
  provider_name: AiProvider;
  api_url: string;
  model_identifier: string;
  failed_at: Instant;
  detail: string;
}

/**
 * Statistics of one call to a language model, without its content. The row remains if the model is
 * deleted.
 */
export interface AiCallTable {
  account_id: string;
  id: string;
  at: Instant;
  feature: AiFeature;
  /** Null if the call only tested a model that was not saved. */
  ai_model_id: string | null;
  model_name: string;
  provider_name: AiProvider;
  model_identifier: string;
  /** Name and version of the prompt that the call used. */
  prompt: string;
  answers: number;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Cost in US dollars by the price list. Null if the price is unknown. */
  cost: number | null;
  duration_ms: number;
  outcome: string;
}
