import { changeList } from '@winnow/contract/change';
import { type Suggestion, suggestion } from '@winnow/contract/suggestion';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { type ModelReply, type ModelsEmulator, startModels } from '@winnow/emulators/models/emulator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { issueIds, syncAgain } from '../testing/github.ts';
import { addModel } from '../testing/models.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const KNOWN_ADDRESS = 'https://docs.example/zones';
const ISSUES = [
  { title: 'Export loses the time zone', body: `The export loses it.\n\nSee ${KNOWN_ADDRESS}.` },
  { title: 'Times are wrong', body: 'Times are wrong after the export.\n\n- Windows 11' },
  { title: 'A long one', body: 'A line of a report that goes on and on. '.repeat(300) },
];
const MERGED = {
  title: 'Export loses the time zone',
  description: `The export loses it.\n- Windows 11\n\nSee ${KNOWN_ADDRESS}.\nBoth happen on export.`,
  explanation: 'The platform is from the second issue.',
};
const APART = {
  title1: 'One',
  description1: 'First.',
  title2: 'Two',
  description2: 'Second.',
  explanation: 'They differ.',
};

let winnow: RunningWinnow;
let github: GitHubEmulator;
let models: ModelsEmulator;
let caller: Caller;
let trackerId: string;
let modelId: string;
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
  models = await startModels();
});
afterAll(() => closeAll(winnow, models));
beforeEach(async () => {
  ({ github, caller, trackerId } = await newBacklog(winnow, ISSUES));
  ids = await issueIds(caller, ISSUES.length);
  answerWith(MERGED);
  modelId = (await addModel(caller, models)).id;
  return () => github.close();
});

/**
 * Sets the model's reply to questions for texts. Questions for verdicts, which Winnow asks by
 * itself, fail.
 */
function answerWith(answer: object | ModelReply): void {
  models.answerAll(({ system }) => {
    if (system.includes('"decision"')) return { fails: 400, says: 'not this' };
    return typeof answer === 'object' && ('text' in answer || 'fails' in answer)
      ? answer
      : { text: JSON.stringify(answer) };
  });
}

const questions = () => models.requests.filter(({ system }) => !system.includes('"decision"')).length;

function suggest(first: number, second: number, resolution = 'merged'): Promise<Suggestion> {
  const payload = { issue1_id: ids[first], issue2_id: ids[second], resolution };
  return caller.send('POST', '/ai-suggestion', payload, suggestion);
}

test('the default model writes the merged text, and each line states its source, if it has one', async () => {
  expect(await suggest(1, 2)).toMatchObject({
    merged_title: MERGED.title,
    merged_description: MERGED.description,
    merged_sources: ['issue1', 'issue2', 'issue2', 'issue1', 'new'],
    explanation: MERGED.explanation,
    ai_model_id: modelId,
    ai_model_name: 'Our model',
  });
});

test('removes invisible characters from the texts of a model', async () => {
  answerWith({ title: 'O\u0000n\ud800e', description: 'a\u202eb\n\u{e0041}c', explanation: 'd\u0000\udc00' });
  const written = {
    merged_title: 'One',
    merged_description: 'ab\nc',
    explanation: 'd',
    ai_model_id: modelId,
  };
  expect(await suggest(1, 2)).toMatchObject(written);
  expect(await suggest(1, 2)).toMatchObject(written);
});

test('a model writes both texts of a deconflict', async () => {
  answerWith(APART);
  expect(await suggest(1, 2, 'deconflicted')).toMatchObject({
    deconflicted_title1: 'One',
    deconflicted_description2: 'Second.',
    merged_title: null,
    ai_model_id: modelId,
  });
});

test('asks the model once for concurrent requests, and again after a text changed', async () => {
  const before = questions();
  await Promise.all([suggest(1, 2), suggest(1, 2), suggest(1, 2)]);
  await suggest(1, 2);
  expect(questions()).toBe(before + 1);
  await suggest(2, 1);
  expect(questions()).toBe(before + 2);
  github.editAs('octo', 'acme', 'app', 2, { body: 'Times are right again.' });
  await syncAgain(caller, trackerId);
  await suggest(1, 2);
  expect(questions()).toBe(before + 3);
});

test.each<[string, object]>([
  ['fails', { fails: 400, says: 'no' }],
  ['returns nonsense', { text: 'I would rather not.' }],
  [
    'returns an address that neither issue contains',
    { ...MERGED, description: 'See https://evil.example/login.' },
  ],
  ['returns an address that has no scheme', { ...MERGED, description: 'See www.evil.example.' }],
  ['closes another issue', { ...MERGED, description: 'Closes #3' }],
  ['mentions a user', { ...MERGED, title: 'Ask @admin' }],
  ['returns an empty title', { ...MERGED, title: ' ' }],
  ['returns an invisible title', { ...MERGED, title: '\u200b\u0000' }],
])('if the model %s, the built-in analyst writes the texts and is named as author', async (_what, answer) => {
  answerWith(answer);
  const given = await suggest(1, 2);
  expect(given).toMatchObject({ ai_model_id: null, ai_model_name: BUILT_IN_ANALYST });
  expect(given.merged_description).toContain('Windows 11');
});

test('the built-in analyst handles an issue that is too long for the prompt', async () => {
  const before = questions();
  expect((await suggest(3, 2)).ai_model_name).toBe(BUILT_IN_ANALYST);
  expect(questions()).toBe(before);
});

test('a model’s text is never written to a tracker without a decision', async () => {
  await suggest(1, 2);
  expect((await caller.get('/changes', changeList)).total).toBe(0);
  expect(github.requests.all().every(({ method }) => method === 'GET')).toBe(true);
});
