import { setTimeout as pause } from 'node:timers/promises';
import { textForEmbedding } from '@winnow/analysis/clean';
import type { Embedder } from '@winnow/analysis/embed';
import type { EngineCalls, SearchedText } from './messages.ts';
import type { ResidentAccount } from './resident.ts';

/** How long a search waits for its account to be brought up to date, when it can do without… */
const FRESH_WITHIN_MS = 150;
/** …and when it is not loaded at all. */
const LOADED_WITHIN_MS = 1_500;
/** How long it waits for the model, which may be embedding many issues. */
const EMBEDDED_WITHIN_MS = 1_500;

/** Answers searches beside whatever else the thread does: an index may be read while its pairs are computed. */
export class Searching {
  readonly #accountOf: (accountId: string) => ResidentAccount | undefined;
  readonly #refresh: (accountId: string) => Promise<unknown>;
  readonly #model: () => Promise<{ embedder: Embedder | null; notice: string | null }>;
  readonly #refreshing = new Map<string, Promise<unknown>>();

  /** `refresh` brings an account up to date when its turn has come; `model` is to be kept ready for the next search. */
  constructor(options: {
    accountOf: (accountId: string) => ResidentAccount | undefined;
    refresh: (accountId: string) => Promise<unknown>;
    model: () => Promise<{ embedder: Embedder | null; notice: string | null }>;
  }) {
    this.#accountOf = options.accountOf;
    this.#refresh = options.refresh;
    this.#model = options.model;
  }

  async search({ accountId, text, filter, completeWithinMs, ...most }: EngineCalls['search']['request']) {
    const isComplete = completeWithinMs !== undefined;
    const [account, { vector, notice, isLate }] = await Promise.all([
      isComplete ? this.#complete(accountId, completeWithinMs) : this.#current(accountId, FRESH_WITHIN_MS),
      this.#embed(text, completeWithinMs),
    ]);
    if (account === null || (isComplete && isLate)) return null;
    return { results: await account.search({ ...text, vector }, { ...filter, ...most }), notice };
  }

  async compare({ accountId, text, others }: EngineCalls['compare']['request']) {
    const account = await this.#current(accountId);
    if (account === null) return null;
    const { vector } = await this.#embed(text);
    return account.compare({ ...text, vector }, others);
  }

  async map({ accountId, filter, withVectors }: EngineCalls['map']['request']) {
    return (await this.#current(accountId, FRESH_WITHIN_MS))?.map(filter, withVectors) ?? null;
  }

  async frequencies({ accountId, terms }: EngineCalls['frequencies']['request']) {
    return (await this.#current(accountId))?.frequencies(terms) ?? null;
  }

  /** The account's index, up to date if that takes no longer than given; null when it is not loaded in time. */
  async #current(accountId: string, freshWithinMs = 0): Promise<ResidentAccount | null> {
    const isLoaded = this.#accountOf(accountId)?.isLoaded === true;
    const withinMs = isLoaded ? freshWithinMs : LOADED_WITHIN_MS;
    if (withinMs > 0) await Promise.race([this.#freshen(accountId), pause(withinMs, null, { ref: false })]);
    const account = this.#accountOf(accountId);
    return account?.isLoaded === true ? account : null;
  }

  /** The account's index with all that is stored by now; null when that takes longer than given. */
  async #complete(accountId: string, withinMs: number): Promise<ResidentAccount | null> {
    const fresh = (async () => {
      const account = this.#accountOf(accountId);
      if ((await account?.isCurrent()) === true) return;
      // One that is under way may have read the database before.
      await this.#refreshing.get(accountId)?.catch(() => undefined);
      await this.#freshen(accountId);
    })();
    fresh.catch(() => undefined);
    const isLate = await Promise.race([fresh.then(() => false), pause(withinMs, true, { ref: false })]);
    return isLate ? null : (this.#accountOf(accountId) ?? null);
  }

  /** Searches that come together share one refresh. */
  #freshen(accountId: string): Promise<unknown> {
    const under = this.#refreshing.get(accountId);
    if (under !== undefined) return under;
    const refreshed = this.#refresh(accountId).finally(() => this.#refreshing.delete(accountId));
    // Whoever stopped waiting does not hear of a failure.
    refreshed.catch(() => undefined);
    this.#refreshing.set(accountId, refreshed);
    return refreshed;
  }

  async #embed(
    text: SearchedText,
    withinMs = EMBEDDED_WITHIN_MS,
  ): Promise<{ vector: Float32Array | null; notice: string | null; isLate: boolean }> {
    const { embedder, notice } = await this.#model();
    if (embedder === null) {
      return { vector: null, notice: `Compared by words alone. ${notice ?? ''}`.trim(), isLate: false };
    }
    const embedded = embedder.embed([textForEmbedding(text.title, text.body)]);
    embedded.catch(() => undefined);
    const vectors = await Promise.race([embedded, pause(withinMs, null, { ref: false })]);
    if (vectors === null) {
      return {
        vector: null,
        notice: 'Compared by words alone: the embedding model is busy with new issues.',
        isLate: true,
      };
    }
    return { vector: vectors[0] ?? null, notice: null, isLate: false };
  }
}
