import type { AgentTurn, AgentTurnRequest } from '../../ai/agent-turn.ts';
import type { LanguageModels, StoredModel } from '../../ai/model.ts';
import { ModelError, type ModelErrorKind } from '../../ai/model-error.ts';

/** An execution waits this long in all for one turn of a model that is down. Then it fails. */
const PATIENCE_MS = 300_000;
/** Wait before another try where neither the provider nor the breaker names one. */
const WAIT_MS = 60_000;
/** Wait of an execution that was interrupted because Winnow stops. */
const STOPPING_WAIT_MS = 1_000;
const PASSING: readonly ModelErrorKind[] = ['rate_limited', 'unavailable', 'unreachable', 'timeout'];

/** The model is down for now: the execution gives its place back and goes on after `waitMs`. */
export class ModelAway extends Error {
  readonly waitMs: number;
  readonly since: Date;
  /** A sentence for the execution's log. */
  readonly notice: string;

  constructor({ waitMs, since, notice }: { waitMs: number; since: Date; notice: string }) {
    super(notice);
    this.name = 'ModelAway';
    this.waitMs = waitMs;
    this.since = since;
    this.notice = notice;
  }
}

/** True while an execution that waits since then should wait on rather than fail. */
export function isPatient(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() < PATIENCE_MS;
}

export interface TurnOptions {
  languageModels: Pick<LanguageModels, 'takeTurn' | 'isClosed' | 'waitMs'>;
  model: StoredModel;
  now: () => Date;
  /** When this turn failed first; null if it has not. */
  waitSince: Date | null;
  signal: AbortSignal;
}

/**
 * Takes one turn of an agent.
 *
 * @throws {ModelAway} when the model is down and may be back soon. {@link ModelError} when it gives no answer otherwise. The
 * signal's reason.
 */
export async function takeTurn(
  { languageModels, model, now, waitSince, signal }: TurnOptions,
  accountId: string,
  prompt: string,
  request: AgentTurnRequest,
): Promise<AgentTurn> {
  try {
    return await languageModels.takeTurn(accountId, model, 'flow', prompt, request, signal);
  } catch (error) {
    const isPassing = error instanceof ModelError && PASSING.includes(error.kind);
    const since = waitSince ?? now();
    if (!isPassing || signal.aborted) throw error;
    if (languageModels.isClosed) {
      const notice = 'Winnow was stopped; it goes on when it is started again.';
      throw new ModelAway({ waitMs: STOPPING_WAIT_MS, since, notice });
    }
    if (!isPatient(since, now())) throw error;
    const waitMs = languageModels.waitMs(model.id) || (error.waitMs ?? WAIT_MS);
    const notice = `${error.detail} It is asked again in ${Math.ceil(waitMs / 1000)} s.`;
    throw new ModelAway({ waitMs, since, notice });
  }
}
