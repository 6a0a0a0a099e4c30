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
  created_at: InstantByDefault;
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
