import { setTimeout as pause } from 'node:timers/promises';
import { createLimiter } from '../platform/limiter.ts';
import type { Log } from '../platform/log.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import { ModelError } from './model-error.ts';

/** Who died while a question was under way keeps others from asking it no longer than this… */
const CLAIM_MS = 15_000;
/** …so who lives says so this often. */
const HOLD_EVERY_MS = 5_000;
/** When a model could not be asked, the same is asked again after this; when it gave no answer to this question, later. */
const AGAIN_AFTER_MS = 60_000;
const AGAIN_ABOUT_SAME_AFTER_MS = 3_600_000;
/** Questions of one account at a time, in one process. */
const ASKED_AT_ONCE = 4;

/** What a language model is asked. */
export interface Question {
  /** What it is about, in whatever form it is asked. */
  readonly about: string;
  /** SHA-256 of all that the answer depends on. */
  readonly askedAs: Buffer;
}

/** What is kept of a question. */
export interface Kept<Stored> {
  /** The form in which it was asked last. */
  askedAs: Buffer;
  /** Until then nobody else asks the same: it is under way, or has just failed. */
  askedUntil: Date;
  hasFailed: boolean;
  /** The newest answer, and the form of the question that got it. */
  answered: { as: Buffer; answer: Stored } | null;
}

/** Where answers are kept; `Stored` is an answer with what storing adds to it. */
export interface AnswerStore<Asked extends Question, Answer, Stored extends Answer = Answer> {
  /** What is kept of each question, in whatever form it was asked, in their order. */
  find(accountId: string, questions: readonly Asked[]): Promise<(Kept<Stored> | undefined)[]>;
  /**
   * Takes it on to have a question answered, until `until`. False when it is answered already, somebody else has taken it
   * on, it has just failed, or what it is about is gone.
   */
  claim(accountId: string, question: Asked, time: { now: Date; until: Date }): Promise<boolean>;
  /** Stays the one who has a question answered, until `until`; a time that has come gives it back. */
  hold(accountId: string, question: Asked, until: Date): Promise<void>;
  /** Keeps an answer, if that is still what is asked. */
  save(accountId: string, question: Asked, answer: Answer): Promise<void>;
  /** Remembers until when there is no use in asking the same again. */
  fail(accountId: string, question: Asked, until: Date): Promise<void>;
}

/**
 * How a question stands: being asked, failed, not asked (the caller's allowance did not suffice), or answered, perhaps in an
 * earlier form of it.
 */
export type Standing<Stored> =
  | { state: 'checking' | 'failed' | 'unasked' }
  | { state: 'answered'; answer: Stored; stale: boolean };

/** Of this many questions that are open, how many may be asked. */
export type Allowance = (open: number) => Promise<number>;
const EVERYTHING: Allowance = async (open) => open;

export interface AskingOptions<Asked extends Question, Answer, Stored extends Answer = Answer> {
  store: AnswerStore<Asked, Answer, Stored>;
  /** Has a question answered. @throws {ModelError} */
  ask: (accountId: string, question: Asked, signal: AbortSignal) => Promise<Answer>;
  /** Told when there is more to see. */
  onAnswered: (accountId: string) => Promise<void>;
  now: () => Date;
  log: Pick<Log, 'warn'>;
}

/** Answers of language models: each is asked for once, kept while what it depends on stays, and shared by all who ask. */
export class Asking<Asked extends Question, Answer, Stored extends Answer = Answer> {
  readonly #options: AskingOptions<Asked, Answer, Stored>;
  readonly #places = createLimiter({ concurrency: ASKED_AT_ONCE });
  readonly #running = new SingleFlight<ModelError | null>();
  readonly #stop = new AbortController();

  constructor(options: AskingOptions<Asked, Answer, Stored>) {
    this.#options = options;
  }

  /**
   * Returns how each question stands. Asks what was not asked before, as far as `allow` lets it; `onAnswered` reports what is
   * not answered when `late` resolves.
   */
  async look(
    accountId: string,
    questions: readonly Asked[],
    late: Promise<unknown>,
    allow: Allowance = EVERYTHING,
  ): Promise<Standing<Stored>[]> {
    const before = await this.#read(accountId, questions);
    const open = questions.filter((_question, index) => isOpen(before[index]));
    if (open.length === 0) return before;
    const asked = open.slice(0, await allow(open.length));
    await Promise.race([Promise.all(asked.map((question) => this.ask(accountId, question))), late]);
    const after = await this.#read(accountId, questions);
    const left = new Set(open.slice(asked.length));
    return after.map((standing, index) => {
      const question = questions[index];
      return question !== undefined && left.has(question) && isOpen(standing)
        ? { state: 'unasked' }
        : standing;
    });
  }

  /** Returns how each question stands, without asking any. */
  known(accountId: string, questions: readonly Asked[]): Promise<Standing<Stored>[]> {
    return this.#read(accountId, questions);
  }

  /**
   * Has a question answered, unless that is done or under way. Answers the model's failure, if it failed; never rejects:
   * what went wrong here is logged, and the same can be asked again soon.
   */
  ask(accountId: string, question: Asked): Promise<ModelError | null> {
    const key = `${accountId} ${question.about} ${question.askedAs.toString('hex')}`;
    return this.#running.run(key, () => this.#askLogged(accountId, question));
  }

  /** Rejects what goes on as if everything had been asked, though asking was stopped. */
  throwIfStopped(): void {
    this.#stop.signal.throwIfAborted();
  }

  /** Stops asking, gives back what is under way, and waits for that. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running.settled();
  }

  async #askLogged(accountId: string, question: Asked): Promise<ModelError | null> {
    const { signal } = this.#stop;
    try {
      return await this.#places.run(accountId, () => this.#ask(accountId, question), { signal });
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ error }, 'A language model could not be asked.');
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
        // Others may have the money for it.
        await store.hold(accountId, question, now());
        await onAnswered(accountId);
        return error;
      }
      const pauseMs = error.concernsModel ? AGAIN_AFTER_MS : AGAIN_ABOUT_SAME_AFTER_MS;
      await store.fail(accountId, question, after(pauseMs));
      await onAnswered(accountId);
      return error;
    }
  }

  /** Says again and again that a question is under way, until the signal. */
  async #hold(accountId: string, question: Asked, signal: AbortSignal): Promise<void> {
    const { store, now, log } = this.#options;
    for (;;) {
      await pause(HOLD_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await store.hold(accountId, question, new Date(now().getTime() + CLAIM_MS));
      } catch (error) {
        log.warn({ error }, 'A question to a language model could not be held.');
      }
    }
  }

  async #read(accountId: string, questions: readonly Asked[]): Promise<Standing<Stored>[]> {
    const { store, now } = this.#options;
    const kept = await store.find(accountId, questions);
    return questions.map(({ askedAs }, index) => standingOf(kept[index], askedAs, now()));
  }
}

function standingOf<Stored>(kept: Kept<Stored> | undefined, askedAs: Buffer, now: Date): Standing<Stored> {
  if (kept === undefined) return { state: 'checking' };
  const { answered } = kept;
  const isAnswered = answered?.as.equals(askedAs) === true;
  if (!isAnswered && kept.hasFailed && kept.askedAs.equals(askedAs) && kept.askedUntil > now) {
    return { state: 'failed' };
  }
  if (answered === null) return { state: 'checking' };
  return { state: 'answered', answer: answered.answer, stale: !isAnswered };
}

function isOpen(standing: Standing<unknown> | undefined): boolean {
  if (standing?.state === 'answered') return standing.stale;
  return standing?.state !== 'failed';
}
