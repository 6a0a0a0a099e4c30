import type { AiProvider } from '@winnow/contract/ai-model';
import type { AiFeature } from '@winnow/contract/usage';
import type { Generated } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/**
 * A language model of an account. At most one is the default; without one, the built-in analyst is
 * used.
 */
export interface AiModelTable {
  account_id: string;
  id: string;
  name: string;
  provider_name: AiProvider;
  model_identifier: string;
  api_url: string;
  /** The API key, sealed. Null if none is needed. */
  sealed_key: Buffer | null;
  is_default: boolean;
  /** True if the operator offers the model: its address and key come from the configuration. */
  is_offered: Generated<boolean>;
  /** US dollars per million tokens, entered by the user. Null: the price list is used. */
  price_input: number | null;
  price_output: number | null;
  /** Null if cached input costs as much as other input. */
  price_cached_input: number | null;
  /** Maximum calls in a calendar month (UTC); null for no cap. */
  monthly_call_cap: number | null;
  /** Maximum cost in a calendar month, in US dollars; null for no cap. */
  monthly_cost_cap: number | null;
  created_at: InstantByDefault;
}

/** Recent outcomes of a model's calls. No row until the first call. */
export interface AiModelHealthTable {
  account_id: string;
  ai_model_id: string;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  /** Error sentence for the user. */
  last_failure: string | null;
  /**
   * Time when `failures_in_row` was last raised. Failures of calls that began before it do not
   * raise it again.
   */
  counted_failure_at: Instant | null;
  failures_in_row: Generated<number>;
  paused_at: Instant | null;
  /**
   * Time when a single call may test whether the model has recovered. Null if only the user can
   * resume the model.
   */
  paused_until: Instant | null;
}

/** Calls and cost of a model in the current period. A later period overwrites them. */
export interface AiModelUseTable {
  account_id: string;
  ai_model_id: string;
  /** `month`: all calls, for the caps. `hour_of_lists`: calls caused by opening a list. */
  period: 'month' | 'hour_of_lists';
  starts_at: Instant;
  calls: number;
  /** US dollars, as far as prices are known. */
  cost: Generated<number>;
  /** True if a call was refused in this period because of a cap. */
  is_full: Generated<boolean>;
}

/** A connection whose last test failed. A successful test deletes the row. */
export interface AiModelFailedTestTable {
  account_id: string;
  provider_name: AiProvider;
  api_url: string;
  model_identifier: string;
  failed_at: Instant;
  detail: string;
}

/** Statistics of a call to a language model, without its content. Rows outlive the model. */
export interface AiCallTable {
  account_id: string;
  id: string;
  at: Instant;
  feature: AiFeature;
  /** Null for a model that was only tested. */
  ai_model_id: string | null;
  model_name: string;
  provider_name: AiProvider;
  model_identifier: string;
  /** Name and version of the prompt. */
  prompt: string;
  answers: number;
  input_tokens: number | null;
  output_tokens: number | null;
  /** US dollars by the price list. Null if the price is unknown. */
  cost: number | null;
  duration_ms: number;
  outcome: string;
}
