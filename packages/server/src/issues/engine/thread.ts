import { parentPort, workerData } from 'node:worker_threads';
import { type Embedder, ModelUnavailable, openMiniLm } from '@winnow/analysis/embed';
import { explainPair } from '@winnow/analysis/explain';
import { judgePair } from '@winnow/analysis/judge';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { evaluate, improve } from '@winnow/analysis/readiness';
import { suggestDeconflict, suggestMerge } from '@winnow/analysis/suggest';
import { LONGEST_DESCRIPTION, LONGEST_TITLE } from '@winnow/contract/change';
import { PAIRS_PER_ISSUE, SIMILARITY } from '@winnow/contract/duplicate';
import { openDatabase } from '../../platform/database.ts';
import { isConnectionError } from '../../platform/database-unavailable.ts';
import { openLog } from '../../platform/log.ts';
import type { Tables } from '../../schema/tables.ts';
import { WORDS_ALONE } from '../analysis-state.ts';
import { indexStale } from '../search/index-words.ts';
import { impliedDependencies, readDependencies } from './dependencies.ts';
import type { EngineCalls, EngineMethod, EngineRequest, EngineThreadData } from './messages.ts';
import { RememberingEmbedder } from './remembering-embedder.ts';
import { ResidentAccount, vectorFingerprint } from './resident.ts';
import { RestingEmbedder } from './resting-embedder.ts';
import { Searching } from './searching.ts';

/** Documents kept resident over all accounts; the accounts used longest ago go first. */
const MOST_RESIDENT_DOCUMENTS = 200_000;
/** The model is let go when nothing was embedded for so long. */
const MODEL_RESTS_AFTER_MS = 10_000;
/** Who has searched searches again; to load the model takes longer than all else of a search. */
const MODEL_KEPT_AFTER_SEARCH_MS = 5 * 60_000;
/** Texts whose vectors are kept, of all accounts: a sample backlog several times over, in 2 MB. */
const REMEMBERED_TEXTS = 1_000;
/** Of all-MiniLM-L6-v2. */
const DIMENSIONS = 384;

const { connection, logLevel } = workerData as EngineThreadData;
const { db } = openDatabase<Tables>(connection, { log: openLog({ level: logLevel }), max: 3 });
const neighbours = new NeighbourPool();
const accounts = new Map<string, ResidentAccount>();
interface OpenedModel {
  embedder: Embedder | null;
  notice: string | null;
  keepFor: (ms: number) => void;
}
let model: Promise<OpenedModel> | null = null;

function openModel(): Promise<OpenedModel> {
  model ??= RestingEmbedder.start(openMiniLm, MODEL_RESTS_AFTER_MS).then(
    (embedder) => ({
      embedder: new RememberingEmbedder(embedder, REMEMBERED_TEXTS),
      notice: null,
      keepFor: (ms: number) => embedder.keepFor(ms),
    }),
    (error: unknown) => {
      if (!(error instanceof ModelUnavailable)) throw error;
      return { embedder: null, notice: error.message, keepFor: () => undefined };
    },
  );
  return model;
}

async function resident(accountId: string): Promise<ResidentAccount> {
  const { embedder } = await openModel();
  const account =
    accounts.get(accountId) ??
    new ResidentAccount({ db, accountId, neighbours, embedder, dimensions: DIMENSIONS });
  // Put back at the end: a Map keeps its order, so the first ones are those used longest ago.
  accounts.delete(accountId);
  accounts.set(accountId, account);
  return account;
}

/** The account's index, loaded and current. */
async function current(accountId: string): Promise<ResidentAccount> {
  const account = await resident(accountId);
  await account.refresh();
  evict(accountId);
  return account;
}

function evict(keep: string): void {
  let documents = 0;
  for (const account of accounts.values()) documents += account.size;
  for (const [accountId, account] of accounts) {
    if (documents <= MOST_RESIDENT_DOCUMENTS) return;
    if (accountId === keep) continue;
    accounts.delete(accountId);
    documents -= account.size;
  }
}

async function modelUsed(): Promise<string> {
  const { embedder } = await openModel();
  return embedder === null ? WORDS_ALONE : vectorFingerprint(embedder);
}

/** Needs the snapshot alone, so it does not wait for thousands of issues to be loaded. */
async function termWeights(accountId: string): Promise<(term: string) => number> {
  const account = await resident(accountId);
  await account.useStoredSnapshot();
  return account.termWeights();
}

const longest = { longestTitle: LONGEST_TITLE, longestDescription: LONGEST_DESCRIPTION };
const limits = { perGroup: PAIRS_PER_ISSUE, overall: PAIRS_PER_ISSUE, floor: SIMILARITY.stored };

const searching = new Searching({
  accountOf: (accountId) => accounts.get(accountId),
  refresh: (accountId) => inTurn(() => current(accountId)),
  model: async () => {
    const opened = await openModel();
    opened.keepFor(MODEL_KEPT_AFTER_SEARCH_MS);
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
  embed: async ({ accountId, issueIds }) => (await current(accountId)).embed(issueIds),
  takeSnapshot: async ({ accountId }) => (await current(accountId)).takeSnapshot(),
  pairs: async ({ accountId, issueIds }) => (await current(accountId)).pairs(issueIds, limits),
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
  judge: async ({ accountId, pairs }) => {
    const idf = await termWeights(accountId);
    return pairs.map(({ first, second, similarity }) =>
      judgePair(first, second, { similarity, marks: SIMILARITY, idf }),
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

/** Searches wait for what they need themselves: somebody waits for them. Reading texts needs no index. */
const AT_ONCE: ReadonlySet<EngineMethod> = new Set([
  'search',
  'compare',
  'frequencies',
  'map',
  'indexWords',
  'readDependencies',
]);

let last: Promise<unknown> = Promise.resolve();

/** One call at a time: an index that is being loaded must not be read, and the work is bound by the processor anyway. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

parentPort?.on('message', ({ id, method, request }: EngineRequest) => {
  const answered = AT_ONCE.has(method) ? answer(method, request) : inTurn(() => answer(method, request));
  answered.then(
    (result) => parentPort?.postMessage({ id, answer: result }),
    (error: unknown) => {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      const databaseIsAway = isConnectionError(error);
      parentPort?.postMessage({ id, error: { name, message, stack }, databaseIsAway });
    },
  );
});
