import { setTimeout as pause } from 'node:timers/promises';
import { createLimiter } from '../platform/limiter.ts';
import type { Log } from '../platform/log.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import { ModelError } from './model-error.ts';

/**
 * Duration of a claim on a question in progress. If the claiming process crashes, another process
 * can ask the question after this time.
 */
const CLAIM_MS = 15_000;
/** Interval at which a process renews its claim while the question is running. */
const CLAIM_RENEWAL_MS = 5_000;
/**
 * Pauses before a failed question is asked again. Short after a failure of the model; long after an
 * unusable answer, which is likely to recur.
 */
const MODEL_FAILURE_PAUSE_MS = 60_000;
const BAD_ANSWER_PAUSE_MS = 3_600_000;
/** Maximum concurrent questions per account in one process. */
const MAX_CONCURRENT_QUESTIONS = 4;

/** A question to a language model. */
export interface Question {
  /**
   * Id of the issue or pair that the question is about. It stays the same when the wording changes.
   */
  readonly about: string;
  /** SHA-256 of everything the answer depends on. */
  readonly questionHash: Buffer;
}

/** Stored state of a question. */
export interface StoredInference<Stored> {
  /** Hash of the question when it was last asked. */
  questionHash: Buffer;
  /**
   * The question must not be asked before this time, because it is in progress or has just failed.
   */
  askedUntil: Date;
  hasFailed: boolean;
  /**
   * The newest answer, and the hash of the question that produced it; null before the first answer.
   */
  answered: { as: Buffer; answer: Stored } | null;
}

/**
 * Storage of questions and answers. `Stored` extends `Answer` by the fields that the storage adds.
 */
export interface InferenceStore<Asked extends Question, Answer, Stored extends Answer = Answer> {
  /**
   * Returns the stored state of each question, in the same order. A state may belong to an earlier
   * form of the question, with a different hash.
   */
  findInferences(
    accountId: string,
    questions: readonly Asked[],
  ): Promise<(StoredInference<Stored> | undefined)[]>;
  /**
   * Claims a question until `until`. Returns false if the question has an answer, is claimed, or
   * has just failed, or if its subject was deleted.
   */
  claim(accountId: string, question: Asked, time: { now: Date; until: Date }): Promise<boolean>;
  /** Extends a claim until `until`. A time in the past releases it. */
  hold(accountId: string, question: Asked, until: Date): Promise<void>;
  /** Stores an answer, unless the question has changed since. */
  save(accountId: string, question: Asked, answer: Answer): Promise<void>;
  /** Stores a failure. The question must not be asked again before `until`. */
  fail(accountId: string, question: Asked, until: Date): Promise<void>;
}

/**
 * State of a question. `unasked`: the selector skipped the question. `stale`: the answer belongs to
 * an earlier form of the question.
 */
export type InferenceState<Stored> =
  | { state: 'checking' | 'failed' | 'unasked' }
  | { state: 'answered'; answer: Stored; stale: boolean };

/** Selects the questions to ask and their order. `open` contains no questions in progress. */
export type QuestionSelector<Asked extends Question> = (open: readonly Asked[]) => Promise<readonly Asked[]>;

export interface InferenceCacheOptions<Asked extends Question, Answer, Stored extends Answer = Answer> {
  store: InferenceStore<Asked, Answer, Stored>;
  /**
   * Asks the model.
   * @throws {ModelError}
   */
  ask: (accountId: string, question: Asked, signal: AbortSignal) => Promise<Answer>;
  /** Called when an answer or a failure was stored. */
  onAnswered: (accountId: string) => Promise<void>;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

/**
 * Cache of language model answers. Each question is asked once. All callers share the stored answer
 * until the inputs of the question change.
 */
export class InferenceCache<Asked extends Question, Answer, Stored extends Answer = Answer> {
  readonly #options: InferenceCacheOptions<Asked, Answer, Stored>;
  readonly #limiter = createLimiter({ concurrency: MAX_CONCURRENT_QUESTIONS });
  readonly #selections = createLimiter({ concurrency: 1 });
  readonly #running = new SingleFlight<ModelError | null>();
  readonly #stop = new AbortController();

  constructor(options: InferenceCacheOptions<Asked, Answer, Stored>) {
    this.#options = options;
  }

  /**
   * Returns the state of each question. Asks the open questions that `select` returns; by default
   * all of them. Waits for these answers, and for questions in progress, until `late` resolves.
   * Later answers are reported by `onAnswered`.
   */
  async resolve(
    accountId: string,
    questions: readonly Asked[],
    late: Promise<unknown>,
    select: QuestionSelector<Asked> = async (open) => open,
  ): Promise<InferenceState<Stored>[]> {
    const before = await this.#read(accountId, questions);
    const open = before.filter(({ state }) => isOpen(state));
    // Only one caller selects at a time. Otherwise two equal lists would both pay for the same
    // question.
    const underWay =
      open.length === 0
        ? new Map<Asked, Promise<unknown>>()
        : await this.#selections.run(accountId, () => this.#askSelected(accountId, open, select));
    if (underWay.size > 0) await Promise.race([Promise.all(underWay.values()), late]);
    const after = underWay.size > 0 ? await this.#read(accountId, questions) : before;
    return after.map(({ question, state, isBeingAsked }) =>
      isOpen(state) && !isBeingAsked && !underWay.has(question) ? { state: 'unasked' } : state,
    );
  }

  /**
   * Asks the questions that `select` returns. Returns a promise for each open question that this
   * process is asking, including questions asked by earlier calls.
   */
  async #askSelected(
    accountId: string,
    open: readonly ReadQuestion<Asked, Stored>[],
    select: QuestionSelector<Asked>,
  ): Promise<Map<Asked, Promise<unknown>>> {
    const underWay = new Map<Asked, Promise<unknown>>();
    const selectable: Asked[] = [];
    for (const { question, isBeingAsked } of open) {
      const running = this.#running.running(runningKey(accountId, question));
      if (running !== undefined) underWay.set(question, running);
      else if (!isBeingAsked) selectable.push(question);
    }
    for (const question of selectable.length === 0 ? [] : await select(selectable)) {
      underWay.set(question, this.ask(accountId, question));
    }
    return underWay;
  }

  /** Returns the stored state of each question without asking any question. */
  async readStored(accountId: string, questions: readonly Asked[]): Promise<InferenceState<Stored>[]> {
    return (await this.#read(accountId, questions)).map(({ state }) => state);
  }

  /**
   * Asks a question unless it has an answer or is in progress. Returns the model's failure, if any.
   * Never rejects: other errors are logged, and the question can be asked again after its claim
   * ends.
   */
  ask(accountId: string, question: Asked): Promise<ModelError | null> {
    return this.#running.run(runningKey(accountId, question), () => this.#askLogged(accountId, question));
  }

  /** Throws if the cache is closed: missing answers will then not arrive. */
  throwIfStopped(): void {
    this.#stop.signal.throwIfAborted();
  }

  /**
   * Stops asking. Releases the claims on questions in progress, and waits until these questions
   * end.
   */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running.settled();
  }

  async #askLogged(accountId: string, question: Asked): Promise<ModelError | null> {
    const { signal } = this.#stop;
    try {
      return await this.#limiter.run(accountId, () => this.#ask(accountId, question), { signal });
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ error }, 'Could not process a model question.');
      return null;
    }
  }

  async #ask(accountId: string, question: Asked): Promise<ModelError | null> {
    const { store, ask, now, onAnswered } = this.#options;
    const after = (ms: number) => new Date(now().getTime() + ms);
    if (!(await store.claim(accountId, question, { now: now(), until: after(CLAIM_MS) }))) return null;
    const { signal } = this.#stop;
    const answered = new AbortController();
    const holding = this.#hold(accountId, question, AbortSignal.any([answered.signal, signal]));
    try {
      const answer = await ask(accountId, question, signal).finally(async () => {
        answered.abort();
        await holding;
      });
      await store.save(accountId, question, answer);
      await onAnswered(accountId);
      return null;
    } catch (error) {
      if (signal.aborted) {
        await store.hold(accountId, question, now());
        return null;
      }
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === 'over_budget') {
        // Releases the claim, because another caller may have enough budget for the question.
        await store.hold(accountId, question, now());
        await onAnswered(accountId);
        return error;
      }
      const pauseMs = error.concernsModel ? MODEL_FAILURE_PAUSE_MS : BAD_ANSWER_PAUSE_MS;
      await store.fail(accountId, question, after(pauseMs));
      await onAnswered(accountId);
      return error;
    }
  }

  /** Renews the claim on a question until the signal is aborted. */
  async #hold(accountId: string, question: Asked, signal: AbortSignal): Promise<void> {
    const { store, now, log } = this.#options;
    for (;;) {
      await pause(CLAIM_RENEWAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await store.hold(accountId, question, new Date(now().getTime() + CLAIM_MS));
      } catch (error) {
        log.warn({ error }, 'Could not renew the claim on a model question.');
      }
    }
  }

  async #read(accountId: string, questions: readonly Asked[]): Promise<ReadQuestion<Asked, Stored>[]> {
    const { store, now } = this.#options;
    const stored = await store.findInferences(accountId, questions);
    return questions.map((question, index) => ({
      question,
      state: stateOf(stored[index], question.questionHash, now()),
      isBeingAsked: isBeingAsked(stored[index], question.questionHash, now()),
    }));
  }
}

interface ReadQuestion<Asked, Stored> {
  question: Asked;
  state: InferenceState<Stored>;
  /** True if this or another process has asked the question and awaits its answer. */
  isBeingAsked: boolean;
}

function runningKey(accountId: string, { about, questionHash }: Question): string {
  return `${accountId} ${about} ${questionHash.toString('hex')}`;
}

function isBeingAsked(
  stored: StoredInference<unknown> | undefined,
  questionHash: Buffer,
  now: Date,
): boolean {
  if (stored === undefined || stored.hasFailed || stored.answered?.as.equals(questionHash)) return false;
  return stored.questionHash.equals(questionHash) && stored.askedUntil > now;
}

function stateOf<Stored>(
  stored: StoredInference<Stored> | undefined,
  questionHash: Buffer,
  now: Date,
): InferenceState<Stored> {
  if (stored === undefined) return { state: 'checking' };
  const { answered } = stored;
  const isAnswered = answered?.as.equals(questionHash) === true;
  if (
    !isAnswered &&
    stored.hasFailed &&
    stored.questionHash.equals(questionHash) &&
    stored.askedUntil > now
  ) {
    return { state: 'failed' };
  }
  if (answered === null) return { state: 'checking' };
  return { state: 'answered', answer: answered.answer, stale: !isAnswered };
}

/** True if asking the question now could produce a new answer. */
export function isOpen(state: InferenceState<unknown> | undefined): boolean {
  if (state?.state === 'answered') return state.stale;
  return state?.state !== 'failed';
}
