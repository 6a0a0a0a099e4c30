import { randomUUID } from 'node:crypto';
import type { AiFeature } from '@winnow/contract/usage';
import { addUsage } from '../billing/usage/counters.ts';
import type { Db } from '../schema/tables.ts';
import type { ModelConnection } from './model.ts';
import type { ModelErrorKind } from './model-error.ts';
import { costOf, type TokenCounts } from './prices.ts';

/** What one question to a model took, with its repetitions. Nothing of what was asked or answered is in it. */
export interface AiCall {
  accountId: string;
  feature: AiFeature;
  model: Pick<ModelConnection, 'id' | 'name' | 'provider' | 'identifier' | 'price'>;
  /** Name and version of the prompt. */
  prompt: string;
  /** How often the model answered: 0 when it failed each time, 2 when its first answer could not be used. */
  answers: number;
  /** Null where the model did not say. */
  tokens: TokenCounts;
  durationMs: number;
  outcome: 'answered' | Exclude<ModelErrorKind, 'plan_limit'>;
  at: Date;
}

/** What the columns of tokens hold. */
const MOST_TOKENS = 2_147_483_647;

/** Writes down a call, and counts its answers, which plans limit by. Numbers of tokens that cannot be are not known. */
export async function recordCall(db: Db, call: AiCall): Promise<void> {
  const { accountId, model, at } = call;
  const { cachedInput = null } = call.tokens;
  const tokens = {
    input: possible(call.tokens.input),
    output: possible(call.tokens.output),
    cachedInput: possible(cachedInput),
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

function possible(tokens: number | null): number | null {
  return Number.isInteger(tokens) && tokens !== null && tokens >= 0 && tokens <= MOST_TOKENS ? tokens : null;
}
