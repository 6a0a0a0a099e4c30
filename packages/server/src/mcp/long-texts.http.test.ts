import { MAX_DESCRIPTION_CHARS } from '@winnow/contract/change';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

/** Text that exceeds the limit of one call. A surrogate pair lies at the limit. */
const LONG = `${'It stops. '.repeat(1_999)}123456789😀${'And goes on. '.repeat(900)}the end`;
const CUT = /… \(\d+ more characters\)$/;

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let agent: Agent;
let proposer: Agent;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, [
    ...differentIssues(2),
    {
      title: 'Talked about',
      body: 'See below.',
      labels: ['urgent'],
      assignees: ['ada'],
      comments: [
        { user: 'ada', body: 'Zebra crossing.' },
        { user: 'ada', body: `Okapi. ${LONG}` },
      ],
    },
    { title: 'Too long to be written', body: 'x'.repeat(MAX_DESCRIPTION_CHARS + 1) },
  ]));
  agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
  proposer = await connectAgent(winnow.origin, (await newKey(caller, ['read', 'propose'])).key);
});
afterAll(() => closeAll(agent, proposer, winnow, github));

const issue = (number: number) => `acme/app#${number}`;

test('all texts of a proposal can be read in parts before approving it', async () => {
  const { content_hash, description: before = '' } = await proposer.use('get_issue', { issue: issue(1) });
  const proposed = await proposer.use('update_issue', {
    issue: issue(1),
    title: 'Retold',
    description: LONG,
    base_hash: content_hash,
  });
  const change_id = proposed.change_id ?? '';
  const listed = await agent.use('list_changes', { issue: issue(1), with_steps: true });
  expect(String(listed.changes[0]?.steps?.[0]?.after?.description)).toMatch(CUT);
  let text_from: number | undefined;
  let whole = '';
  do {
    const { changes, next_text_from } = await agent.use('list_changes', { change_id, text_from });
    expect(changes).toMatchObject([
      {
        change_id,
        status: 'proposed',
        steps: [{ action: 'edit', before: { description: before }, after: { title: 'Retold' } }],
      },
    ]);
    whole += String(changes[0]?.steps?.[0]?.after?.description).replace(CUT, '');
    text_from = next_text_from;
  } while (text_from !== undefined);
  expect(whole).toBe(LONG);
});

test('change_id cannot be combined with filters, and changes of other accounts are not found', async () => {
  const change_id = '00000000-0000-4000-8000-000000000000';
  expect(await agent.failing('list_changes', { change_id })).toContain('Not found');
  expect(await agent.failing('list_changes', { change_id, issue: issue(1) })).toContain('change_id cannot');
  expect(await agent.failing('list_changes', { text_from: 300 })).toContain('text_from requires');
});

test('a long comment from get_issue or search_issues can be read to its end', async () => {
  const { comments } = await agent.use('get_issue', { issue: issue(3), fields: ['comments'] });
  expect(comments?.map(({ id }) => id)).toEqual([undefined, expect.any(String)]);
  expect(comments?.[1]?.text).toMatch(CUT);
  const { results } = await agent.use('search_issues', { query: 'okapi', item_types: ['comment'] });
  const comment_id = results[0]?.comment_id ?? '';
  expect(comment_id).toBe(comments?.[1]?.id);
  let comment_from: number | undefined;
  let whole = '';
  do {
    const part = await agent.use('get_issue', { issue: issue(3), comment_id, comment_from });
    expect(part).toMatchObject({ key: issue(3), comments: [{ author: 'ada' }] });
    expect(part.description).toBeUndefined();
    whole += part.comments?.[0]?.text.replace(CUT, '');
    comment_from = part.next_comment_from;
  } while (comment_from !== undefined);
  expect(whole).toBe(`Okapi. ${LONG}`);
  expect(await agent.failing('get_issue', { issue: issue(1), comment_id })).toContain('Comment not found');
  expect(await agent.failing('get_issue', { issue: issue(3), comment_from: 5 })).toContain('comment_id');
});

test('comments_cursor works with any requested fields', async () => {
  const comments_cursor = (await agent.use('get_issue', { issue: issue(3) })).comments?.[1]?.id ?? '';
  const older = await agent.use('get_issue', { issue: issue(3), fields: ['title'], comments_cursor });
  expect(older).toMatchObject({ title: 'Talked about', comments: [{ text: 'Zebra crossing.' }] });
});

test('the issue of a matching comment has the requested fields', async () => {
  const fields = ['labels', 'assignees', 'content_hash', 'description'] as const;
  const { results } = await agent.use('search_issues', {
    query: 'zebra crossing',
    item_types: ['comment'],
    fields: [...fields],
  });
  expect(results[0]?.issue).toEqual(await agent.use('get_issue', { issue: issue(3), fields: [...fields] }));
  expect(results[0]?.issue.labels).toEqual(['urgent']);
});

test('a search states if it has more matches than it counts', async () => {
  const { db } = winnow.database;
  const original = await db
    .selectFrom('issue')
    .selectAll()
    .where('account_id', '=', await caller.accountId())
    .where('key', '=', issue(2))
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1_001 }, (_, index) => ({
    ...original,
    id: crypto.randomUUID(),
    external_id: `copy ${index}`,
    key: issue(9_000 + index),
    title: `Numbat ${index}`,
    description: '',
  }));
  await db.insertInto('issue').values(copies).execute();
  const search = () =>
    agent.use('search_issues', { query: 'numbat', search_type: 'fulltext', limit: 1, fields: [] });
  await eventually(
    async () => (await search()).notice === 'There are more matches. Only the best 1000 are listed.',
  );
  expect((await search()).total).toBe(1_000);
  await db.deleteFrom('issue').where('title', 'like', 'Numbat%').execute();
});

test('omits the description if there is no suggestion', async () => {
  const answer = await agent.use('suggest_improvement', { issue: issue(4) });
  expect(answer.notice).toContain('There is no suggestion');
  expect(answer).not.toHaveProperty('description');
});
