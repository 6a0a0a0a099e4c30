import { complianceUpdated } from '@winnow/contract/compliance';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, syncAgain } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

/** Text that exceeds the limit of one call. A surrogate pair lies at the limit. */
const LONG = `${'It stops. '.repeat(1_999)}123456789😀${'And goes on. '.repeat(900)}the end`;
const COMMENTS = Array.from({ length: 70 }, (_, index) => ({ user: 'ada', body: `Remark ${index + 1}` }));

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let trackerId: string;
let agent: Agent;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller, trackerId } = await newBacklog(winnow, [
    ...differentIssues(6),
    { title: 'A long story', body: LONG },
    { title: 'Much talk', body: 'See below.', comments: COMMENTS },
  ]));
  agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
});
afterAll(async () => {
  await agent.close();
  await winnow.close();
  await github.close();
});

const issue = (number: number) => `acme/app#${number}`;
const look = (number: number) => github.issue('acme', 'app', number);
const read = async (number: number) => {
  const { content_hash: seen = '', description = '' } = await agent.use('get_issue', {
    issue: issue(number),
  });
  return { seen, description };
};

describe('an edit by a person after an agent has read the issue', () => {
  test('is not overwritten, and the refusal quotes it', async () => {
    const { seen, description } = await read(1);
    github.editAs('ada', 'acme', 'app', 1, { body: 'A person says more.' });
    await syncAgain(caller, trackerId);
    const update = { issue: issue(1), description: `${description}\nA line.` };
    for (const _ of ['once', 'twice']) {
      const said = await agent.failing('update_issue', { ...update, base_hash: seen });
      expect(said).toContain('A person says more.');
      expect(said).toContain((await read(1)).seen);
    }
    expect(look(1).body).toBe('A person says more.');
    const now = await read(1);
    expect(
      await agent.use('update_issue', {
        issue: issue(1),
        description: `${now.description}\nA line.`,
        base_hash: now.seen,
      }),
    ).toMatchObject({ status: 'applied' });
    expect(look(1).body).toContain('A person says more.\nA line.');
  });

  test('is not overwritten even before the next sync', async () => {
    const { seen, description } = await read(2);
    github.editAs('ada', 'acme', 'app', 2, { body: 'A person says more.' });
    const update = { issue: issue(2), description: `${description}\nA line.`, base_hash: seen };
    for (const _ of ['once', 'twice']) {
      expect(await agent.failing('update_issue', update)).toContain('A person says more.');
    }
    expect(look(2).body).toBe('A person says more.');
  });

  test('prevents closing the issue, but not comments, labels or assignments', async () => {
    const { seen } = await read(3);
    github.editAs('ada', 'acme', 'app', 3, { title: 'Not what it seemed', labels: ['theirs'] });
    await syncAgain(caller, trackerId);
    const [target, base] = [{ issue: issue(3) }, { base_hash: seen }];
    const close = { ...target, original: issue(4), ...base };
    expect(await agent.failing('close_as_duplicate', close)).toContain('Not what it seemed');
    const closed = { ...target, state: 'closed', add_labels: ['ours'], ...base } as const;
    expect(await agent.failing('update_issue', closed)).toContain('Not what it seemed');
    for (const done of [
      await agent.use('comment_on_issue', { ...target, comment: 'Still here.' }),
      await agent.use('update_issue', { ...target, add_labels: ['ours'], ...base }),
      await agent.use('assign_issue', { ...target, assignees: ['me'], ...base }),
    ]) {
      expect(done).toMatchObject({ status: 'applied' });
    }
    expect(look(3)).toMatchObject({
      title: 'Not what it seemed',
      labels: ['theirs', 'ours'],
      assignees: ['ada'],
      state: 'open',
      comments: [expect.anything()],
    });
  });

  test('is not quoted to a key without the read scope', async () => {
    const { seen } = await read(4);
    github.editAs('ada', 'acme', 'app', 4, { body: 'A secret.' });
    await syncAgain(caller, trackerId);
    const writer = await connectAgent(winnow.origin, (await newKey(caller, ['write'])).key);
    const update = { issue: issue(4), title: 'Known', base_hash: seen };
    const said = await writer.failing('update_issue', update);
    expect(said).toContain('has changed since');
    expect(said).not.toContain('secret');
    await writer.close();
  });
});

test('a label added meanwhile does not prevent new texts without base hashes', async () => {
  const { id } = await caller.get(`/issues/${encodeURIComponent(issue(6))}`, issueDetail);
  const match = { method: 'POST', path: '/issues/6/labels$' };
  github.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 500 } });
  const labeling = agent.use('update_issue', { issue: issue(6), add_labels: ['ours'] });
  await eventually(() => github.faults.list()[0]?.fired === 1);
  const path = `/issue_compliance_update/${id}`;
  const done = await caller.send('PATCH', path, { description: 'It stops.' }, complianceUpdated);
  expect([done.status, (await labeling).status]).toEqual(['applied', 'applied']);
  expect(look(6)).toMatchObject({ body: 'It stops.', labels: ['ours'] });
});

test('refuses to replace a description without base_hash', async () => {
  const said = await agent.failing('update_issue', { issue: issue(5), description: 'New.' });
  expect(said).toContain('base_hash');
  expect(look(5).body).not.toBe('New.');
});

test('refuses to replace assignees that changed after the agent read them', async () => {
  const read = () => agent.use('get_issue', { issue: issue(5) });
  github.editAs('ada', 'acme', 'app', 5, { assignees: ['ada'] });
  await syncAgain(caller, trackerId);
  const { content_hash: base_hash, assignees: base_assignees } = await read();
  expect(base_assignees).toEqual(['ada']);
  github.setToken({
    token: 'ghp_bob',
    login: 'bob',
    repos: [{ full_name: 'acme/app', permission: 'write' }],
  });
  github.editAs('ada', 'acme', 'app', 5, { assignees: ['ada', 'bob'] });
  const nobody = { issue: issue(5), assignees: [], base_hash, base_assignees };
  // Winnow has not synced the edit yet, so the check in the tracker refuses the write.
  expect(await agent.notWritten('assign_issue', nobody)).toMatchObject({ status: 'failed' });
  await syncAgain(caller, trackerId);
  expect(await agent.failing('assign_issue', nobody)).toContain('"assignees":["ada","bob"]');
  expect(look(5).assignees).toEqual(['ada', 'bob']);
  const now = (await read()).assignees;
  expect(await agent.use('assign_issue', { ...nobody, base_assignees: now })).toMatchObject({
    status: 'applied',
  });
  expect(look(5).assignees).toEqual([]);
});

test('learns the current assignees from a refused assignment', async () => {
  github.setToken({
    token: 'ghp_bob',
    login: 'bob',
    repos: [{ full_name: 'acme/app', permission: 'write' }],
  });
  github.editAs('ada', 'acme', 'app', 6, { assignees: ['bob'] });
  const assign = { issue: issue(6), assignees: ['ada'] };
  const refused = await agent.notWritten('assign_issue', assign);
  expect(refused).toMatchObject({
    status: 'failed',
    summary: expect.stringMatching(/^Not written: Assign /),
  });
  expect(refused.steps?.[0]?.error).toContain('assigned to someone else');
  expect(await agent.use('assign_issue', assign)).toMatchObject({ status: 'applied' });
  expect(look(6).assignees).toEqual(['ada']);
});

describe('a long description', () => {
  test('can be read to its end in parts', async () => {
    let from: number | undefined;
    let whole = '';
    do {
      const part = await agent.use('get_issue', {
        issue: issue(7),
        fields: ['description'],
        description_from: from,
      });
      whole += (part.description ?? '').replace(/… \(\d+ more characters\)$/, '');
      from = part.next_description_from;
    } while (from !== undefined);
    expect(whole).toBe(LONG);
  });

  test('that is truncated cannot be written back', async () => {
    const { seen, description } = await read(7);
    expect(description).toMatch(/more characters\)$/);
    const said = await agent.failing('update_issue', {
      issue: issue(7),
      description: `${description}\nA line.`,
      base_hash: seen,
    });
    expect(said).toContain('description_from');
    const copied = { project: 'acme/app', title: 'A copy', description, allow_duplicate: true };
    expect(await agent.failing('create_issue', copied)).toContain('description_from');
    expect(look(7).body).toBe(LONG);
  });
});

test('all comments can be read once each, newest first', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.use('get_issue', {
      issue: issue(8),
      fields: ['comments'],
      comments_cursor: cursor,
    });
    seen.unshift(...(page.comments ?? []).map(({ text }) => text));
    cursor = page.next_comments_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(COMMENTS.map(({ body }) => body));
  const gone = { issue: issue(8), comments_cursor: '00000000-0000-4000-8000-000000000000' };
  expect(await agent.failing('get_issue', gone)).toContain('Start without a cursor');
});
