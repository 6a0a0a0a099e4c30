import { setTimeout as pause } from 'node:timers/promises';
import type { AgentTurn, AgentTurnRequest } from '../../ai/agent-turn.ts';
import type { LanguageModels, StoredModel } from '../../ai/model.ts';
import { ModelError, type ModelErrorKind } from '../../ai/model-error.ts';
import type { Journal } from './journal.ts';

/** A model that is busy or away is asked so often, each time as soon as it may be, or after a minute. */
const TRIES = 4;
const WAIT_MS = 60_000;
const PASSING: readonly ModelErrorKind[] = ['rate_limited', 'unavailable', 'unreachable', 'timeout'];

/**
 * A turn of an agent; of a model that cannot answer just now it is asked for again, and the log says so.
 *
 * @throws {ModelError} when the model gives no answer all the same. The signal's reason.
 */
export async function takeTurnPatiently(
  {
    languageModels,
    model,
    journal,
    signal,
  }: {
    languageModels: Pick<LanguageModels, 'takeTurn' | 'isClosed'>;
    model: StoredModel;
    journal: Journal;
    signal: AbortSignal;
  },
  accountId: string,
  prompt: string,
  request: AgentTurnRequest,
): Promise<AgentTurn> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await languageModels.takeTurn(accountId, model, 'flow', prompt, request, signal);
    } catch (error) {
      const isPassing = error instanceof ModelError && PASSING.includes(error.kind);
      if (!isPassing || tries === TRIES || signal.aborted) throw error;
      const waitMs = error.waitMs ?? WAIT_MS;
      const notice = languageModels.isClosed
        ? 'Winnow was stopped; it goes on when it is started again.'
        : `${error.detail} It is asked again in ${Math.ceil(waitMs / 1000)} s.`;
      await journal.log('status', { notice });
      await pause(waitMs, undefined, { signal });
    }
  }
}
