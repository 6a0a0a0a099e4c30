import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { closeAll, type ServedBacklog, startBacklog } from '../testing/backlog.ts';
import { eventually } from '../testing/eventually.ts';
import { issueIds, syncAgain, whenCompared } from '../testing/github.ts';
import { addModel } from '../testing/models.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

const BODY = 'The print button does nothing after the second click on a slow connection.';
const CRITERIA = ['goal', 'acceptance', 'scope', 'dependencies', 'approach', 'estimable'];

let setup: ServedBacklog;
let agent: Agent;

beforeAll(async () => {
  setup = await startBacklog({
    issues: [
      { title: 'Print button is dead', body: BODY },
      { title: 'Print button is dead', body: `${BODY} Seen on Firefox.` },
    ],
  });
  const { winnow, caller, models } = setup;
  await whenCompared(caller);
  agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
  models.answerAll(({ turns }) => {
    const text = turns.map((turn) => turn.text).join('\n');
    if (!text.includes('acceptance'))
      return says({ decision: 'overlapping', confidence: 0.8, reason: 'So.' });
    const criteria = CRITERIA.map((id) => ({ id, score: 0.5, note: 'Some.', quotes: [], fix: 'Say more.' }));
    return says({ criteria, reason: 'Half.', suggestion: 'Say more.', points: 3 });
  });
  await addModel(caller, models);
});
afterAll(() => closeAll(agent, setup.winnow, setup.models, setup.github));

const says = (answer: object) => ({ text: JSON.stringify(answer) });
const issue = (number: number) => `acme/app#${number}`;
const score = async () => (await agent.use('check_compliance', { issues: [issue(1)] })).results[0];
const similar = async () => (await agent.use('find_similar', { issue: issue(1), fields: [] })).results[0];
async function resource() {
  const [project] = (await agent.use('list_projects', {})).projects;
  const { contents } = z
    .object({ contents: z.array(z.object({ text: z.string() })) })
    .parse(await agent.readResource(`winnow://project/${project?.id}/duplicates`));
  return JSON.parse(contents[0]?.text ?? '').pairs[0];
}

test('states how many issues were read while dependencies of a project are incomplete', async () => {
  const { winnow, caller } = setup;
  const find = () => agent.use('detect_dependencies', { project: 'acme/app' });
  await eventually(async () => (await find()).notice === undefined);
  const [, first] = await issueIds(caller, 2);
  const account = await caller.accountId();
  await sql`select note_dependency_stale(${account}::uuid, ${first}::uuid)`.execute(winnow.database.db);
  expect(await find()).toMatchObject({
    dependencies: [],
    notice: '1 of 2 issues are read so far. Call again in a minute.',
  });
  await eventually(async () => (await find()).notice === undefined);
});

test('while a model reads a new text, the built-in analyst scores it and verdicts are marked stale', async () => {
  const { github, models, caller, trackerId } = setup;
  await eventually(async () => (await score())?.score === 0.5);
  await eventually(async () => (await similar())?.verdict === 'overlapping');
  await eventually(async () => (await resource())?.verdict === 'overlapping');
  for (const answer of [await score(), await similar(), await resource()]) {
    expect(answer).not.toHaveProperty('stale');
    expect(answer).not.toHaveProperty('notice');
  }
  expect([(await score())?.scored_by, (await similar())?.judged_by]).toEqual(['Our model', 'Our model']);
  models.answerAll(() => 'hangs');
  github.editAs('ada', 'acme', 'app', 1, { body: `${BODY} Every day.` });
  await syncAgain(caller, trackerId);
  await eventually(async () => {
    const current = await score();
    return current?.score !== undefined && current.score !== 0.5 && current.stale === undefined;
  });
  expect(await score()).toMatchObject({
    scored_by: 'Built-in analyst',
    notice: 'Our model is being asked, so the built-in analyst was used instead.',
  });
  expect(await similar()).toMatchObject({ verdict: 'overlapping', stale: true, judged_by: 'Our model' });
  expect(await resource()).toMatchObject({ verdict: 'overlapping', stale: true });
});

test('states that trackers or models are still being checked for dependencies', async () => {
  setup.models.answerAll(() => 'hangs');
  const { notice } = await agent.use('detect_dependencies', { issues: [issue(1), issue(2)] });
  expect(notice).toContain('A tracker or a language model is still checking');
});
