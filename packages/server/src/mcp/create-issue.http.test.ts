import { MAX_MARKED_TEXT_CHARS } from '@winnow/contract/change';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { connect, whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

const EXISTING = {
  title: 'The kettle whistles although no one has put it on',
  body: 'Every morning at six the kettle in the kitchen on the second floor whistles by itself. No one is in at that time, and the plug is pulled.',
};
const OTHER = {
  title: 'Login fails for users with a plus sign in their address',
  body: 'A user registered as someone+tag@example.com gets "unknown user" when signing in, since the form encodes the plus sign twice.',
};

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let agent: Agent;
let key: string;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, [EXISTING, OTHER]));
  ({ key } = await newKey(caller));
  agent = await connectAgent(winnow.origin, key);
});
afterEach(() => github.faults.clear());
afterAll(async () => {
  await agent.close();
  await winnow.close();
  await github.close();
});

const count = () => github.state().repos[0]?.issues.length ?? 0;
const create = (title: string, description: string, more: object = {}) =>
  agent.use('create_issue', { project: 'acme/app', title, description, ...more });
/** Drafts about unrelated topics. */
const DRAFTS = {
  firewood: [
    'Order firewood before winter',
    'The stack behind the barn is down to two rows, and the forester needs six weeks.',
  ],
  oil: [
    'Boiler reports error 17',
    'Since Tuesday the display of the boiler shows E17 and the radiators stay cold on the ground floor.',
  ],
  coal: [
    'Export omits umlauts',
    'In the CSV that accounting downloads every ä, ö and ü has become a question mark.',
  ],
  candles: [
    'Dark mode for the calendar',
    'At night the white grid of the month view is glaring; follow the scheme of the system.',
  ],
  salt: [
    'Printer driver for macOS 15',
    'After the upgrade the label printer in dispatch is listed as offline, restarting CUPS does not help.',
  ],
  gate: [
    'The gate opens by itself at night',
    'Twice this week the courtyard stood open in the morning, and the log of the motor has no entry.',
  ],
  lamps: [
    'Rename the branch master',
    'The pipelines of three repositories still name the old branch, so nothing is deployed.',
  ],
} as const;
const draft = (about: keyof typeof DRAFTS) => {
  const [title, description] = DRAFTS[about];
  return { title, description };
};

describe('the same issue requested', () => {
  test('five times concurrently is created once', async () => {
    const before = count();
    const { title, description } = draft('firewood');
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(title, description)));
    expect(count()).toBe(before + 1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      'applied',
      ...Array(4).fill('duplicate_found'),
    ]);
    const key = `acme/app#${before + 1}`;
    expect(answers.map(({ issue_key }) => issue_key)).toEqual(Array(5).fill(key));
  });

  test('through two processes concurrently is created once', async () => {
    const before = count();
    const second = await startWinnow({ database: winnow.database });
    const there = await connectAgent(second.origin, key);
    const wanted = { project: 'acme/app', ...draft('gate') };
    const answers = await Promise.all(
      [agent, there, agent, there].map((one) => one.use('create_issue', wanted)),
    );
    expect(count()).toBe(before + 1);
    expect(new Set(answers.map(({ issue_key }) => issue_key))).toEqual(new Set([`acme/app#${before + 1}`]));
    await there.close();
    await second.close();
  });

  test('in different words concurrently is created once', async () => {
    const before = count();
    const { title, description } = draft('oil');
    await Promise.all([
      create(title, description),
      create(title, `${description} Please.`),
      create(`${title}!`, description),
    ]);
    expect(count()).toBe(before + 1);
  });

  test('again right afterwards is created once', async () => {
    const before = count();
    const { title, description } = draft('coal');
    expect(await create(title, description)).toMatchObject({ status: 'applied' });
    expect(await create(title.toUpperCase(), `${description}  `)).toMatchObject({
      status: 'duplicate_found',
      issue_key: `acme/app#${before + 1}`,
    });
    expect(count()).toBe(before + 1);
  });

  test('by several proposers becomes one proposal, which is refused when the issue exists', async () => {
    const proposers = await Promise.all(
      ['one', 'two', 'three'].map(async () =>
        connectAgent(winnow.origin, (await newKey(caller, ['read', 'propose'])).key),
      ),
    );
    const wanted = { project: 'acme/app', ...draft('candles') };
    const answers = await Promise.all(proposers.map((proposer) => proposer.use('create_issue', wanted)));
    const proposed = answers.filter(({ status }) => status === 'proposed');
    expect(proposed).toHaveLength(1);
    const [{ change_id: changeId = '', summary } = { summary: '' }] = proposed;
    expect(summary).toMatch(/^Proposed: Create “/);
    expect(new Set(answers.map((answer) => answer.change_id))).toEqual(new Set([changeId]));
    const approve = { change_id: changeId, decision: 'approve' } as const;
    await create(wanted.title, wanted.description, { allow_duplicate: true });
    const key = `acme/app#${count()}`;
    expect(await agent.failing('decide_change', approve)).toContain(
      `${key} now appears to describe the same problem`,
    );
    const rejected = await agent.use('decide_change', { change_id: changeId, decision: 'reject' });
    expect(rejected.summary).toMatch(/^Rejected, nothing was written: Create “/);
    await Promise.all(proposers.map((proposer) => proposer.close()));
  });
});

test('finds an issue created a moment ago', async () => {
  const before = count();
  const { title, description } = draft('salt');
  const made = await create(title, description, { allow_duplicate: true });
  const likely = await create(`${title}.`, `${description} It is cold.`);
  expect(likely).toMatchObject({ status: 'duplicate_found', issue_key: made.issue_key });
  expect(count()).toBe(before + 1);
});

test('create_issue returns similar issues', async () => {
  const made = await create(
    'Sign-up refuses users with a plus sign in their address',
    'The registration form calls it "not an address" although other services take it, so some of our testers cannot even begin.',
  );
  expect(made.status, JSON.stringify(made)).toBe('applied');
  expect(made.similar).toMatchObject([
    { key: 'acme/app#2', title: OTHER.title, similarity: expect.any(Number), verdict: expect.any(String) },
  ]);
});

test('a caller without the read scope gets only the issue key of the original', async () => {
  const writer = await connectAgent(winnow.origin, (await newKey(caller, ['write'])).key);
  const answer = await writer.use('create_issue', {
    project: 'acme/app',
    title: EXISTING.title,
    description: EXISTING.body,
  });
  expect(answer).toMatchObject({ status: 'duplicate_found', issue_key: 'acme/app#1' });
  const [original] = answer.likely_originals ?? [];
  expect(Object.keys(original ?? {}).toSorted()).toEqual(['issue', 'judged_by', 'similarity', 'verdict']);
  expect(Object.keys(original?.issue ?? {}).toSorted()).toEqual(['id', 'key', 'tracker']);
  const said = await writer.failing('assign_issue', { issue: 'acme/app#1', assignees: ['mallory'] });
  expect(said).toContain('mallory');
  expect(said).not.toContain('ada');
  await writer.close();
});

test('create_issue reports the labels and assignees that the tracker did not set', async () => {
  const login = 'carl';
  const token = 'ghp_carl456789abcdefghijklmnopqrstuvwxyz';
  github.setToken({ token, login, repos: [{ full_name: 'acme/app', permission: 'read' }] });
  const carl = await winnow.newCaller();
  await whenSynced(carl, (await connect(carl, github, { api_key: token })).id);
  const writer = await connectAgent(winnow.origin, (await newKey(carl)).key);
  const made = await writer.use('create_issue', {
    project: 'acme/app',
    ...draft('lamps'),
    labels: ['cellar', 'urgent'],
  });
  expect(made).toMatchObject({ status: 'applied', steps: [{ status: 'applied' }] });
  expect(made.summary).toContain('left out the labels cellar, urgent');
  await writer.close();
});

test.each([404, 500, 502])(
  'recognizes an issue that the tracker created although it responded with %i',
  async (status) => {
    const before = count();
    github.faults.add({
      match: { method: 'POST', path: '/issues$' },
      times: 1,
      action: { kind: 'status', status, body: { message: 'No.' }, handled: true },
    });
    expect(await create(`Responded with ${status}`, 'Made.', { allow_duplicate: true })).toMatchObject({
      status: 'applied',
      issue_key: `acme/app#${before + 1}`,
    });
    expect(count()).toBe(before + 1);
  },
);

test('writes a text of the maximum length, as a description and as a comment', async () => {
  const longest = 'x'.repeat(MAX_MARKED_TEXT_CHARS);
  const made = await create('Long', longest, { allow_duplicate: true });
  expect(made).toMatchObject({ status: 'applied' });
  const comment = { issue: made.issue_key ?? '', comment: longest };
  expect(await agent.use('comment_on_issue', comment)).toMatchObject({ status: 'applied' });
  const tooLong = { ...comment, comment: `${longest}x` };
  expect(await agent.failing('comment_on_issue', tooLong)).toContain('65,472');
});
