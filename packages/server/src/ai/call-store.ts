import { randomUUID } from 'node:crypto';
import type { AiFeature } from '@winnow/contract/usage';
import { addUsage } from '../billing/index.ts';
import type { Db } from '../schema/tables.ts';
import type { ModelConnection } from './model.ts';
import type { ModelErrorKind } from './model-error.ts';
import { costOf, type TokenCounts } from './prices.ts';

/**
 * Record of one question to a model, including retries. Contains neither the prompt nor the
 * response.
 */
export interface AiCall {
  accountId: string;
  feature: AiFeature;
  model: Pick<ModelConnection, 'id' | 'name' | 'provider' | 'identifier' | 'price'>;
  /** Name and version of the prompt. */
  prompt: string;
  /**
   * Number of model responses: 0 if every attempt failed; 2 if the first answer was unusable and
   * the model was asked again.
   */
  answers: number;
  /** Null if the model did not report tokens. */
  tokens: TokenCounts;
  durationMs: number;
  outcome: 'answered' | Exclude<ModelErrorKind, 'plan_limit'>;
  at: Date;
}

/** Maximum value of the token columns. */
const MAX_TOKEN_COUNT = 2_147_483_647;

/**
 * Stores a call and adds its responses to the usage that plans limit. Implausible token counts are
 * stored as null.
 */
export async function recordCall(db: Db, call: AiCall): Promise<void> {
  const { accountId, model, at } = call;
  const { cachedInput = null } = call.tokens;
  const tokens = {
    input: plausible(call.tokens.input),
    output: plausible(call.tokens.output),
    cachedInput: plausible(cachedInput),
  };
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('ai_call')
      .values({
        account_id: accountId,
        id: randomUUID(),
        at,
        feature: call.feature,
        ai_model_id: model.id,
        model_name: model.name,
        provider_name: model.provider,
        model_identifier: model.identifier,
        prompt: call.prompt,
        answers: call.answers,
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        cost: costOf(model.price, tokens),
        duration_ms: Math.round(call.durationMs),
        outcome: call.outcome,
      })
      .execute();
    await addUsage(transaction, accountId, 'ai_calls', call.answers, at);
  });
}

function plausible(tokens: number | null): number | null {
  return Number.isInteger(tokens) && tokens !== null && tokens >= 0 && tokens <= MAX_TOKEN_COUNT
    ? tokens
    : null;
}
