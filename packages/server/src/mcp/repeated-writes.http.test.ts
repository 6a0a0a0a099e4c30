import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { differentIssues } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
let agent: Agent;
let proposer: Agent;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, differentIssues(9)));
  agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
  proposer = await connectAgent(winnow.origin, (await newKey(caller, ['read', 'propose'])).key);
});
afterAll(async () => {
  await Promise.all([agent.close(), proposer.close()]);
  await winnow.close();
  await github.close();
});

const issue = (number: number) => `acme/app#${number}`;
const addressOf = async (number: number) =>
  (await agent.use('get_issue', { issue: issue(number), fields: ['url'] })).url ?? '';
const look = (number: number) => github.issue('acme', 'app', number);

describe('with the same idempotency key', () => {
  test('a comment is posted once, even for repeated and concurrent requests', async () => {
    const comment = { issue: issue(1), comment: 'Seen.', idempotency_key: 'comment-1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => agent.use('comment_on_issue', comment)),
    );
    answers.push(await agent.use('comment_on_issue', comment));
    expect(new Set(answers.map(({ change_id }) => change_id)).size).toBe(1);
    expect(look(1).comments).toHaveLength(1);
    expect(await agent.failing('comment_on_issue', { ...comment, comment: 'Else.' })).toContain(
      'was used for another request',
    );
    expect(
      await agent.failing('assign_issue', {
        issue: issue(1),
        assignees: ['me'],
        idempotency_key: 'comment-1',
      }),
    ).toContain('was used for another request');
    expect(look(1).comments).toHaveLength(1);
  });

  test('labels, assignees and a close are written once, and a repetition after a later edit writes nothing', async () => {
    const label = { issue: issue(2), add_labels: ['bug'], idempotency_key: 'label-2' };
    const assign = { issue: issue(2), assignees: ['me'], idempotency_key: 'assign-2' };
    const close = { issue: issue(2), original: issue(3), idempotency_key: 'close-2' };
    const first = [
      await agent.use('update_issue', label),
      await agent.use('assign_issue', assign),
      await agent.use('close_as_duplicate', close),
    ];
    expect(first.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    github.editAs('ada', 'acme', 'app', 2, { labels: [], assignees: [], state: 'open' });
    const again = [
      await agent.use('update_issue', label),
      await agent.use('assign_issue', assign),
      await agent.use('close_as_duplicate', close),
    ];
    expect(again.map(({ change_id }) => change_id)).toEqual(first.map(({ change_id }) => change_id));
    expect(look(2)).toMatchObject({ labels: [], assignees: [], state: 'open' });
  });

  test('a decision is made once, and so is an undo', async () => {
    const proposed = await proposer.use('update_issue', { issue: issue(4), title: 'Proposed' });
    const approval = {
      change_id: proposed.change_id ?? '',
      decision: 'approve',
      idempotency_key: 'yes',
    } as const;
    const first = await agent.use('decide_change', approval);
    expect(first).toMatchObject({ status: 'applied' });
    expect(await agent.use('decide_change', approval)).toEqual(first);
    expect(await agent.failing('decide_change', { ...approval, decision: 'reject' })).toContain(
      'already applied',
    );
    const undo = { ...approval, decision: 'undo', idempotency_key: 'back' } as const;
    const undone = await agent.use('decide_change', undo);
    expect((await agent.use('decide_change', undo)).change_id).toBe(undone.change_id);
    const withoutKey = { change_id: proposed.change_id ?? '', decision: 'undo' } as const;
    expect(await agent.failing('decide_change', withoutKey)).toMatch(/undone|undo/i);
  });

  test('a write that failed is retried, and is an error until it succeeds', async () => {
    github.faults.add({
      match: { method: 'POST', path: '/comments' },
      times: 1,
      action: { kind: 'status', status: 422, body: { message: 'No.' } },
    });
    const comment = { issue: issue(5), comment: 'At last.', idempotency_key: 'comment-5' };
    const failed = await agent.notWritten('comment_on_issue', comment);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(look(5).comments).toHaveLength(0);
    expect(await agent.use('comment_on_issue', comment)).toMatchObject({
      status: 'applied',
      change_id: failed.change_id,
    });
    expect(look(5).comments).toHaveLength(1);
  });
});

test('a proposal is made once', async () => {
  const wanted = { issue: issue(6), comment: 'May I?', idempotency_key: 'may-i' };
  const [one, two] = await Promise.all([
    proposer.use('comment_on_issue', wanted),
    proposer.use('comment_on_issue', wanted),
  ]);
  expect(one).toMatchObject({ status: 'proposed' });
  expect(two.change_id).toBe(one.change_id);
});

describe('a URL identifies an issue', () => {
  test.each(['issues/7', 'issues/7/', 'issues/7#issuecomment-1', 'pull/7/files', 'issues/7?x=1'])(
    '%s',
    async (end) => {
      const address = `${(await addressOf(7)).replace(/issues\/7$/, '')}${end}`;
      expect(await agent.use('get_issue', { issue: address })).toMatchObject({ key: issue(7) });
    },
  );

  test('in writing tools and in the API, even without a scheme', async () => {
    const address = await addressOf(7);
    const done = await agent.use('comment_on_issue', {
      issue: address.replace(/^https?:\/\//, ''),
      comment: 'By its address.',
    });
    expect(done).toMatchObject({ status: 'applied', issue_key: issue(7) });
    const found = await caller.call('GET', `/issues/${encodeURIComponent(address)}`);
    expect(found).toMatchObject({ status: 200, body: { key: issue(7) } });
  });

  test('but only if project and host match', async () => {
    const elsewhere = [
      (await addressOf(7)).replace('acme/app', 'acme/apps'),
      'https://example.com/acme/app/issues/7',
    ];
    for (const address of elsewhere) {
      expect(await agent.failing('get_issue', { issue: address })).toContain('not found');
    }
  });
});

describe('a stored issue that is older than a minute', () => {
  const age = async () => {
    const { db } = winnow.database;
    const at = new Date(Date.now() - 61_000);
    await db.updateTable('issue').set({ synced_at: at }).execute();
    await db.updateTable('project').set({ issues_synced_at: at }).execute();
  };

  test('states when it was read, and is read again for an agent that may write', async () => {
    const reader = await connectAgent(winnow.origin, (await newKey(caller, ['read'])).key);
    await age();
    github.editAs('ada', 'acme', 'app', 8, { title: 'A new title' });
    const old = await reader.use('get_issue', { issue: issue(8) });
    expect(old.title).not.toBe('A new title');
    expect(Date.now() - Date.parse(old.synced_at ?? '')).toBeGreaterThan(60_000);
    const fresh = await agent.use('get_issue', { issue: issue(8) });
    expect(fresh.title).toBe('A new title');
    expect(Date.now() - Date.parse(fresh.synced_at ?? '')).toBeLessThan(60_000);
    await reader.close();
  });

  test('is read again before a write, so that changes that the agent did not see do not refuse the write', async () => {
    await age();
    github.editAs('ada', 'acme', 'app', 9, { body: 'A person says more.' });
    const done = await agent.use('update_issue', { issue: issue(9), title: 'A better title' });
    expect(done).toMatchObject({ status: 'applied' });
    expect(look(9)).toMatchObject({ title: 'A better title', body: 'A person says more.' });
  });

  test('stays unchanged while the tracker does not respond', async () => {
    await age();
    github.faults.add({
      match: { method: 'GET', path: '/issues/8$' },
      times: 5,
      action: { kind: 'status', status: 503 },
    });
    expect(await agent.use('get_issue', { issue: issue(8) })).toMatchObject({ title: 'A new title' });
    github.faults.clear();
  });
});
