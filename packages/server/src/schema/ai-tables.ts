import type { AiProvider } from '@winnow/contract/ai-model';
import type { AiFeature } from '@winnow/contract/usage';
import type { Generated } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

/** A language model of an account. At most one is the default; without one, the built-in analyst works. */
export interface AiModelTable {
  account_id: string;
  id: string;
  name: string;
  provider_name: AiProvider;
  model_identifier: string;
  api_url: string;
  /** The API key, sealed; null where none is needed. */
  sealed_key: Buffer | null;
  is_default: boolean;
  /** Its address and key are those that the operator's configuration has for its name. */
  is_offered: Generated<boolean>;
  /** US dollars per million tokens as the account entered them; null to use the list. */
  price_input: number | null;
  price_output: number | null;
  /** Null where cached input costs as much as other input. */
  price_cached_input: number | null;
  /** Maximum calls in a calendar month (UTC); null for no cap. */
  monthly_call_cap: number | null;
  /** Maximum cost in a calendar month, in US dollars; null for no cap. */
  monthly_cost_cap: number | null;
  created_at: InstantByDefault;
}

/** How the calls of a model ended lately. No row until the first call. */
export interface AiModelHealthTable {
  account_id: string;
  ai_model_id: string;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  /** A sentence for a person. */
  last_failure: string | null;
  /** When `failures_in_row` was last raised. Calls that began before count as the same failure. */
  counted_failure_at: Instant | null;
  failures_in_row: Generated<number>;
  paused_at: Instant | null;
  /** When one call is let through to see whether the model works again; null where only a person can resume it. */
  paused_until: Instant | null;
}

/** What a model was used for in a period that resets by itself. */
export interface AiModelUseTable {
  account_id: string;
  ai_model_id: string;
  /** `month`: all calls, for the caps. `hour_of_lists`: calls that opening a list made. */
  period: 'month' | 'hour_of_lists';
  starts_at: Instant;
  calls: number;
  /** US dollars, as far as prices are known. */
  cost: Generated<number>;
  /** A call was refused in this period because of a cap. */
  is_full: Generated<boolean>;
}

/** The last test of a connection failed. A test that succeeds removes the row. */
export interface AiModelFailedTestTable {
  account_id: string;
  provider_name: AiProvider;
  api_url: string;
  model_identifier: string;
  failed_at: Instant;
  detail: string;
}

/** What a question to a language model took. It outlives the model, and holds nothing of what was asked or answered. */
export interface AiCallTable {
  account_id: string;
  id: string;
  at: Instant;
  feature: AiFeature;
  /** Null for a model that was only tried out. */
  ai_model_id: string | null;
  model_name: string;
  provider_name: AiProvider;
  model_identifier: string;
  /** Name and version of the prompt. */
  prompt: string;
  answers: number;
  input_tokens: number | null;
  output_tokens: number | null;
  /** US dollars by the provider's list; null where that is not known. */
  cost: number | null;
  duration_ms: number;
  outcome: string;
}
