import { Worker } from 'node:worker_threads';
import type { Strength } from '@winnow/passwords/levels';
import { invalid } from '../platform/errors.ts';
import type { RatingRequest, RatingResponse } from './password-thread.ts';

/** Rates a password, given what an attacker knows about its owner. */
export type RateStrength = (password: string, identity: readonly string[]) => Promise<Strength>;

/** Idle time after which the thread ends. That frees the 90 MB of its dictionaries. */
const IDLE_MS = 60_000;

/** Throws `invalid` at `path` for a password that is easy to guess. */
export async function expectStrong(
  rate: RateStrength,
  { password, identity, path }: { password: string; identity: readonly (string | null)[]; path: string },
): Promise<void> {
  const known = identity.filter((text) => text !== null);
  const { isAccepted, hint } = await rate(password, known);
  if (isAccepted) return;
  throw invalid([{ path, message: `This password is easy to guess. ${hint}` }]);
}

/**
 * Rates passwords in a separate thread, so that long passwords and loading the dictionaries do not
 * delay other requests. The thread starts with the first rating, ends when it is idle, and does not
 * keep the process alive.
 */
export class PasswordRater {
  #worker: Worker | null = null;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<Strength>>();

  rate(password: string, identity: readonly string[]): Promise<Strength> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    this.#lastId += 1;
    const answer = Promise.withResolvers<Strength>();
    this.#waiting.set(this.#lastId, answer);
    worker.postMessage({ id: this.#lastId, password, identity } satisfies RatingRequest);
    return answer.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./password-thread.ts', import.meta.url));
    let failure: unknown;
    worker.on('message', ({ id, strength }: RatingResponse) => {
      this.#waiting.get(id)?.resolve(strength);
      this.#waiting.delete(id);
      if (this.#waiting.size > 0) return;
      this.#idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) {
        reject(new Error('The thread that rates passwords ended.', { cause: failure }));
      }
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
