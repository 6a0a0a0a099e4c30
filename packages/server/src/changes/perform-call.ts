import { sentenceSaid } from '../platform/errors.ts';
import { beginningOf } from '../platform/text.ts';
import type { StepMemory } from '../schema/change-tables.ts';
import type { ActionHandler } from './action-handler.ts';
import { plannedStep } from './saved-plan.ts';
import type { StepRow } from './store.ts';

/** The most that is kept of what an outside tool answered, in UTF-16 code units. */
const LONGEST_KEPT = 4_000;

/** A call of an outside tool failed, or it is not known whether it was made; it is not made again. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** What the tool answered; null where that is not known. */
  readonly answer: string | null;

  constructor(sentence: string, answer: string | null) {
    super(sentence);
    this.answer = answer;
  }
}

/**
 * Has an outside tool called, and answers what its step is to remember. One that was begun before may have been called, and
 * no server tells, so it is not called again. @throws {CallFailed | AppError}
 */
export async function performCall(
  handler: ActionHandler,
  accountId: string,
  step: StepRow,
  { begun, signal }: { begun: boolean; signal: AbortSignal },
): Promise<StepMemory> {
  if (begun) {
    throw new CallFailed(
      `It is not known whether ${step.target_key} was called, since the work was interrupted. Look there before you have it called again.`,
      null,
    );
  }
  const { text, isError } = await handler.perform(accountId, plannedStep(step), signal);
  const answer = beginningOf(text.toWellFormed(), LONGEST_KEPT);
  if (isError) throw new CallFailed(sentenceSaid(text), answer);
  return { ...step.result, answer };
}
