import { type Dependency, dependencyList, extendedScan } from '@winnow/contract/dependency';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, issueIds, syncAgain, whenCompared } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  { title: 'Store receipts on the server', body: 'The till keeps them for a day only.' },
  { title: 'Search in old receipts', body: 'Blocked by #1. Customers ask for receipts of last year.' },
  { title: 'Yearly report', body: 'Adds up what was sold in a year, from the stored receipts.' },
  { title: 'Dark theme', body: 'Labels cannot be read at night.' },
];

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let trackerId: string;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
});
afterAll(() => closeAll(winnow, models));
beforeEach(async () => {
  ({ github, caller, trackerId } = await newBacklog(winnow, ISSUES));
  ids = (await issueIds(caller, ISSUES.length)).slice(1);
  models.answerAll(() => says(1, 3));
  await addModel(caller, models);
  return () => github.close();
});

/** Builds a model's response in which issue `first` blocks issue `after`, both given by number. */
function says(first: number, after: number, otherwise: Record<string, unknown> = {}) {
  const inOrder = [...ids].sort();
  const place = (number: number) => inOrder.indexOf(ids[number - 1] ?? '') + 1;
  const dependency = {
    first: place(first),
    after: place(after),
    first_quote: ISSUES[first - 1]?.title ?? '',
    after_quote: ISSUES[after - 1]?.title ?? '',
    reason: 'A report of a year needs receipts of a year.',
    confidence: 0.95,
    ...otherwise,
  };
  return { text: JSON.stringify({ dependencies: [dependency] }) };
}

async function detect(): Promise<Dependency[]> {
  return eventually(async () => {
    const scan = await caller.send('POST', '/issue-dependencies/detect', { issue_ids: ids }, dependencyList);
    return scan.checking ? null : scan.dependencies;
  });
}

const short = (dependencies: readonly Dependency[]) =>
  dependencies
    .map(({ issue_key, dependency_key }) => `${issue_key.split('#')[1]}>${dependency_key.split('#')[1]}`)
    .sort();

test('a language model finds dependencies that no text states, under its name, with lower confidence than a text', async () => {
  const found = await detect();
  expect(short(found)).toEqual(['1>2', '1>3']);
  expect(found.find(({ dependency_key }) => dependency_key.endsWith('#3'))).toMatchObject({
    found_by: 'Our model',
    confidence_score: 0.8,
    reason: 'A report of a year needs receipts of a year.',
  });
  expect(found.find(({ dependency_key }) => dependency_key.endsWith('#2'))).toMatchObject({
    found_by: BUILT_IN_ANALYST,
  });
});

test('is called once for the same texts, and again when a text changes', async () => {
  const before = models.requests.length;
  await Promise.all([detect(), detect()]);
  await detect();
  expect(models.requests.length).toBe(before + 1);
  models.answerAll(() => ({ text: '{"dependencies": []}' }));
  github.editAs('ada', 'acme', 'app', 3, { body: 'Adds up what was sold.' });
  await syncAgain(caller, trackerId);
  expect(short(await detect())).toEqual(['1>2']);
  expect(models.requests.length).toBe(before + 2);
});

test('its results are returned when the same issues are scanned again', async () => {
  const whole = ids;
  ids = ids.slice(0, 3);
  const before = models.requests.length;
  expect(short(await detect())).toEqual(['1>2', '1>3']);
  models.answerAll(() => ({ text: '{"dependencies": []}' }));
  ids = whole;
  expect(short(await detect())).toEqual(['1>2']);
  ids = whole.slice(0, 3);
  expect(short(await detect())).toEqual(['1>2', '1>3']);
  expect(models.requests.length).toBe(before + 2);

  github.editAs('ada', 'acme', 'app', 3, { body: 'Something else.' });
  await syncAgain(caller, trackerId);
  expect(short(await detect())).toEqual(['1>2']);
  github.editAs('ada', 'acme', 'app', 3, { body: ISSUES[2]?.body ?? '' });
  await syncAgain(caller, trackerId);
  expect(short(await detect())).toEqual(['1>2', '1>3']);
  expect(models.requests.length).toBe(before + 3);
});

test('issues added to a scan are sent together with its earlier issues, and never again in other groups', async () => {
  const many = await newBacklog(winnow, differentIssues(24));
  await whenCompared(many.caller, 24);
  await addModel(many.caller, models);
  models.answerAll(() => ({ text: '{"dependencies": []}' }));
  const every = (await issueIds(many.caller, 24)).slice(1);
  const scan = (path: string, body: object) =>
    many.caller.send('POST', `/issue-dependencies/${path}`, body, extendedScan.partial({ issues: true }));
  await scan('detect', { issue_ids: every.slice(0, 20) });
  const before = models.requests.length;
  const from = [...every.slice(1, 20), every[0]];
  const { issues = [] } = await scan('extend', { issue_ids: from, extend_by: 3 });
  expect(issues).toHaveLength(3);
  const [question, ...more] = models.requests.slice(before);
  expect(more).toEqual([]);
  const told = JSON.stringify(question?.turns);
  for (const title of ['Report 1 about', ...issues.map((issue) => issue.title)])
    expect(told).toContain(title);
  await scan('detect', { issue_ids: [...every.slice(0, 20), ...issues.map(({ id }) => id)].toSorted() });
  expect(models.requests.length).toBe(before + 1);
  await many.github.close();
});

test.each([
  ['a dependency without a quote', () => says(1, 3, { first_quote: 'Receipts are stored for ten years.' })],
  ['an unknown issue', () => says(1, 3, { after: 17 })],
  ['an issue that blocks itself', () => says(3, 3)],
  ['the opposite of what a text states', () => says(2, 1)],
])('omits %s', async (_what, reply) => {
  models.answerAll(reply);
  expect(short(await detect())).toEqual(['1>2']);
});

test.each([
  ['nonsense', { text: 'Bananas.' }],
  ['a revoked key', { fails: 401, says: 'Who are you?' }],
])('of a model that responds with %s, only dependencies stated by texts remain', async (_what, reply) => {
  models.answerAll(() => reply);
  expect(short(await detect())).toEqual(['1>2']);
});

test('reports after two seconds that checking continues; a live event reports the result', async () => {
  const live = await listenLive(winnow.origin, caller.tokens.access_token);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  models.answerAll(async () => {
    await held;
    return says(1, 3);
  });
  const first = await caller.send('POST', '/issue-dependencies/detect', { issue_ids: ids }, dependencyList);
  expect(first.checking).toBe(true);
  expect(short(first.dependencies)).toEqual(['1>2']);
  release();
  await eventually(() => live.events.some(({ type }) => type === 'dependencies_changed'));
  expect(short(await detect())).toEqual(['1>2', '1>3']);
  await live.close();
});
