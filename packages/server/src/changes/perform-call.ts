import { upstreamMessage } from '../platform/errors.ts';
import { truncateWithCount } from '../platform/text.ts';
import type { StepMemory } from '../schema/change-tables.ts';
import type { ActionHandler } from './action-handler.ts';
import { plannedStep } from './saved-plan.ts';
import type { StepRow } from './store.ts';

/** Maximum length of an external tool's response that is stored, in UTF-16 code units. */
const MAX_STORED_ANSWER_CHARS = 4_000;

/** A call of an external tool failed, or its outcome is unknown. The call is not retried. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** Response of the tool; null if there is none. */
  readonly answer: string | null;

  constructor(sentence: string, answer: string | null) {
    super(sentence);
    this.answer = answer;
  }
}

/**
 * Calls an external tool and returns the data to store with its step. A call that was already
 * started is not repeated, because no server reports whether it took effect.
 *
 * @throws {CallFailed | AppError}
 */
export async function performCall(
  handler: ActionHandler,
  accountId: string,
  step: StepRow,
  { begun, signal }: { begun: boolean; signal: AbortSignal },
): Promise<StepMemory> {
  if (begun) {
    throw new CallFailed(
      `It is unknown whether ${step.target_key} was called, because Winnow was interrupted. Check its effect before you call it again.`,
      null,
    );
  }
  const { text, isError } = await handler.perform(accountId, plannedStep(step), signal);
  const answer = truncateWithCount(text.toWellFormed(), MAX_STORED_ANSWER_CHARS);
  if (isError) throw new CallFailed(upstreamMessage(text), answer);
  return { ...step.result, answer };
}
