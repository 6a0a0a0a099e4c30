import { parentPort, workerData } from 'node:worker_threads';
import { type Embedder, ModelUnavailable, openModel as openEmbedder } from '@winnow/analysis/embed';
import { explainPair } from '@winnow/analysis/explain';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { evaluate, improve } from '@winnow/analysis/readiness';
import { suggestDeconflict, suggestMerge } from '@winnow/analysis/suggest';
import { judgePair, sharedTitleWords } from '@winnow/analysis/verdict';
import { MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from '@winnow/contract/change';
import { LIKELIHOOD, PAIRS_PER_ISSUE, SIMILARITY } from '@winnow/contract/duplicate';
import { openDatabase } from '../../platform/database.ts';
import { isConnectionError } from '../../platform/database-unavailable.ts';
import { openLog } from '../../platform/log.ts';
import type { Tables } from '../../schema/tables.ts';
import { WORDS_ONLY_MODEL } from '../analysis-state-store.ts';
import { indexStale } from '../search-index/stale-item-store.ts';
import { AccountIndex } from './account-index.ts';
import { CachingEmbedder } from './caching-embedder.ts';
import { impliedDependencies, readDependencies } from './dependencies.ts';
import { EngineSearch } from './engine-search.ts';
import { IdleUnloadingEmbedder } from './idle-unloading-embedder.ts';
import type { EngineCalls, EngineMethod, EngineRequest, EngineThreadData } from './messages.ts';
import { seriesOfAccount } from './series.ts';
import { vectorFingerprint } from './vector-fingerprint.ts';

/**
 * Maximum documents in memory, over all accounts. Beyond it, the indexes of the least recently used
 * accounts are unloaded.
 */
const MAX_LOADED_DOCUMENTS = 200_000;
/** Idle time in ms after which the embedding model is unloaded. */
const MODEL_IDLE_UNLOAD_MS = 10_000;
/**
 * Idle time in ms after a search, before the model is unloaded. Users often search several times,
 * and loading the model takes longer than the search itself.
 */
const MODEL_IDLE_AFTER_SEARCH_MS = 5 * 60_000;
/**
 * Maximum cached vectors of texts, over all accounts. They take 2 MB. The sample backlog needs only
 * a fraction of them.
 */
const MAX_CACHED_VECTORS = 1_000;
/** Length of vectors if no embedding model is available. No vectors exist then. */
const NO_MODEL_DIMENSIONS = 1;

const {
  connection,
  logLevel,
  embeddingModelDir = null,
  modelIdleMs = MODEL_IDLE_UNLOAD_MS,
} = workerData as EngineThreadData;
const log = openLog({ level: logLevel });
const { db } = openDatabase<Tables>(connection, { log, max: 3 });
const neighbours = new NeighbourPool();
const accounts = new Map<string, AccountIndex>();
interface OpenedModel {
  embedder: Embedder | null;
  notice: string | null;
  keepFor: (ms: number) => void;
}
let model: Promise<OpenedModel> | null = null;

function openModel(): Promise<OpenedModel> {
  const onUnavailable = (error: ModelUnavailable) =>
    log.warn({ error }, 'The embedding model is unavailable.');
  const options = { unloadAfterMs: modelIdleMs, onUnavailable };
  model ??= IdleUnloadingEmbedder.start(() => openEmbedder(embeddingModelDir), options).then(
    (embedder) => ({
      embedder: new CachingEmbedder(embedder, MAX_CACHED_VECTORS),
      notice: null,
      keepFor: (ms: number) => embedder.keepFor(ms),
    }),
    (error: unknown) => {
      if (!(error instanceof ModelUnavailable)) throw error;
      onUnavailable(error);
      return { embedder: null, notice: error.notice, keepFor: () => undefined };
    },
  );
  return model;
}

async function indexOf(accountId: string): Promise<AccountIndex> {
  const { embedder } = await openModel();
  const account =
    accounts.get(accountId) ??
    new AccountIndex({
      db,
      accountId,
      neighbours,
      embedder,
      dimensions: embedder?.dimensions ?? NO_MODEL_DIMENSIONS,
    });
  // Moves the account to the end of the map. A Map keeps insertion order, so the least recently
  // used account comes first.
  accounts.delete(accountId);
  accounts.set(accountId, account);
  return account;
}

/** Loads and refreshes the index of the account if necessary, and returns it. */
async function current(accountId: string): Promise<AccountIndex> {
  const account = await indexOf(accountId);
  await account.refresh();
  evict(accountId);
  return account;
}

function evict(keep: string): void {
  let documents = 0;
  for (const account of accounts.values()) documents += account.size;
  for (const [accountId, account] of accounts) {
    if (documents <= MAX_LOADED_DOCUMENTS) return;
    if (accountId === keep) continue;
    accounts.delete(accountId);
    documents -= account.size;
  }
}

async function modelUsed(): Promise<string> {
  const { embedder } = await openModel();
  return embedder === null ? WORDS_ONLY_MODEL : vectorFingerprint(embedder);
}

/**
 * Returns the weights of the account's words. Uses only the snapshot, so it does not wait until all
 * issues are loaded.
 */
async function termWeights(accountId: string): Promise<(term: string) => number> {
  const account = await indexOf(accountId);
  await account.useStoredSnapshot();
  return account.termWeights();
}

const longest = { longestTitle: MAX_TITLE_CHARS, longestDescription: MAX_DESCRIPTION_CHARS };
const limits = { perGroup: PAIRS_PER_ISSUE, overall: PAIRS_PER_ISSUE, floor: SIMILARITY.stored };

const searching = new EngineSearch({
  accountOf: (accountId) => accounts.get(accountId),
  refresh: (accountId) => runInTurn(() => current(accountId)),
  model: async () => {
    const opened = await openModel();
    opened.keepFor(MODEL_IDLE_AFTER_SEARCH_MS);
    return opened;
  },
});

const methods: {
  [M in EngineMethod]: (request: EngineCalls[M]['request']) => Promise<EngineCalls[M]['answer']>;
} = {
  refresh: async ({ accountId }) => {
    const account = await current(accountId);
    return { ...(await account.status()), notice: (await openModel()).notice };
  },
  embed: async ({ accountId, issueIds }) => {
    const account = await current(accountId);
    try {
      return { stored: await account.embed(issueIds), notice: null };
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      return { stored: 0, notice: error.notice };
    }
  },
  takeSnapshot: async ({ accountId }) => (await current(accountId)).takeSnapshot(),
  pairs: async ({ accountId, issueIds }) => (await current(accountId)).pairs(issueIds, limits),
  scorePairs: async ({ accountId, pairs }) => (await current(accountId)).scorePairs(pairs, limits),
  series: ({ accountId }) => seriesOfAccount(db, accountId),
  similar: async ({ accountId, issueId, filter }) => {
    const account = await current(accountId);
    return {
      results: account.has(issueId) ? await account.similar(issueId, filter) : [],
      modelUsed: await modelUsed(),
    };
  },
  search: (request) => searching.search(request),
  compare: (request) => searching.compare(request),
  frequencies: (request) => searching.frequencies(request),
  map: (request) => searching.map(request),
  indexWords: ({ accountId }) => indexStale(db, accountId),
  explain: async ({ accountId, first, second }) => explainPair(first, second, await termWeights(accountId)),
  sharedTitleWords: async ({ accountId, first, second }) =>
    sharedTitleWords(first, second, await termWeights(accountId)),
  judge: async ({ accountId, pairs }) => {
    const idf = await termWeights(accountId);
    return pairs.map(({ first, second, similarity, likelihood }) =>
      judgePair(first, second, {
        similarity,
        marks: SIMILARITY,
        idf,
        likelihood: { ...likelihood, marks: LIKELIHOOD },
      }),
    );
  },
  readDependencies: ({ accountId, issueIds }) => readDependencies(db, accountId, issueIds),
  impliedDependencies: async (request) => impliedDependencies(await current(request.accountId), request),
  evaluate: async ({ issues, criteria }) => issues.map((issue) => evaluate(issue, criteria)),
  improve: async ({ issue, evaluation, criteria }) => improve(issue, evaluation, criteria),
  suggestMerge: async ({ accountId, first, second }) =>
    suggestMerge(first, second, { idf: await termWeights(accountId), ...longest }),
  suggestDeconflict: async ({ accountId, first, second }) =>
    suggestDeconflict(first, second, { idf: await termWeights(accountId), ...longest }),
};

async function answer<M extends EngineMethod>(method: M, request: EngineCalls[M]['request']) {
  return methods[method](request);
}

/**
 * Methods that do not wait for other calls. Users wait for searches, and reading texts does not
 * need the index.
 */
const UNQUEUED: ReadonlySet<EngineMethod> = new Set([
  'search',
  'compare',
  'frequencies',
  'map',
  'indexWords',
  'readDependencies',
]);

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs one call at a time, because an index must not be read while it is loading. Concurrency would
 * not help anyway, since the work is CPU-bound.
 */
function runInTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

parentPort?.on('message', ({ id, method, request }: EngineRequest) => {
  const answered = UNQUEUED.has(method) ? answer(method, request) : runInTurn(() => answer(method, request));
  answered.then(
    (result) => parentPort?.postMessage({ id, answer: result }),
    (error: unknown) => {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      const databaseIsAway = isConnectionError(error);
      parentPort?.postMessage({ id, error: { name, message, stack }, databaseIsAway });
    },
  );
});
