import {
  type Change,
  change,
  changeList,
  changePreview,
  type ResolutionResult,
  resolutionResult,
} from '@winnow/contract/change';
import { pairDetail, pairList } from '@winnow/contract/duplicate';
import { errorBody } from '@winnow/contract/error';
import { type IssueDetail, issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubFaultAction } from '@winnow/emulators/github/faults';
import { loadConformance } from '@winnow/emulators/testing/conformance/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Answer, Caller } from '../testing/caller.ts';
import { newBacklog } from '../testing/desk.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, minutesAfterStart, startGitHub, syncAgain, whenSynced } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

// Much of the time is spent waiting, so tests run concurrently. With more than five, each takes a
// minute on a busy machine.
vi.setConfig({ maxConcurrency: 5, testTimeout: 60_000 });
const faultsOf = await loadConformance('github');
const TEXT = 'The thumbnail of a picture that was turned upside down is drawn sideways in the gallery.';
let winnow: RunningWinnow;
const emulators: GitHubEmulator[] = [];
/** Exchanges with GitHub that violate its published API description. */
const breaches: string[] = [];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

/** A user with their own GitHub, in which reports 1, 2 and 3 of acme/app are duplicates. */
interface Desk {
  caller: Caller;
  github: GitHubEmulator;
  trackerId: string;
  /** Indexed by number. */
  ids: [string, string, string, string];
  /** Builds the request that resolves two reports. */
  resolve(first: number, second: number, resolution: string, more?: object): object;
  execute(payload: object): Promise<Answer>;
  look(number: number): ReturnType<GitHubEmulator['issue']>;
  issue(number: number): Promise<IssueDetail>;
}

async function openDesk(): Promise<Desk> {
  const issues = [1, 2, 3].map((number) => ({
    title: `Thumbnail drawn sideways (${number})`,
    body: TEXT,
    created_at: minutesAfterStart(number),
  }));
  const { caller, github, trackerId } = await newBacklog(winnow, issues, {
    onExchange: (exchange) => breaches.push(...faultsOf(exchange)),
  });
  emulators.push(github);
  const issue = (number: number) => caller.get(`/issues/acme%2Fapp%23${number}`, issueDetail);
  const [one, two, three] = await Promise.all([issue(1), issue(2), issue(3)]);
  const ids: Desk['ids'] = ['', one.id, two.id, three.id];
  return {
    caller,
    github,
    trackerId,
    ids,
    resolve: (first, second, resolution, more = {}) => ({
      issue1_id: ids[first],
      issue2_id: ids[second],
      resolution,
      ...more,
    }),
    execute: (payload) => caller.call('PATCH', '/issue-duplicates/execute-resolution', payload),
    look: (number) => github.issue('acme', 'app', number),
    issue,
  };
}

/**
 * Returns the result of a resolution, after waiting for a change that was not finished in the first
 * response.
 */
async function resultOf(desk: Desk, answer: Answer): Promise<ResolutionResult> {
  expect([answer.status === 202 ? 200 : answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const result = resolutionResult.strict().parse(answer.body);
  const { status, steps } = await settled(desk, result.change_id);
  return {
    ...result,
    status,
    steps: steps.map(({ id, action, target_key, target_project_id, status: stands, error }) => {
      return { id, action, target_key, target_project_id, status: stands, error };
    }),
  };
}

/** Undoes or retries a change and returns it when it is settled. */
async function decide(desk: Desk, changeId: string, how: 'undo' | 'retry'): Promise<Change> {
  const { id } = await desk.caller.send('POST', `/changes/${changeId}/${how}`, undefined, change.strict());
  return settled(desk, id);
}

/** Resolves when no change is being applied. */
function quiet({ caller }: Desk): Promise<boolean> {
  return eventually(async () => (await caller.get('/changes?status=applying', changeList)).total === 0);
}

/** Returns the sorted status codes; 202 counts as 200. */
function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => (status === 202 ? 200 : status)).sort();
}

function codeOf(answer: Answer): string {
  return z.object({ code: z.string() }).parse(answer.body).code;
}

function writes({ github }: Desk): string[] {
  return github.requests
    .all()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}

/** Checks that nothing was written and the ledger is empty. */
async function expectNothingDone(desk: Desk): Promise<void> {
  expect(writes(desk)).toEqual([]);
  expect((await desk.caller.get('/changes', changeList)).total).toBe(0);
}

/**
 * Checks that the second report is closed as a duplicate of the first, with one comment on each.
 */
function expectClosedOnce(desk: Desk, loser = 2, original = 1): void {
  expect(desk.look(loser)).toMatchObject({
    state: 'closed',
    state_reason: 'duplicate',
    duplicate_of: `acme/app#${original}`,
  });
  expect(desk.look(original)).toMatchObject({ state: 'open' });
  for (const [on, named] of [
    [loser, original],
    [original, loser],
  ] as const) {
    const { comments } = desk.look(on);
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(`acme/app#${named}`)]);
  }
}

function settled(desk: Desk, changeId: string): Promise<Change> {
  return eventually(
    async () => {
      const found = await desk.caller.get(`/changes/${changeId}`, change.strict());
      return found.status !== 'applying' && found;
    },
    { what: 'the end of the change' },
  );
}

const PATCH = { method: 'PATCH', path: '/issues/2$' };

describe.concurrent('resolving is refused, and nothing is written,', () => {
  test('when the stored issue differs from what the caller saw', async () => {
    const desk = await openDesk();
    const base_hashes = { [desk.ids[2]]: 'f'.repeat(64) };
    const answer = await desk.execute(desk.resolve(1, 2, 'close_b', { base_hashes }));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'changed_since']);
    await expectNothingDone(desk);
  });

  test.each([
    ['the loser was edited', 2, { body: 'It is drawn upside down.' }],
    ['the survivor was edited', 1, { title: 'Something else' }],
    ['the loser was closed', 2, { state: 'closed' as const }],
    ['a label was put on the loser', 2, { labels: ['wontfix'] }],
  ])(
    'when %s in the tracker since the preview, and the response has the new text',
    async (_, number, edit) => {
      const desk = await openDesk();
      const payload = desk.resolve(1, 2, 'close_b');
      const { base_hashes } = await desk.caller.send(
        'POST',
        '/changes/preview',
        { kind: 'resolution', payload },
        changePreview.strict(),
      );
      desk.github.editAs('ada', 'acme', 'app', number, edit);
      const answer = await desk.execute({ ...payload, base_hashes });
      expect([answer.status, codeOf(answer)]).toEqual([409, 'changed_since']);
      const { title, body, state, labels } = desk.look(number);
      const fresh = errorBody.parse(answer.body).issue;
      expect(fresh).toMatchObject({
        title,
        description: body,
        state: state === 'open' ? 'opened' : 'closed',
        labels,
      });
      expect(await desk.issue(number)).toMatchObject({ ...fresh });
      await expectNothingDone(desk);
    },
  );

  test('when the issue is missing from the tracker', async () => {
    const desk = await openDesk();
    desk.github.deleteIssue('acme', 'app', 2);
    const answer = await desk.execute(desk.resolve(1, 2, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'issue_gone']);
    await expectNothingDone(desk);
    expect((await desk.issue(2)).key, 'a single failed read proves nothing').toBe('acme/app#2');
  });

  test('when the tracker does not respond, with its sentence', async () => {
    const desk = await openDesk();
    desk.github.faults.add({ action: { kind: 'status', status: 503 } });
    const answer = await desk.execute(desk.resolve(1, 2, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([502, 'upstream_failed']);
    expect(answer.text).toContain('had an internal error (503)');
    await expectNothingDone(desk);
  });

  test('when the tracker is too slow', async () => {
    const desk = await openDesk();
    desk.github.faults.add({ action: { kind: 'delay', delayMs: 15_000 } });
    const answer = await desk.execute(desk.resolve(1, 2, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([502, 'upstream_failed']);
    expect(answer.text).toContain('did not respond in time');
    await expectNothingDone(desk);
  });

  test('when the request is inconsistent', async () => {
    const desk = await openDesk();
    for (const [payload, status] of [
      [desk.resolve(1, 1, 'close_b'), 422],
      [desk.resolve(1, 2, 'merge'), 422],
      [desk.resolve(1, 2, 'close_b', { base_hashes: { [desk.ids[1]]: 'no hash' } }), 422],
      [{ ...desk.resolve(1, 2, 'close_b'), issue2_id: 'acme/app#2' }, 422],
    ] as const) {
      expect((await desk.execute(payload)).status).toBe(status);
      const preview = { kind: 'resolution', payload };
      expect((await desk.caller.call('POST', '/changes/preview', preview)).status).toBe(status);
    }
    await expectNothingDone(desk);
  });
});

describe.concurrent('closing as a duplicate', () => {
  test('does what the preview showed; undo reopens the issue and removes the comments', async () => {
    const desk = await openDesk();
    const before = [desk.look(1), desk.look(2)];
    const payload = desk.resolve(1, 2, 'close_b');
    const preview = await desk.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload },
      changePreview.strict(),
    );
    await expectNothingDone(desk);
    const result = await resultOf(desk, await desk.execute({ ...payload, base_hashes: preview.base_hashes }));
    expect(result).toMatchObject({ resolution: 'closed', status: 'applied', summary: preview.title });
    expect(result.steps.map(({ action, target_key, status }) => [action, target_key, status])).toEqual(
      preview.steps.map(({ action, target_key }) => [action, target_key, 'applied']),
    );
    expectClosedOnce(desk);
    const posted = preview.steps.flatMap(({ after }) => after.comment ?? []);
    expect(posted).toHaveLength(2);
    for (const text of posted) {
      const said = [...desk.look(1).comments, ...desk.look(2).comments].map(({ body }) => body);
      expect(said.some((body) => body.startsWith(text))).toBe(true);
    }
    expect((await desk.issue(2)).state).toBe('closed');
    const done = await desk.caller.get(`/changes/${result.change_id}`, change.strict());
    expect(done).toMatchObject({ status: 'applied', actor: { type: 'user', name: desk.caller.name } });
    expect(done.steps.map(({ before: was, after }) => ({ before: was, after }))).toEqual(
      preview.steps.map(({ before: was, after }) => ({ before: was, after })),
    );

    const undone = await decide(desk, result.change_id, 'undo');
    expect(undone).toMatchObject({ kind: 'undo', status: 'applied' });
    expect([desk.look(1).comments, desk.look(2).comments]).toEqual([[], []]);
    expect(desk.look(2)).toMatchObject({ state: 'open', duplicate_of: null, title: before[1]?.title });
    expect((await desk.issue(2)).state).toBe('opened');
    for (const number of [1, 2]) {
      expect(await desk.issue(number)).toMatchObject({ comments: [], comments_count: 0 });
    }
    const first = await desk.caller.get(`/changes/${result.change_id}`, change.strict());
    expect(first).toMatchObject({ status: 'undone', undone_by: undone.id });
    expect(first.steps.map(({ status }) => status)).toEqual(['undone', 'undone', 'undone']);
    await syncAgain(desk.caller, desk.trackerId);
    expect((await desk.issue(1)).comments).toEqual([]);
    expect((await desk.issue(2)).comments).toEqual([]);
    // The undone resolution can be executed again.
    await resultOf(desk, await desk.execute(payload));
    expectClosedOnce(desk);
  });

  test('posts the comments as edited in the preview, and no others', async () => {
    const desk = await openDesk();
    const comments = { [desk.ids[2]]: 'Same fault as the *first* report.\n\nSee there.' };
    const payload = desk.resolve(1, 2, 'close_b', { comments });
    const refused = async (wrong: object) => {
      const body = { kind: 'resolution', payload: desk.resolve(1, 2, 'close_b', { comments: wrong }) };
      return (await desk.caller.call('POST', '/changes/preview', body)).status;
    };
    expect(await refused({ [desk.ids[2]]: '  ' })).toBe(422);
    expect(await refused({ [desk.ids[2]]: 'x'.repeat(65_537) })).toBe(422);
    expect(await refused({ [desk.ids[3]]: 'An issue on which nothing is posted.' })).toBe(422);
    const preview = await desk.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload },
      changePreview.strict(),
    );
    expect(preview.steps[0]).toMatchObject({
      action: 'comment',
      target_id: desk.ids[2],
      after: { comment: comments[desk.ids[2]] },
    });
    await expectNothingDone(desk);

    const stale = await desk.execute({ ...payload, base_hashes: { [desk.ids[2]]: 'f'.repeat(64) } });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'changed_since']);
    const result = await resultOf(desk, await desk.execute({ ...payload, base_hashes: preview.base_hashes }));
    expect(result.status).toBe('applied');
    expect(desk.look(2).comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^Same fault as the \*first\* report\.\n\nSee there\./),
    ]);
    expect(desk.look(1).comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('reports the same and was closed as a duplicate of this issue.'),
    ]);
    const done = await desk.caller.get(`/changes/${result.change_id}`, change.strict());
    expect(done.steps.map(({ after }) => after)).toEqual(preview.steps.map(({ after }) => after));
    await decide(desk, result.change_id, 'undo');
    expect(desk.look(2).comments).toEqual([]);

    const proposed = await desk.caller.send(
      'PATCH',
      '/issue-duplicates/propose-resolution',
      { ...payload, comments: { [desk.ids[1]]: 'Waits until it is approved.' } },
      change.strict(),
    );
    expect(proposed.steps[1]?.after.comment).toBe('Waits until it is approved.');
  });

  test('appears on the pair, and so does undo', async () => {
    const desk = await openDesk();
    const listed = (resolution: string, status = 'all') =>
      desk.caller.get(`/issue-duplicates?status=${status}&resolution=${resolution}`, pairList);
    await eventually(async () => (await listed('all')).total === 3);
    const { change_id } = await resultOf(desk, await desk.execute(desk.resolve(2, 1, 'close_a')));
    expect((await listed('resolved')).duplicates).toMatchObject([
      { resolution: 'closed', issue1: { id: desk.ids[1], state: 'opened' }, issue2: { id: desk.ids[2] } },
    ]);
    expect((await listed('unresolved')).total).toBe(2);
    expect((await listed('all', 'opened')).total).toBe(1);
    const [pair] = (await listed('resolved')).duplicates;
    expect((await desk.caller.get(`/issue-duplicates/${pair?.id}`, pairDetail)).change_id).toBe(change_id);
    await decide(desk, change_id, 'undo');
    expect((await listed('resolved')).total).toBe(0);
    expect((await listed('all', 'opened')).total).toBe(3);
  });

  test('happens exactly once for concurrent requests', async () => {
    const desk = await openDesk();
    const answers = await Promise.all(
      [
        desk.resolve(1, 2, 'close_b'),
        desk.resolve(2, 1, 'close_a'),
        desk.resolve(1, 2, 'close_a'),
        desk.resolve(2, 1, 'close_b'),
        desk.resolve(1, 2, 'close_b'),
        desk.resolve(1, 2, 'unrelated'),
      ].map((payload) => desk.execute(payload)),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409, 409, 409, 409]);
    await quiet(desk);
    expect((await desk.caller.get('/changes', changeList)).total).toBe(1);
    const [only] = (await desk.caller.get('/changes', changeList)).changes;
    const isClosing = only?.steps[0]?.action !== 'mark_unrelated';
    expect(writes(desk)).toHaveLength(isClosing ? 3 : 0);
    if (isClosing) expect([desk.look(1).state, desk.look(2).state].sort()).toEqual(['closed', 'open']);
    expect(codeOf(await desk.execute(desk.resolve(1, 2, 'unrelated')))).toBe('already_resolved');
  });

  test('of one issue with two originals at the same time happens with one of them', async () => {
    const desk = await openDesk();
    const answers = await Promise.all(
      [desk.resolve(1, 3, 'close_b'), desk.resolve(2, 3, 'close_b'), desk.resolve(3, 1, 'close_a')].map(
        (payload) => desk.execute(payload),
      ),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    await quiet(desk);
    expect(desk.look(3).comments).toHaveLength(1);
    expect(writes(desk)).toHaveLength(3);
  });

  test('of two issues with each other, in a circle, never happens', async () => {
    const desk = await openDesk();
    const answers = await Promise.all(
      [desk.resolve(1, 2, 'close_b'), desk.resolve(2, 3, 'close_b'), desk.resolve(3, 1, 'close_b')].map(
        (payload) => desk.execute(payload),
      ),
    );
    expect(statusesOf(answers)).toContain(200);
    await quiet(desk);
    expect([1, 2, 3].filter((number) => desk.look(number).state === 'open').length).toBeGreaterThan(0);
    const closed = [1, 2, 3].filter((number) => desk.look(number).state === 'closed');
    for (const start of closed) {
      let at = `acme/app#${start}`;
      for (let hops = 0; hops < 4; hops += 1) at = desk.look(Number(at.split('#')[1])).duplicate_of ?? at;
      expect(desk.look(Number(at.split('#')[1])).state).toBe('open');
    }
  });

  test('with a duplicate as the original uses the issue at the end of the chain', async () => {
    const desk = await openDesk();
    await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'close_b')));
    // An original is remembered even if listings do not repeat it.
    await syncAgain(desk.caller, desk.trackerId);
    const preview = await desk.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload: desk.resolve(2, 3, 'close_b') },
      changePreview,
    );
    expect(preview.title).toContain('acme/app#1');
    await resultOf(desk, await desk.execute(desk.resolve(2, 3, 'close_b')));
    expect(desk.look(3).duplicate_of).toBe('acme/app#1');
    const answer = await desk.execute(desk.resolve(3, 1, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'duplicate_cycle']);
  });

  test('with an original that was closed as a duplicate in the tracker is refused', async () => {
    const desk = await openDesk();
    const asDuplicate = { state: 'closed', state_reason: 'duplicate', duplicate_of: 2 } as const;
    desk.github.editAs('bob', 'acme', 'app', 1, asDuplicate);
    await syncAgain(desk.caller, desk.trackerId);
    for (const loser of [2, 3]) {
      const answer = await desk.execute(desk.resolve(1, loser, 'close_b'));
      expect([answer.status, codeOf(answer)]).toEqual([409, 'unknown_original']);
      expect(desk.look(loser)).toMatchObject({ state: 'open', comments: [] });
    }
  });

  test('across trackers closes without a link, also when both have the key, and later finds the right original', async () => {
    const desk = await openDesk();
    const other = await startGitHub([{ title: 'The far original', body: TEXT }]);
    emulators.push(other);
    const { id } = await connect(desk.caller, other);
    await whenSynced(desk.caller, id);
    const candidates = await desk.caller.call('GET', '/issues/acme%2Fapp%231');
    const { fields } = errorBody.parse(candidates.body);
    const far = fields?.find(({ message }) => message.endsWith(': The far original'))?.path ?? '';

    const result = await resultOf(
      desk,
      await desk.execute({ issue1_id: far, issue2_id: desk.ids[2], resolution: 'close_b' }),
    );
    expect(result.status).toBe('applied');
    expect(desk.look(2)).toMatchObject({ state: 'closed', state_reason: 'not_planned', duplicate_of: null });
    expect(desk.look(2).comments.at(-1)?.body).toContain(
      `[acme/app#1 on ${new URL(other.url).host}](${other.url}/acme/app/issues/1)`,
    );
    expect(desk.look(1).comments).toEqual([]);
    const said = other.issue('acme', 'app', 1);
    expect(said.state).toBe('open');
    expect(said.comments.at(-1)?.body).toContain(
      `[acme/app#2 on ${new URL(desk.github.url).host}](${desk.github.url}/acme/app/issues/2)`,
    );

    await resultOf(desk, await desk.execute(desk.resolve(2, 3, 'close_b')));
    expect(desk.look(3)).toMatchObject({ state: 'closed', state_reason: 'not_planned', duplicate_of: null });
    expect(other.issue('acme', 'app', 1).comments).toHaveLength(2);

    await decide(desk, result.change_id, 'undo');
    expect(desk.look(2)).toMatchObject({ state: 'open', comments: [] });
    expect(other.issue('acme', 'app', 1).comments).toHaveLength(1);
  });

  test('of an issue that two trackers read is refused before anything is written', async () => {
    const desk = await openDesk();
    const { id } = await connect(desk.caller, desk.github, { name: 'The same once more' });
    await whenSynced(desk.caller, id);
    const candidates = await desk.caller.call('GET', '/issues/acme%2Fapp%231');
    const [one, again] = errorBody.parse(candidates.body).fields ?? [];
    const payload = { issue1_id: one?.path, issue2_id: again?.path, resolution: 'close_b' };
    const answer = await desk.execute(payload);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'same_issue']);
    await expectNothingDone(desk);
    await resultOf(desk, await desk.execute({ ...payload, resolution: 'unrelated' }));
    expect(writes(desk)).toEqual([]);
  });
});

describe.concurrent('a failing tracker while a change is applied', () => {
  const troubles: [string, { method: string; path: string }, GitHubFaultAction, number][] = [
    [
      'fails before it has posted',
      { method: 'POST', path: '/issues/2/comments$' },
      { kind: 'status', status: 502 },
      1,
    ],
    [
      'posts, but its answer is lost',
      { method: 'POST', path: '/issues/1/comments$' },
      { kind: 'status', status: 502, handled: true },
      1,
    ],
    [
      'posts, and breaks off',
      { method: 'POST', path: '/issues/2/comments$' },
      { kind: 'drop', when: 'mid-body' },
      1,
    ],
    ['closes, but its answers are lost', PATCH, { kind: 'status', status: 502, handled: true }, 4],
    ['closes, and talks nonsense', PATCH, { kind: 'malformed' }, 4],
  ];

  test.each(troubles)('(it %s) is retried, and everything is done once', async (_, match, action, times) => {
    const desk = await openDesk();
    desk.github.faults.add({ match, action, times });
    const result = resolutionResult.parse((await desk.execute(desk.resolve(1, 2, 'close_b'))).body);
    const done = await settled(desk, result.change_id);
    expect(done).toMatchObject({ status: 'applied' });
    expect(done.steps.map(({ status, error }) => [status, error])).toEqual(
      done.steps.map(() => ['applied', null]),
    );
    expect(desk.github.faults.list()[0]?.fired).toBe(times);
    expectClosedOnce(desk);
    // After-effects of a crash or a lost response must not break the chain.
    const preview = await desk.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload: desk.resolve(2, 3, 'close_b') },
      changePreview,
    );
    expect(preview.title).toContain('duplicate of acme/app#1');
    await decide(desk, result.change_id, 'undo');
    expect([desk.look(1).comments, desk.look(2).comments, desk.look(2).state]).toEqual([[], [], 'open']);
  });

  test('that is slow results in 202, and the live channel reports the end', async () => {
    const desk = await openDesk();
    const listener = await listenLive(winnow.origin, desk.caller.tokens.access_token);
    desk.github.faults.add({ match: PATCH, times: 1, action: { kind: 'delay', delayMs: 11_000 } });
    const answer = await desk.execute(desk.resolve(1, 2, 'close_b'));
    expect(answer.status).toBe(202);
    const result = resolutionResult.strict().parse(answer.body);
    expect(result.status).toBe('applying');
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'applying']);
    await listener.heard(
      (event) =>
        event.type === 'change_updated' && event.change_id === result.change_id && event.status === 'applied',
    );
    expect((await desk.caller.get(`/changes/${result.change_id}`, change)).status).toBe('applied');
    expectClosedOnce(desk);
    await listener.close();
  });

  test('that limits requests shows the waiting time at the step, and the change continues by itself', async () => {
    const desk = await openDesk();
    desk.github.faults.add({ match: PATCH, times: 1, action: { kind: 'primary-limit', resetInSeconds: 6 } });
    const answer = desk.execute(desk.resolve(1, 2, 'close_b'));
    const held = await eventually(async () => {
      const [only] = (await desk.caller.get('/changes', changeList)).changes;
      return only?.steps.find(({ error }) => error !== null);
    });
    expect(held).toMatchObject({ action: 'close_as_duplicate', status: 'applying' });
    expect(held.error).toMatch(/until \d\d:\d\d:\d\d UTC/);
    const { change_id } = resolutionResult.parse((await answer).body);
    expect((await settled(desk, change_id)).status).toBe('applied');
    expectClosedOnce(desk);
  });

  test('that refuses shows why; a retry does only the rest', async () => {
    const desk = await openDesk();
    desk.github.faults.add({
      match: PATCH,
      action: { kind: 'status', status: 403, body: { message: 'No.' } },
    });
    const result = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'close_b')));
    expect(result.status).toBe('partly_applied');
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
    expect(result.steps[2]?.error).toMatch(/This token is not allowed.*No\./);
    desk.github.faults.clear();
    const path = `/changes/${result.change_id}/retry`;
    const [retried, ...refused] = (
      await Promise.all([1, 2, 3].map(() => desk.caller.call('POST', path)))
    ).sort((one, other) => one.status - other.status);
    expect(retried?.status).toBeLessThan(300);
    expect(refused.map(codeOf)).toEqual(['nothing_failed', 'nothing_failed']);
    await quiet(desk);
    expectClosedOnce(desk);
  });

  test('that refuses although it acted gets nothing twice on a retry', async () => {
    const desk = await openDesk();
    const lost = { kind: 'status', status: 403, handled: true } as const;
    desk.github.faults.add({ match: { method: 'POST', path: '/issues/1/comments$' }, action: lost });
    const result = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'close_b')));
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'failed', 'skipped']);
    desk.github.faults.clear();
    desk.github.faults.add({ match: PATCH, action: lost });
    const again = await decide(desk, result.change_id, 'retry');
    expect(again.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
    desk.github.faults.clear();
    expect((await decide(desk, result.change_id, 'retry')).status).toBe('applied');
    expectClosedOnce(desk);
  });

  test("a retry does not mistake another user's close for ours", async () => {
    const desk = await openDesk();
    const closed = { state: 'closed', state_reason: 'completed' } as const;
    desk.github.faults.add({
      match: { method: 'POST', path: '/issues/2/comments$' },
      times: 1,
      action: { kind: 'delay', delayMs: 500 },
    });
    const answer = desk.execute(desk.resolve(1, 2, 'close_b'));
    await eventually(() => desk.github.faults.list()[0]?.fired === 1);
    desk.github.editAs('ada', 'acme', 'app', 2, closed);
    const result = await resultOf(desk, await answer);
    expect(result.steps.at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('someone else'),
    });
    const refused = await desk.caller.fail('POST', `/changes/${result.change_id}/retry`, 409);
    expect(refused.code).toBe('changed_since');
    expect(desk.look(2)).toMatchObject(closed);
  });
});

describe.concurrent('undoing', () => {
  test('by several people at the same time happens once', async () => {
    const desk = await openDesk();
    const { change_id } = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'close_b')));
    const path = `/changes/${change_id}/undo`;
    const answers = await Promise.all([1, 2, 3].map(() => desk.caller.call('POST', path)));
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(codeOf)).toEqual(['already_undone', 'already_undone']);
    await quiet(desk);
    const late = await desk.caller.call('POST', path);
    expect([late.status, codeOf(late)]).toEqual([409, 'not_undoable']);
    expect([desk.look(1).comments, desk.look(2).comments, desk.look(2).state]).toEqual([[], [], 'open']);
    expect(writes(desk).filter((write) => write.startsWith('DELETE'))).toHaveLength(2);
  });

  test('accepts an issue that was reopened, and removes its comments', async () => {
    const desk = await openDesk();
    const { change_id } = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'close_b')));
    desk.github.editAs('ada', 'acme', 'app', 2, { state: 'open' });
    const undone = await decide(desk, change_id, 'undo');
    expect(undone).toMatchObject({ status: 'applied' });
    expect([desk.look(1).comments, desk.look(2).comments, desk.look(2).state]).toEqual([[], [], 'open']);
  });

  test('of a pair marked as unrelated makes it undecided again, without writing to the tracker', async () => {
    const desk = await openDesk();
    const result = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'unrelated')));
    expect(result).toMatchObject({ resolution: 'unrelated', status: 'applied' });
    await decide(desk, result.change_id, 'undo');
    expect(writes(desk)).toEqual([]);
    const { changes, total } = await desk.caller.get(`/changes?issue_id=${desk.ids[1]}`, changeList.strict());
    expect([total, changes.map(({ kind, status }) => [kind, status])]).toEqual([
      2,
      [
        ['undo', 'applied'],
        ['resolution', 'undone'],
      ],
    ]);
    expect((await desk.caller.get('/changes?status=undone&kind=resolution', changeList)).total).toBe(1);
    expect((await desk.caller.get('/changes?skip=1&limit=1', changeList)).changes).toHaveLength(1);
  });

  test('does not delay decisions about another pair', async () => {
    const desk = await openDesk();
    const { change_id } = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'unrelated')));
    const closing = await resultOf(desk, await desk.execute(desk.resolve(1, 3, 'close_b')));
    const match = { method: 'PATCH', path: '/issues/3$' };
    desk.github.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 300 } });
    const undoing = desk.caller.call('POST', `/changes/${closing.change_id}/undo`);
    await eventually(() => desk.github.faults.list()[0]?.fired === 1);
    const again = await desk.execute(desk.resolve(1, 2, 'close_b'));
    expect([again.status, codeOf(again)]).toEqual([409, 'already_resolved']);
    await resultOf(desk, await desk.execute(desk.resolve(2, 3, 'unrelated')));
    expect((await undoing).status).toBe(200);
    expect((await desk.caller.get(`/changes/${change_id}`, change)).status).toBe('applied');
  });

  test('waits for another change of the issue, and is applied after it', async () => {
    const desk = await openDesk();
    const { change_id } = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'close_b')));
    const match = { method: 'PATCH', path: '/issues/3$' };
    desk.github.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 1_000 } });
    const closing = desk.execute(desk.resolve(1, 3, 'close_b'));
    await eventually(() => desk.github.faults.list()[0]?.fired === 1);
    expect(await decide(desk, change_id, 'undo')).toMatchObject({ status: 'applied' });
    expect(desk.look(2).state).toBe('open');
    expect(await resultOf(desk, await closing)).toMatchObject({ resolution: 'closed' });
    expect(desk.look(3).state).toBe('closed');
  });

  test('of an undo, and retry of what did not fail, are refused', async () => {
    const desk = await openDesk();
    const { change_id } = await resultOf(desk, await desk.execute(desk.resolve(1, 2, 'unrelated')));
    expect((await desk.caller.fail('POST', `/changes/${change_id}/retry`, 409)).code).toBe('nothing_failed');
    const undone = await decide(desk, change_id, 'undo');
    expect((await desk.caller.fail('POST', `/changes/${undone.id}/undo`, 409)).code).toBe('not_undoable');
  });
});

test('all exchanges with GitHub match its API description', () => {
  expect(breaches).toEqual([]);
});

test('no expected failure was logged as an error of ours', () => {
  const errors = winnow.logLines.filter(({ level, code }) => level === 'error' && code !== 'upstream_failed');
  expect(errors).toEqual([]);
});
