import { LIKELIHOOD, type Pair, pairList } from '@winnow/contract/duplicate';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelReply, type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BuiltInAnalyst, ModelAnalyst } from '../ai/analyst.ts';
import { LanguageModels } from '../ai/model.ts';
import { UNLIMITED_MODELS, UNPRICED } from '../ai/testing/unlimited.ts';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts';
import { closeAll } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { connect, startGitHub, whenCompared, whenSynced } from '../testing/github.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { judgeAhead } from './judge-ahead.ts';
import { isWorthAsking, valueOfAsking } from './question-value.ts';
import { upsertScores } from './store.ts';
import { createModelVerdicts } from './verdicts-by-model.ts';

const PRINTING = 'The print button does nothing after the second click on a slow connection.';
const ENDINGS = ['', ' Seen on Firefox.', ' It worked on Monday.', ' No idea why.', ' Please help us.'];
const ISSUES = ENDINGS.map((ending) => ({
  title: 'Print button is dead',
  body: `${PRINTING}${ending}`,
}));
const REFUSED: ModelReply = { refuses: 'No.' };
const ANSWERED: ModelReply = {
  text: '{"decision": "unrelated", "confidence": 0.5, "reason": "Other browsers."}',
};

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let outbound: Outbound;
let caller: Caller;
let accountId: string;
/** Pairs that are judged in advance, most valuable first. */
let best: Pair[];
let warnings: unknown[];

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
  github = await startGitHub(ISSUES);
  outbound = createOutbound({
    allowedHosts: ['127.0.0.1'],
    userAgent: 'test',
    log: { info: () => undefined },
  });
});
afterAll(() => closeAll(outbound, winnow, github, models));
beforeEach(async () => {
  warnings = [];
  caller = await winnow.newCaller();
  await whenSynced(caller, (await connect(caller, github)).id);
  await whenCompared(caller);
  const queue = `standing=to_decide&resolution=unresolved&probability_threshold=${LIKELIHOOD.queue}&order_by=probability`;
  const list = `/issue-duplicates?${queue}&scope=account&limit=50`;
  const { duplicates } = await caller.get(list, pairList);
  const facts = (pair: Pair) => ({ ...pair, likelihood: pair, isUndecided: true });
  best = duplicates
    .filter((pair) => isWorthAsking(facts(pair)))
    .toSorted((one, other) => valueOfAsking(facts(other)) - valueOfAsking(facts(one)));
  accountId = await caller.accountId();
});

/**
 * Runs the job with a model that gives these replies first, and valid answers afterwards. Returns
 * the indexes in `best` of the pairs that the model was asked about.
 */
async function asked(...replies: ModelReply[]): Promise<number[]> {
  return askedWhile(() => true, replies);
}

/**
 * Like {@link asked}, but the model is the default only while `isDefault` returns true. `isDefault`
 * receives the number of calls so far.
 */
async function askedWhile(
  isDefault: (calls: number) => boolean,
  replies: readonly ModelReply[],
): Promise<number[]> {
  const numbers: number[] = [];
  models.answerAll(({ turns }) => {
    const text = turns[0]?.text ?? '';
    const has = ({ key }: { key: string }) => text.includes(`\n${key}\n`);
    const number = best.findIndex(({ issue1, issue2 }) => has(issue1) && has(issue2));
    numbers.push(number);
    return replies[number] ?? ANSWERED;
  });
  const judge = await newJudge(() => isDefault(numbers.length));
  await judge();
  expect(warnings).toEqual([]);
  return numbers.sort((one, other) => one - other);
}

/** Adds a model. Returns a function that runs the job with it while it is the default. */
async function newJudge(isDefault = () => true): Promise<() => Promise<void>> {
  const { id, api_url: apiUrl } = await addModel(caller, models, { name: 'Ours', is_default: false });
  const { db } = winnow.database;
  const now = () => new Date();
  const log = { warn: (fields: unknown) => void warnings.push(fields) };
  const record = async () => undefined;
  const { fetch } = outbound;
  const takeCall = async () => ({ refund: async () => undefined });
  const languageModels = new LanguageModels({
    fetch,
    fetchOffered: fetch,
    ...UNLIMITED_MODELS,
    takeCall,
    record,
    now,
    log,
  });
  const unsure = {
    decision: 'undecided',
    relation: 'unclear',
    confidence: 0,
    reason: '',
    difference: null,
  } as const;
  const analyst = new ModelAnalyst(
    new BuiltInAnalyst(async (_accountId, pairs) => pairs.map(() => unsure)),
    languageModels,
    {
      id,
      name: 'Ours',
      provider: 'custom',
      identifier: 'local',
      apiUrl,
      apiKey: '',
      isOffered: false,
      budget: null,
      ...UNPRICED,
    },
  );
  const verdicts = createModelVerdicts({ db, now, log, onJudged: async () => undefined });
  const modelAnalystOf = async () => (isDefault() ? analyst : null);
  return () => judgeAhead({ db, verdicts, modelAnalystOf }, accountId, new AbortController().signal);
}

test.each([
  ['the first three', [REFUSED, REFUSED, REFUSED], [0, 1, 2, 3]],
  ['three after an answer', [ANSWERED, REFUSED, REFUSED, REFUSED], [0, 1, 2, 3]],
  ['after two', [ANSWERED, ANSWERED, REFUSED, REFUSED, REFUSED], [0, 1, 2, 3, 4, 5]],
])('stops after three failures in a row: %s', async (_what, replies, expected) => {
  expect(await asked(...replies)).toEqual(expected);
});

test('sends no further pair to a model after the default has changed', async () => {
  expect(best.length).toBeGreaterThan(4);
  expect(await askedWhile((calls) => calls < 4, [])).toEqual([0, 1, 2, 3]);
});

test('continues when failures are separated by answers', async () => {
  const replies = [REFUSED, REFUSED, ANSWERED, REFUSED, REFUSED, ANSWERED];
  expect(await asked(...replies)).toEqual(best.map((_pair, number) => number));
});

test.each([
  ['refuses the key', { fails: 401, says: 'Who are you?' }],
  ['is at its limit', { fails: 429, says: 'Slow down.', retryAfterSeconds: 120 }],
])('stops after one failure of the model itself: it %s', async (_what, reply) => {
  // Two pairs are judged in parallel. The failure may pause the model before it is asked about the
  // second pair.
  expect((await asked(ANSWERED, ANSWERED, ANSWERED, reply)).at(-1)).toBe(3);
  const begun = await winnow.database.db
    .selectFrom('verdict')
    .select('issue_a')
    .where('account_id', '=', accountId)
    .execute();
  expect(begun).toHaveLength(4);
});

test('skips equal texts and judged pairs when it selects pairs', async () => {
  const { db } = winnow.database;
  const issues = Array.from({ length: 12 }, (_, at) => ({ title: `Print button ${at}`, body: PRINTING }));
  const many = await startGitHub(issues);
  try {
    caller = await winnow.newCaller();
    accountId = await caller.accountId();
    await whenSynced(caller, (await connect(caller, many)).id);
    await whenCompared(caller);
    const ids = (await db.selectFrom('issue').select('id').where('account_id', '=', accountId).execute()).map(
      ({ id }) => id,
    );
    const scores = ids.flatMap((issueId, at) =>
      ids.slice(at + 1).map((otherId) => {
        return { issueId, otherId, similarity: 0.8, logOdds: 0, isMutualBest: false };
      }),
    );
    await db
      .transaction()
      .execute((trx) => upsertScores(trx, accountId, { startedAt: new Date(), snapshotVersion: 0 }, scores));
    const stored = db.updateTable('pair').where('account_id', '=', accountId);
    await stored.set({ probability: 0.6, series_id: null }).execute();
    const equal = scores.slice(0, 6).map(({ issueId, otherId }) => [issueId, otherId].sort());
    for (const [issue_a = '', issue_b = ''] of equal) {
      await stored
        .set({ similarity: 1, probability: 0.66 })
        .where('issue_a', '=', issue_a)
        .where('issue_b', '=', issue_b)
        .execute();
    }
    let calls = 0;
    models.answerAll(() => {
      calls += 1;
      return ANSWERED;
    });
    const judge = await newJudge();
    const totals = [];
    for (let run = 0; run < 3; run += 1) {
      await judge();
      totals.push(calls);
    }
    // Six of the 66 pairs have equal texts, so they are never judged.
    expect(totals).toEqual([50, 60, 60]);
  } finally {
    await many.close();
  }
});
