import {
  type AgentTurn,
  type AgentTurnRequest,
  type LanguageModels,
  ModelError,
  type ModelErrorKind,
  type StoredModel,
} from '../../ai/index.ts';

/**
 * Maximum total wait in milliseconds for one turn while the model is down. Then the execution
 * fails.
 */
const MAX_MODEL_WAIT_MS = 300_000;
/**
 * Wait in milliseconds before a retry if neither the provider nor the circuit breaker states a
 * time.
 */
const DEFAULT_RETRY_WAIT_MS = 60_000;
/** Wait in milliseconds before an execution interrupted by a shutdown continues. */
const STOPPING_WAIT_MS = 1_000;
const TEMPORARY_ERRORS: readonly ModelErrorKind[] = ['rate_limited', 'unavailable', 'unreachable', 'timeout'];

/** The model is temporarily down. The execution frees its slot and continues after `waitMs`. */
export class ModelTemporarilyDown extends Error {
  readonly waitMs: number;
  readonly since: Date;
  /** Sentence for the log of the execution. */
  readonly notice: string;

  constructor({ waitMs, since, notice }: { waitMs: number; since: Date; notice: string }) {
    super(notice);
    this.name = 'ModelTemporarilyDown';
    this.waitMs = waitMs;
    this.since = since;
    this.notice = notice;
  }
}

/**
 * True if an execution that has waited since `since` may wait longer. Otherwise the execution
 * fails.
 */
export function canWaitLonger(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() < MAX_MODEL_WAIT_MS;
}

export interface TurnOptions {
  languageModels: Pick<LanguageModels, 'takeTurn' | 'isClosed' | 'waitMs'>;
  model: StoredModel;
  now: () => Date;
  /** Time of the first failure of this turn; null if the turn has not failed. */
  waitSince: Date | null;
  signal: AbortSignal;
}

/**
 * Takes one turn of an agent.
 *
 * @throws {ModelTemporarilyDown} if the model is temporarily down
 * @throws {ModelError} if the model fails for another reason
 * @throws the signal's abort reason if the signal is aborted
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
    const isPassing = error instanceof ModelError && TEMPORARY_ERRORS.includes(error.kind);
    const since = waitSince ?? now();
    if (!isPassing || signal.aborted) throw error;
    if (languageModels.isClosed) {
      const notice = 'Winnow was stopped. The run continues after the restart.';
      throw new ModelTemporarilyDown({ waitMs: STOPPING_WAIT_MS, since, notice });
    }
    if (!canWaitLonger(since, now())) throw error;
    const waitMs = languageModels.waitMs(model.id) || (error.waitMs ?? DEFAULT_RETRY_WAIT_MS);
    const notice = `${error.detail} The next attempt is in ${Math.ceil(waitMs / 1000)} s.`;
    throw new ModelTemporarilyDown({ waitMs, since, notice });
  }
}
