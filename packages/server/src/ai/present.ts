import type { AiModel, ModelAgreement, ModelHealth, ModelState } from '@winnow/contract/ai-model';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { isCapped } from './model-caps.ts';
import { canProbe, type HealthRow } from './model-health.ts';
import type { ModelUseRow } from './model-use-store.ts';
import type { Price } from './prices.ts';
import type { AiModelRow } from './store.ts';

/** A model with its health and its use this month. */
export interface UsedModel {
  row: AiModelRow;
  health: HealthRow | undefined;
  use: ModelUseRow | undefined;
}

/** A model with all data that the API response needs. */
export interface ShownModel extends UsedModel {
  price: Price | null;
  /**
   * Agreement of the model's verdicts with people's decisions; null if no pairs can be compared.
   */
  agreement: ModelAgreement | null;
}

/**
 * Converts a model to its API form. Omits the sealed key, and the address if the operator offers
 * the model.
 */
export function presentAiModel(shown: ShownModel): AiModel {
  const { row: model, price, agreement } = shown;
  return {
    id: model.id,
    name: model.name,
    provider_name: model.provider_name,
    model_identifier: model.model_identifier,
    api_url: model.is_offered ? '' : model.api_url,
    has_api_key: model.is_offered || model.sealed_key !== null,
    is_default: model.is_default,
    is_offered: model.is_offered,
    price: price && presentPrice(price),
    monthly_call_cap: model.monthly_call_cap,
    monthly_cost_cap: model.monthly_cost_cap,
    health: presentHealth(shown),
    agreement: agreement && {
      pairs: agreement.pairs,
      agreed: agreement.agreed,
      built_in_agreed: agreement.built_in_agreed,
    },
    created_at: model.created_at.toISOString(),
  };
}

export function presentPrice({
  input,
  output,
  cachedInput,
  source,
  asOf,
}: Price): NonNullable<AiModel['price']> {
  return { input, output, cached_input: cachedInput, source, as_of: asOf };
}

/** Derives the state of a model from its health and its use this month. */
export function stateOf({ row, health, use }: UsedModel): ModelState {
  if (health?.paused_at) return 'paused';
  if (isCapped({ calls: row.monthly_call_cap, cost: row.monthly_cost_cap }, use)) return 'capped';
  if (health === undefined) return 'unused';
  return health.failures_in_row > 0 ? 'failing' : 'ok';
}

/** True if no questions are sent to the model at present. */
export function isUnavailable(shown: UsedModel, now: Date): boolean {
  const state = stateOf(shown);
  if (state === 'paused') return shown.health === undefined || !canProbe(shown.health, now);
  return state === 'capped';
}

function presentHealth(shown: UsedModel): ModelHealth {
  const { row, health, use } = shown;
  const state = stateOf(shown);
  const isReplaced = row.is_default && state !== 'ok' && state !== 'unused';
  return {
    state,
    last_success_at: health?.last_success_at?.toISOString() ?? null,
    last_failure_at: health?.last_failure_at?.toISOString() ?? null,
    last_failure: health?.last_failure ?? null,
    failures_in_row: health?.failures_in_row ?? 0,
    paused_at: health?.paused_at?.toISOString() ?? null,
    paused_until: health?.paused_until?.toISOString() ?? null,
    used_instead: isReplaced ? BUILT_IN_ANALYST : null,
    month: { calls: use?.calls ?? 0, cost: Math.round((use?.cost ?? 0) * 1e6) / 1e6 },
  };
}
