import { setTimeout as pause } from 'node:timers/promises';
import { textForEmbedding } from '@winnow/analysis/clean';
import { type Embedder, ModelUnavailable } from '@winnow/analysis/embed';
import type { AccountIndex } from './account-index.ts';
import type { EngineCalls, SearchedText } from './messages.ts';

/** Maximum wait for a refreshed index, if an older version of the index is already loaded. */
const MAX_REFRESH_WAIT_MS = 150;
/** Maximum wait for an index that is not loaded yet. */
const MAX_LOAD_WAIT_MS = 1_500;
/** Maximum wait for the embedding model, which may be busy with many new issues. */
const MAX_EMBED_WAIT_MS = 1_500;

/**
 * Runs searches at the same time as other calls of the engine thread. An index may be searched
 * while pairs are computed from it.
 */
export class EngineSearch {
  readonly #accountOf: (accountId: string) => AccountIndex | undefined;
  readonly #refresh: (accountId: string) => Promise<unknown>;
  readonly #model: () => Promise<{ embedder: Embedder | null; notice: string | null }>;
  readonly #refreshing = new Map<string, Promise<unknown>>();

  /**
   * `refresh` updates the index of an account, after the calls that are already queued. `model`
   * keeps the embedding model loaded for further searches.
   */
  constructor(options: {
    accountOf: (accountId: string) => AccountIndex | undefined;
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
      isComplete
        ? this.#complete(accountId, completeWithinMs)
        : this.#current(accountId, MAX_REFRESH_WAIT_MS),
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
    return (await this.#current(accountId, MAX_REFRESH_WAIT_MS))?.map(filter, withVectors) ?? null;
  }

  async frequencies({ accountId, terms }: EngineCalls['frequencies']['request']) {
    return (await this.#current(accountId))?.frequencies(terms) ?? null;
  }

  /**
   * Returns the index of the account. Waits at most `freshWithinMs` for a refreshed index, then
   * uses the older one. Returns null if no index is loaded in time.
   */
  async #current(accountId: string, freshWithinMs = 0): Promise<AccountIndex | null> {
    const isLoaded = this.#accountOf(accountId)?.isLoaded === true;
    const withinMs = isLoaded ? freshWithinMs : MAX_LOAD_WAIT_MS;
    if (withinMs > 0)
      await Promise.race([this.#sharedRefresh(accountId), pause(withinMs, null, { ref: false })]);
    const account = this.#accountOf(accountId);
    return account?.isLoaded === true ? account : null;
  }

  /**
   * Returns the index of the account once it contains all data that was stored when the call began.
   * Returns null if that takes longer than `withinMs`.
   */
  async #complete(accountId: string, withinMs: number): Promise<AccountIndex | null> {
    const fresh = (async () => {
      const account = this.#accountOf(accountId);
      if ((await account?.isCurrent()) === true) return;
      // Waits for a running refresh and starts another one, because the running one may have read
      // the database too early.
      await this.#refreshing.get(accountId)?.catch(() => undefined);
      await this.#sharedRefresh(accountId);
    })();
    fresh.catch(() => undefined);
    const isLate = await Promise.race([fresh.then(() => false), pause(withinMs, true, { ref: false })]);
    return isLate ? null : (this.#accountOf(accountId) ?? null);
  }

  /** Refreshes the index of the account. Concurrent searches share one refresh. */
  #sharedRefresh(accountId: string): Promise<unknown> {
    const under = this.#refreshing.get(accountId);
    if (under !== undefined) return under;
    const refreshed = this.#refresh(accountId).finally(() => this.#refreshing.delete(accountId));
    // Without this handler, a failed refresh that no search waits for would be an unhandled
    // rejection.
    refreshed.catch(() => undefined);
    this.#refreshing.set(accountId, refreshed);
    return refreshed;
  }

  async #embed(
    text: SearchedText,
    withinMs = MAX_EMBED_WAIT_MS,
  ): Promise<{ vector: Float32Array | null; notice: string | null; isLate: boolean }> {
    const { embedder, notice } = await this.#model();
    if (embedder === null) return wordsOnly(notice);
    const embedded = embedder.embed([textForEmbedding(text.title, text.body)]).catch((error: unknown) => {
      if (error instanceof ModelUnavailable) return error;
      throw error;
    });
    embedded.catch(() => undefined);
    const vectors = await Promise.race([embedded, pause(withinMs, null, { ref: false })]);
    if (vectors instanceof ModelUnavailable) return wordsOnly(vectors.notice);
    if (vectors === null) {
      return {
        vector: null,
        notice: 'Only words were compared: the embedding model is busy with new issues.',
        isLate: true,
      };
    }
    return { vector: vectors[0] ?? null, notice: null, isLate: false };
  }
}

function wordsOnly(notice: string | null) {
  return { vector: null, notice: `Only words were compared. ${notice ?? ''}`.trim(), isLate: false };
}
