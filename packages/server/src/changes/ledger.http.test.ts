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
import { newBacklog } from '../testing/backlog.ts';
import type { Answer, Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { connect, minutesAfterStart, startGitHub, syncAgain, TOKEN, whenSynced } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

// Most of the time is spent waiting, so tests run concurrently. With more than five at a time, each
// test takes a minute on a busy machine.
vi.setConfig({ maxConcurrency: 5, testTimeout: 60_000 });
const faultsOf = await loadConformance('github');
const TEXT = 'The thumbnail of a picture that was turned upside down is drawn sideways in the gallery.';
let winnow: RunningWinnow;
const emulators: GitHubEmulator[] = [];
/** Requests and responses that violate GitHub's published API description. */
const breaches: string[] = [];

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(async () => {
  await winnow.close();
  for (const emulator of emulators) await emulator.close();
});

/** A user with an emulated GitHub. Issues 1, 2 and 3 of acme/app are duplicates. */
interface LedgerSetup {
  caller: Caller;
  github: GitHubEmulator;
  trackerId: string;
  /** Ids of the issues, indexed by issue number. */
  ids: [string, string, string, string];
  /** Builds the request that resolves the pair of two issues, given by number. */
  resolve(first: number, second: number, resolution: string, more?: object): object;
  execute(payload: object): Promise<Answer>;
  look(number: number): ReturnType<GitHubEmulator['issue']>;
  issue(number: number): Promise<IssueDetail>;
}

async function newSetup(): Promise<LedgerSetup> {
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
  const ids: LedgerSetup['ids'] = ['', one.id, two.id, three.id];
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
 * Returns the result of a resolution. Waits for the change if the response says that it is still
 * being applied.
 */
async function resultOf(setup: LedgerSetup, answer: Answer): Promise<ResolutionResult> {
  expect([answer.status === 202 ? 200 : answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const result = resolutionResult.strict().parse(answer.body);
  const { status, steps } = await settled(setup, result.change_id);
  return {
    ...result,
    status,
    steps: steps.map(({ id, action, target_key, target_project_id, status: stands, error }) => {
      return { id, action, target_key, target_project_id, status: stands, error };
    }),
  };
}

/** Undoes or retries a change. Returns the change when it is settled. */
async function decide(setup: LedgerSetup, changeId: string, how: 'undo' | 'retry'): Promise<Change> {
  const { id } = await setup.caller.send('POST', `/changes/${changeId}/${how}`, undefined, change.strict());
  return settled(setup, id);
}

/** Resolves when no change of the account is being applied. */
function quiet({ caller }: LedgerSetup): Promise<boolean> {
  return eventually(async () => (await caller.get('/changes?status=applying', changeList)).total === 0);
}

/** Returns the sorted status codes. A 202 counts as a 200. */
function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => (status === 202 ? 200 : status)).sort();
}

function codeOf(answer: Answer): string {
  return z.object({ code: z.string() }).parse(answer.body).code;
}

function writes({ github }: LedgerSetup): string[] {
  return github.requests
    .all()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}

/** Checks that nothing was written to the tracker and that the ledger is empty. */
async function expectNothingDone(setup: LedgerSetup): Promise<void> {
  expect(writes(setup)).toEqual([]);
  expect((await setup.caller.get('/changes', changeList)).total).toBe(0);
}

/** Checks that issue `loser` is closed as a duplicate of `original`, with one comment on each. */
function expectClosedOnce(setup: LedgerSetup, loser = 2, original = 1): void {
  expect(setup.look(loser)).toMatchObject({
    state: 'closed',
    state_reason: 'duplicate',
    duplicate_of: `acme/app#${original}`,
  });
  expect(setup.look(original)).toMatchObject({ state: 'open' });
  for (const [on, named] of [
    [loser, original],
    [original, loser],
  ] as const) {
    const { comments } = setup.look(on);
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(`acme/app#${named}`)]);
  }
}

function settled(setup: LedgerSetup, changeId: string): Promise<Change> {
  return eventually(
    async () => {
      const found = await setup.caller.get(`/changes/${changeId}`, change.strict());
      return found.status !== 'applying' && found;
    },
    { what: 'the end of the change' },
  );
}

const PATCH = { method: 'PATCH', path: '/issues/2$' };

describe.concurrent('resolving is refused, and nothing is written,', () => {
  test('when the stored issue differs from what the caller saw', async () => {
    const setup = await newSetup();
    const base_hashes = { [setup.ids[2]]: 'f'.repeat(64) };
    const answer = await setup.execute(setup.resolve(1, 2, 'close_b', { base_hashes }));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'changed_since']);
    await expectNothingDone(setup);
  });

  test.each([
    ['the loser was edited', 2, { body: 'It is drawn upside down.' }],
    ['the survivor was edited', 1, { title: 'Something else' }],
    ['the loser was closed', 2, { state: 'closed' as const }],
    ['a label was put on the loser', 2, { labels: ['wontfix'] }],
  ])(
    'when %s in the tracker since the preview, and the response has the new text',
    async (_, number, edit) => {
      const setup = await newSetup();
      const payload = setup.resolve(1, 2, 'close_b');
      const { base_hashes } = await setup.caller.send(
        'POST',
        '/changes/preview',
        { kind: 'resolution', payload },
        changePreview.strict(),
      );
      setup.github.editAs('ada', 'acme', 'app', number, edit);
      const answer = await setup.execute({ ...payload, base_hashes });
      expect([answer.status, codeOf(answer)]).toEqual([409, 'changed_since']);
      const { title, body, state, labels } = setup.look(number);
      const fresh = errorBody.parse(answer.body).issue;
      expect(fresh).toMatchObject({
        title,
        description: body,
        state: state === 'open' ? 'opened' : 'closed',
        labels,
      });
      expect(await setup.issue(number)).toMatchObject({ ...fresh });
      await expectNothingDone(setup);
    },
  );

  test('when the issue is missing from the tracker', async () => {
    const setup = await newSetup();
    setup.github.deleteIssue('acme', 'app', 2);
    const answer = await setup.execute(setup.resolve(1, 2, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'issue_gone']);
    await expectNothingDone(setup);
    expect((await setup.issue(2)).key, 'a single failed read proves nothing').toBe('acme/app#2');
  });

  test('when the tracker does not respond, with its sentence', async () => {
    const setup = await newSetup();
    setup.github.faults.add({ action: { kind: 'status', status: 503 } });
    const answer = await setup.execute(setup.resolve(1, 2, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([502, 'upstream_failed']);
    expect(answer.text).toContain('had an internal error (503)');
    await expectNothingDone(setup);
  });

  test('when the tracker is too slow', async () => {
    const setup = await newSetup();
    setup.github.faults.add({ action: { kind: 'delay', delayMs: 15_000 } });
    const answer = await setup.execute(setup.resolve(1, 2, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([502, 'upstream_failed']);
    expect(answer.text).toContain('did not respond in time');
    await expectNothingDone(setup);
  });

  test('when the request is inconsistent', async () => {
    const setup = await newSetup();
    for (const [payload, status] of [
      [setup.resolve(1, 1, 'close_b'), 422],
      [setup.resolve(1, 2, 'merge'), 422],
      [setup.resolve(1, 2, 'close_b', { base_hashes: { [setup.ids[1]]: 'no hash' } }), 422],
      [{ ...setup.resolve(1, 2, 'close_b'), issue2_id: 'acme/app#2' }, 422],
    ] as const) {
      expect((await setup.execute(payload)).status).toBe(status);
      const preview = { kind: 'resolution', payload };
      expect((await setup.caller.call('POST', '/changes/preview', preview)).status).toBe(status);
    }
    await expectNothingDone(setup);
  });
});

describe.concurrent('closing as a duplicate', () => {
  test('does what the preview showed; undo reopens the issue and removes the comments', async () => {
    const setup = await newSetup();
    const before = [setup.look(1), setup.look(2)];
    const payload = setup.resolve(1, 2, 'close_b');
    const preview = await setup.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload },
      changePreview.strict(),
    );
    await expectNothingDone(setup);
    const result = await resultOf(
      setup,
      await setup.execute({ ...payload, base_hashes: preview.base_hashes }),
    );
    expect(result).toMatchObject({ resolution: 'closed', status: 'applied', summary: preview.title });
    expect(result.steps.map(({ action, target_key, status }) => [action, target_key, status])).toEqual(
      preview.steps.map(({ action, target_key }) => [action, target_key, 'applied']),
    );
    expectClosedOnce(setup);
    const posted = preview.steps.flatMap(({ after }) => after.comment ?? []);
    expect(posted).toHaveLength(2);
    for (const text of posted) {
      const said = [...setup.look(1).comments, ...setup.look(2).comments].map(({ body }) => body);
      expect(said.some((body) => body.startsWith(text))).toBe(true);
    }
    expect((await setup.issue(2)).state).toBe('closed');
    const done = await setup.caller.get(`/changes/${result.change_id}`, change.strict());
    expect(done).toMatchObject({ status: 'applied', actor: { type: 'user', name: setup.caller.name } });
    expect(done.steps.map(({ before: was, after }) => ({ before: was, after }))).toEqual(
      preview.steps.map(({ before: was, after }) => ({ before: was, after })),
    );

    const undone = await decide(setup, result.change_id, 'undo');
    expect(undone).toMatchObject({ kind: 'undo', status: 'applied' });
    expect([setup.look(1).comments, setup.look(2).comments]).toEqual([[], []]);
    expect(setup.look(2)).toMatchObject({ state: 'open', duplicate_of: null, title: before[1]?.title });
    expect((await setup.issue(2)).state).toBe('opened');
    for (const number of [1, 2]) {
      expect(await setup.issue(number)).toMatchObject({ comments: [], comments_count: 0 });
    }
    const first = await setup.caller.get(`/changes/${result.change_id}`, change.strict());
    expect(first).toMatchObject({ status: 'undone', undone_by: undone.id });
    expect(first.steps.map(({ status }) => status)).toEqual(['undone', 'undone', 'undone']);
    await syncAgain(setup.caller, setup.trackerId);
    expect((await setup.issue(1)).comments).toEqual([]);
    expect((await setup.issue(2)).comments).toEqual([]);
    // The undone resolution can be applied again.
    await resultOf(setup, await setup.execute(payload));
    expectClosedOnce(setup);
  });

  test('posts the comments as edited in the preview, and no others', async () => {
    const setup = await newSetup();
    const comments = { [setup.ids[2]]: 'Same fault as the *first* report.\n\nSee there.' };
    const payload = setup.resolve(1, 2, 'close_b', { comments });
    const refused = async (wrong: object) => {
      const body = { kind: 'resolution', payload: setup.resolve(1, 2, 'close_b', { comments: wrong }) };
      return (await setup.caller.call('POST', '/changes/preview', body)).status;
    };
    expect(await refused({ [setup.ids[2]]: '  ' })).toBe(422);
    expect(await refused({ [setup.ids[2]]: 'x'.repeat(65_537) })).toBe(422);
    expect(await refused({ [setup.ids[3]]: 'An issue on which nothing is posted.' })).toBe(422);
    const preview = await setup.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload },
      changePreview.strict(),
    );
    expect(preview.steps[0]).toMatchObject({
      action: 'comment',
      target_id: setup.ids[2],
      after: { comment: comments[setup.ids[2]] },
    });
    await expectNothingDone(setup);

    const stale = await setup.execute({ ...payload, base_hashes: { [setup.ids[2]]: 'f'.repeat(64) } });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'changed_since']);
    const result = await resultOf(
      setup,
      await setup.execute({ ...payload, base_hashes: preview.base_hashes }),
    );
    expect(result.status).toBe('applied');
    expect(setup.look(2).comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^Same fault as the \*first\* report\.\n\nSee there\./),
    ]);
    expect(setup.look(1).comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('reports the same problem and was closed as a duplicate of this issue.'),
    ]);
    const done = await setup.caller.get(`/changes/${result.change_id}`, change.strict());
    expect(done.steps.map(({ after }) => after)).toEqual(preview.steps.map(({ after }) => after));
    await decide(setup, result.change_id, 'undo');
    expect(setup.look(2).comments).toEqual([]);

    const proposed = await setup.caller.send(
      'PATCH',
      '/issue-duplicates/propose-resolution',
      { ...payload, comments: { [setup.ids[1]]: 'Waits until it is approved.' } },
      change.strict(),
    );
    expect(proposed.steps[1]?.after.comment).toBe('Waits until it is approved.');
  });

  test('is displayed on the pair, and so is its undo', async () => {
    const setup = await newSetup();
    const listed = (resolution: string, status = 'all') =>
      setup.caller.get(`/issue-duplicates?status=${status}&resolution=${resolution}`, pairList);
    await eventually(async () => (await listed('all')).total === 3);
    const { change_id } = await resultOf(setup, await setup.execute(setup.resolve(2, 1, 'close_a')));
    expect((await listed('resolved')).duplicates).toMatchObject([
      { resolution: 'closed', issue1: { id: setup.ids[1], state: 'opened' }, issue2: { id: setup.ids[2] } },
    ]);
    expect((await listed('unresolved')).total).toBe(2);
    expect((await listed('all', 'opened')).total).toBe(1);
    const [pair] = (await listed('resolved')).duplicates;
    expect((await setup.caller.get(`/issue-duplicates/${pair?.id}`, pairDetail)).change_id).toBe(change_id);
    await decide(setup, change_id, 'undo');
    expect((await listed('resolved')).total).toBe(0);
    expect((await listed('all', 'opened')).total).toBe(3);
  });

  test('happens exactly once for concurrent requests', async () => {
    const setup = await newSetup();
    const answers = await Promise.all(
      [
        setup.resolve(1, 2, 'close_b'),
        setup.resolve(2, 1, 'close_a'),
        setup.resolve(1, 2, 'close_a'),
        setup.resolve(2, 1, 'close_b'),
        setup.resolve(1, 2, 'close_b'),
        setup.resolve(1, 2, 'unrelated'),
      ].map((payload) => setup.execute(payload)),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409, 409, 409, 409]);
    await quiet(setup);
    expect((await setup.caller.get('/changes', changeList)).total).toBe(1);
    const [only] = (await setup.caller.get('/changes', changeList)).changes;
    const isClosing = only?.steps[0]?.action !== 'mark_unrelated';
    expect(writes(setup)).toHaveLength(isClosing ? 3 : 0);
    if (isClosing) expect([setup.look(1).state, setup.look(2).state].sort()).toEqual(['closed', 'open']);
    expect(codeOf(await setup.execute(setup.resolve(1, 2, 'unrelated')))).toBe('already_resolved');
  });

  test('of one issue concurrently with two originals happens with only one of them', async () => {
    const setup = await newSetup();
    const answers = await Promise.all(
      [setup.resolve(1, 3, 'close_b'), setup.resolve(2, 3, 'close_b'), setup.resolve(3, 1, 'close_a')].map(
        (payload) => setup.execute(payload),
      ),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    await quiet(setup);
    expect(setup.look(3).comments).toHaveLength(1);
    expect(writes(setup)).toHaveLength(3);
  });

  test('of two issues as duplicates of each other is refused', async () => {
    const setup = await newSetup();
    const answers = await Promise.all(
      [setup.resolve(1, 2, 'close_b'), setup.resolve(2, 3, 'close_b'), setup.resolve(3, 1, 'close_b')].map(
        (payload) => setup.execute(payload),
      ),
    );
    expect(statusesOf(answers)).toContain(200);
    await quiet(setup);
    expect([1, 2, 3].filter((number) => setup.look(number).state === 'open').length).toBeGreaterThan(0);
    const closed = [1, 2, 3].filter((number) => setup.look(number).state === 'closed');
    for (const start of closed) {
      let at = `acme/app#${start}`;
      for (let hops = 0; hops < 4; hops += 1) at = setup.look(Number(at.split('#')[1])).duplicate_of ?? at;
      expect(setup.look(Number(at.split('#')[1])).state).toBe('open');
    }
  });

  test('with an original that is itself a duplicate uses the last original of the chain', async () => {
    const setup = await newSetup();
    await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    // Winnow remembers the original of a duplicate, even if GitHub's listings do not report it.
    await syncAgain(setup.caller, setup.trackerId);
    const preview = await setup.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload: setup.resolve(2, 3, 'close_b') },
      changePreview,
    );
    expect(preview.title).toContain('acme/app#1');
    await resultOf(setup, await setup.execute(setup.resolve(2, 3, 'close_b')));
    expect(setup.look(3).duplicate_of).toBe('acme/app#1');
    const answer = await setup.execute(setup.resolve(3, 1, 'close_b'));
    expect([answer.status, codeOf(answer)]).toEqual([409, 'duplicate_cycle']);
  });

  test('with an original that was closed as a duplicate in the tracker is refused', async () => {
    const setup = await newSetup();
    const asDuplicate = { state: 'closed', state_reason: 'duplicate', duplicate_of: 2 } as const;
    setup.github.editAs('bob', 'acme', 'app', 1, asDuplicate);
    await syncAgain(setup.caller, setup.trackerId);
    for (const loser of [2, 3]) {
      const answer = await setup.execute(setup.resolve(1, loser, 'close_b'));
      expect([answer.status, codeOf(answer)]).toEqual([409, 'unknown_original']);
      expect(setup.look(loser)).toMatchObject({ state: 'open', comments: [] });
    }
  });

  test('across trackers closes without a link, also if both issues have the same key, and later finds the right original', async () => {
    const setup = await newSetup();
    const other = await startGitHub([{ title: 'The far original', body: TEXT }]);
    emulators.push(other);
    const { id } = await connect(setup.caller, other);
    await whenSynced(setup.caller, id);
    const candidates = await setup.caller.call('GET', '/issues/acme%2Fapp%231');
    const { fields } = errorBody.parse(candidates.body);
    const far = fields?.find(({ message }) => message.endsWith(': The far original'))?.path ?? '';

    const result = await resultOf(
      setup,
      await setup.execute({ issue1_id: far, issue2_id: setup.ids[2], resolution: 'close_b' }),
    );
    expect(result.status).toBe('applied');
    expect(setup.look(2)).toMatchObject({ state: 'closed', state_reason: 'not_planned', duplicate_of: null });
    expect(setup.look(2).comments.at(-1)?.body).toContain(
      `[acme/app#1 on ${new URL(other.url).host}](${other.url}/acme/app/issues/1)`,
    );
    expect(setup.look(1).comments).toEqual([]);
    const said = other.issue('acme', 'app', 1);
    expect(said.state).toBe('open');
    expect(said.comments.at(-1)?.body).toContain(
      `[acme/app#2 on ${new URL(setup.github.url).host}](${setup.github.url}/acme/app/issues/2)`,
    );

    await resultOf(setup, await setup.execute(setup.resolve(2, 3, 'close_b')));
    expect(setup.look(3)).toMatchObject({ state: 'closed', state_reason: 'not_planned', duplicate_of: null });
    expect(other.issue('acme', 'app', 1).comments).toHaveLength(2);

    await decide(setup, result.change_id, 'undo');
    expect(setup.look(2)).toMatchObject({ state: 'open', comments: [] });
    expect(other.issue('acme', 'app', 1).comments).toHaveLength(1);
  });

  test('of an issue that two trackers read is refused before anything is written', async () => {
    const setup = await newSetup();
    const { id } = await connect(setup.caller, setup.github, { name: 'The same once more' });
    await whenSynced(setup.caller, id);
    const candidates = await setup.caller.call('GET', '/issues/acme%2Fapp%231');
    const [one, again] = errorBody.parse(candidates.body).fields ?? [];
    const payload = { issue1_id: one?.path, issue2_id: again?.path, resolution: 'close_b' };
    const answer = await setup.execute(payload);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'same_issue']);
    await expectNothingDone(setup);
    await resultOf(setup, await setup.execute({ ...payload, resolution: 'unrelated' }));
    expect(writes(setup)).toEqual([]);
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
      'posts the comment, but its response is lost',
      { method: 'POST', path: '/issues/1/comments$' },
      { kind: 'status', status: 502, handled: true },
      1,
    ],
    [
      'posts the comment, and disconnects',
      { method: 'POST', path: '/issues/2/comments$' },
      { kind: 'drop', when: 'mid-body' },
      1,
    ],
    [
      'closes the issue, but its responses are lost',
      PATCH,
      { kind: 'status', status: 502, handled: true },
      4,
    ],
    ['closes the issue, and responds with invalid data', PATCH, { kind: 'malformed' }, 4],
  ];

  test.each(troubles)('(it %s) is retried, and every write happens once', async (_, match, action, times) => {
    const setup = await newSetup();
    setup.github.faults.add({ match, action, times });
    const result = resolutionResult.parse((await setup.execute(setup.resolve(1, 2, 'close_b'))).body);
    const done = await settled(setup, result.change_id);
    expect(done).toMatchObject({ status: 'applied' });
    expect(done.steps.map(({ status, error }) => [status, error])).toEqual(
      done.steps.map(() => ['applied', null]),
    );
    expect(setup.github.faults.list()[0]?.fired).toBe(times);
    expectClosedOnce(setup);
    // Side effects of a crash or of a lost response must not prevent further resolutions.
    const preview = await setup.caller.send(
      'POST',
      '/changes/preview',
      { kind: 'resolution', payload: setup.resolve(2, 3, 'close_b') },
      changePreview,
    );
    expect(preview.title).toContain('duplicate of acme/app#1');
    await decide(setup, result.change_id, 'undo');
    expect([setup.look(1).comments, setup.look(2).comments, setup.look(2).state]).toEqual([[], [], 'open']);
  });

  test('that is slow results in 202, and a live event reports the end', async () => {
    const setup = await newSetup();
    const listener = await listenLive(winnow.origin, setup.caller.tokens.access_token);
    setup.github.faults.add({ match: PATCH, times: 1, action: { kind: 'delay', delayMs: 11_000 } });
    const answer = await setup.execute(setup.resolve(1, 2, 'close_b'));
    expect(answer.status).toBe(202);
    const result = resolutionResult.strict().parse(answer.body);
    expect(result.status).toBe('applying');
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'applying']);
    await listener.heard(
      (event) =>
        event.type === 'change_updated' && event.change_id === result.change_id && event.status === 'applied',
    );
    expect((await setup.caller.get(`/changes/${result.change_id}`, change)).status).toBe('applied');
    expectClosedOnce(setup);
    await listener.close();
  });

  test('that limits requests: the step displays the wait, and the change continues by itself', async () => {
    const setup = await newSetup();
    setup.github.faults.add({ match: PATCH, times: 1, action: { kind: 'primary-limit', resetInSeconds: 6 } });
    const answer = setup.execute(setup.resolve(1, 2, 'close_b'));
    const refused = answer.then(({ status, text }) => {
      if (status >= 400) throw new Error(`The resolution was refused with ${status}: ${text}`);
      return new Promise<never>(() => undefined);
    });
    const pausedStep = eventually(async () => {
      const [only] = (await setup.caller.get('/changes', changeList)).changes;
      return only?.steps.find(({ error }) => error !== null);
    });
    const held = await Promise.race([pausedStep, refused]);
    expect(held).toMatchObject({ action: 'close_as_duplicate', status: 'applying' });
    expect(held.error).toMatch(/until \d\d:\d\d:\d\d UTC/);
    const { change_id } = resolutionResult.parse((await answer).body);
    expect((await settled(setup, change_id)).status).toBe('applied');
    expectClosedOnce(setup);
  });

  test('that refuses a write: the reason is displayed, and a retry performs only the remaining steps', async () => {
    const setup = await newSetup();
    setup.github.faults.add({
      match: PATCH,
      action: { kind: 'status', status: 403, body: { message: 'No.' } },
    });
    const result = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    expect(result.status).toBe('partly_applied');
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
    expect(result.steps[2]?.error).toMatch(/This token is not allowed.*No\./);
    setup.github.faults.clear();
    const path = `/changes/${result.change_id}/retry`;
    const [retried, ...refused] = (
      await Promise.all([1, 2, 3].map(() => setup.caller.call('POST', path)))
    ).sort((one, other) => one.status - other.status);
    expect(retried?.status).toBeLessThan(300);
    expect(refused.map(codeOf)).toEqual(['nothing_failed', 'nothing_failed']);
    await quiet(setup);
    expectClosedOnce(setup);
  });

  test('that performs a write and refuses it: a retry writes nothing twice', async () => {
    const setup = await newSetup();
    const lost = { kind: 'status', status: 403, handled: true } as const;
    setup.github.faults.add({ match: { method: 'POST', path: '/issues/1/comments$' }, action: lost });
    const result = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'failed', 'skipped']);
    setup.github.faults.clear();
    setup.github.faults.add({ match: PATCH, action: lost });
    const again = await decide(setup, result.change_id, 'retry');
    expect(again.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
    setup.github.faults.clear();
    expect((await decide(setup, result.change_id, 'retry')).status).toBe('applied');
    expectClosedOnce(setup);
  });

  test('that reports a close but closes nothing fails the step; a retry closes the issue', async () => {
    const setup = await newSetup();
    const path = `${setup.github.url}/api/v3/repos/acme/app/issues/2`;
    const response = await fetch(path, { headers: { authorization: `Bearer ${TOKEN}` } });
    const issue = z.record(z.string(), z.unknown()).parse(await response.json());
    const body = { ...issue, state: 'closed', state_reason: 'duplicate', closed_at: issue.updated_at };
    setup.github.faults.add({ match: PATCH, action: { kind: 'status', status: 200, body } });
    const result = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    expect(result.status).toBe('partly_applied');
    expect(result.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
    expect(result.steps[2]?.error).toContain('acme/app#2 is still open');
    expect([setup.look(2).state, (await setup.issue(2)).state]).toEqual(['open', 'opened']);
    setup.github.faults.clear();
    expect((await decide(setup, result.change_id, 'retry')).status).toBe('applied');
    expectClosedOnce(setup);
  });

  test("a retry does not mistake another user's close for ours", async () => {
    const setup = await newSetup();
    const closed = { state: 'closed', state_reason: 'completed' } as const;
    setup.github.faults.add({
      match: { method: 'POST', path: '/issues/2/comments$' },
      times: 1,
      action: { kind: 'delay', delayMs: 500 },
    });
    const answer = setup.execute(setup.resolve(1, 2, 'close_b'));
    await eventually(() => setup.github.faults.list()[0]?.fired === 1);
    setup.github.editAs('ada', 'acme', 'app', 2, closed);
    const result = await resultOf(setup, await answer);
    expect(result.steps.at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('someone else'),
    });
    const refused = await setup.caller.fail('POST', `/changes/${result.change_id}/retry`, 409);
    expect(refused.code).toBe('changed_since');
    expect(setup.look(2)).toMatchObject(closed);
  });
});

describe.concurrent('undoing', () => {
  test('by several people at the same time happens once', async () => {
    const setup = await newSetup();
    const { change_id } = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    const path = `/changes/${change_id}/undo`;
    const answers = await Promise.all([1, 2, 3].map(() => setup.caller.call('POST', path)));
    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(codeOf)).toEqual(['already_undone', 'already_undone']);
    await quiet(setup);
    const late = await setup.caller.call('POST', path);
    expect([late.status, codeOf(late)]).toEqual([409, 'not_undoable']);
    expect([setup.look(1).comments, setup.look(2).comments, setup.look(2).state]).toEqual([[], [], 'open']);
    expect(writes(setup).filter((write) => write.startsWith('DELETE'))).toHaveLength(2);
  });

  test('accepts an issue that was reopened, and removes its comments', async () => {
    const setup = await newSetup();
    const { change_id } = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    setup.github.editAs('ada', 'acme', 'app', 2, { state: 'open' });
    const undone = await decide(setup, change_id, 'undo');
    expect(undone).toMatchObject({ status: 'applied' });
    expect([setup.look(1).comments, setup.look(2).comments, setup.look(2).state]).toEqual([[], [], 'open']);
  });

  test('of a pair marked as unrelated makes it undecided again, without writing to the tracker', async () => {
    const setup = await newSetup();
    const result = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'unrelated')));
    expect(result).toMatchObject({ resolution: 'unrelated', status: 'applied' });
    await decide(setup, result.change_id, 'undo');
    expect(writes(setup)).toEqual([]);
    const { changes, total } = await setup.caller.get(
      `/changes?issue_id=${setup.ids[1]}`,
      changeList.strict(),
    );
    expect([total, changes.map(({ kind, status }) => [kind, status])]).toEqual([
      2,
      [
        ['undo', 'applied'],
        ['resolution', 'undone'],
      ],
    ]);
    expect((await setup.caller.get('/changes?status=undone&kind=resolution', changeList)).total).toBe(1);
    expect((await setup.caller.get('/changes?skip=1&limit=1', changeList)).changes).toHaveLength(1);
  });

  test('does not delay decisions about another pair', async () => {
    const setup = await newSetup();
    const { change_id } = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'unrelated')));
    const closing = await resultOf(setup, await setup.execute(setup.resolve(1, 3, 'close_b')));
    const match = { method: 'PATCH', path: '/issues/3$' };
    setup.github.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 300 } });
    const undoing = setup.caller.call('POST', `/changes/${closing.change_id}/undo`);
    await eventually(() => setup.github.faults.list()[0]?.fired === 1);
    const again = await setup.execute(setup.resolve(1, 2, 'close_b'));
    expect([again.status, codeOf(again)]).toEqual([409, 'already_resolved']);
    await resultOf(setup, await setup.execute(setup.resolve(2, 3, 'unrelated')));
    expect((await undoing).status).toBe(200);
    expect((await setup.caller.get(`/changes/${change_id}`, change)).status).toBe('applied');
  });

  test('waits for another change of the issue, and is applied after it', async () => {
    const setup = await newSetup();
    const { change_id } = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'close_b')));
    const match = { method: 'PATCH', path: '/issues/3$' };
    setup.github.faults.add({ match, times: 1, action: { kind: 'delay', delayMs: 1_000 } });
    const closing = setup.execute(setup.resolve(1, 3, 'close_b'));
    await eventually(() => setup.github.faults.list()[0]?.fired === 1);
    expect(await decide(setup, change_id, 'undo')).toMatchObject({ status: 'applied' });
    expect(setup.look(2).state).toBe('open');
    expect(await resultOf(setup, await closing)).toMatchObject({ resolution: 'closed' });
    expect(setup.look(3).state).toBe('closed');
  });

  test('of an undo is refused, and so is the retry of a change that did not fail', async () => {
    const setup = await newSetup();
    const { change_id } = await resultOf(setup, await setup.execute(setup.resolve(1, 2, 'unrelated')));
    expect((await setup.caller.fail('POST', `/changes/${change_id}/retry`, 409)).code).toBe('nothing_failed');
    const undone = await decide(setup, change_id, 'undo');
    expect((await setup.caller.fail('POST', `/changes/${undone.id}/undo`, 409)).code).toBe('not_undoable');
  });
});

test('all exchanges with GitHub match its API description', () => {
  expect(breaches).toEqual([]);
});

test('no expected failure was logged as an error of ours', () => {
  const errors = winnow.logLines.filter(({ level, code }) => level === 'error' && code !== 'upstream_failed');
  expect(errors).toEqual([]);
});
