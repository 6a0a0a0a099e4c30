import { describe, expect, test } from 'vitest';
import { type Page, type ProviderIssue, TrackerError } from '../provider.ts';
import { START } from '../testing/emulated-clock.ts';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { backlog, itemsOf, never, readIssues, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();
const path = 'acme/team/app';

describe('a faulty GitLab', () => {
  /**
   * Reads a listing to its end. After a temporary error it continues from the last cursor, as a
   * sync does.
   */
  async function persistently<T>(list: (cursor: string | null) => Promise<Page<T>>): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | null = null;
    for (let tries = 0; tries < 400; tries += 1) {
      try {
        const page: Page<T> = await list(cursor);
        items.push(...page.items);
        if (page.done) return items;
        cursor = page.cursor;
      } catch (error) {
        if (!(error instanceof TrackerError) || !error.transient) throw error;
      }
    }
    throw new Error('The listing does not end.');
  }

  test.each([1, 2, 3])('that fails half the time is still read completely (draw %i)', async (seed) => {
    const gitlab = await start(backlog(330), { mergeRequests: backlog(120) });
    gitlab.emulator.faults.add({ probability: 0.5, seed, action: { kind: 'status', status: 502 } });
    const issues = await persistently((cursor) => gitlab.provider.issues(gitlab.project, cursor, never()));
    expect(new Set(issues.map(({ externalId }) => externalId)).size).toBe(450);
    const comments = await persistently((cursor) =>
      gitlab.provider.comments(gitlab.project, cursor, never()),
    );
    expect(new Set(comments.map(({ externalId }) => externalId)).size).toBe(45);
    expect(gitlab.waits.length).toBeGreaterThan(0);
  });

  test.each([
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'mid-body' },
    { kind: 'malformed' },
    { kind: 'status', status: 502, body: '<html>GitLab is not responding</html>' },
  ] as const)('with a single fault ($kind $when$status) is retried', async (action) => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add({ times: 1, action });
    expect(itemsOf(await readIssues(gitlab))).toHaveLength(3);
    expect(gitlab.waits).toHaveLength(1);
  });

  test.each([
    [{ kind: 'malformed' }, 'malformed'],
    [{ kind: 'status', status: 200, body: '<html>Please sign in</html>' }, 'malformed'],
    [{ kind: 'status', status: 200, body: { not: 'a list' } }, 'malformed'],
    [{ kind: 'status', status: 200, body: [{ id: 1, iid: 1 }] }, 'malformed'],
    [{ kind: 'status', status: 302, headers: { location: 'https://sso.example.com/' } }, 'refused'],
  ] as const)('with a permanent fault (%j) fails', async (action, code) => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add({ action });
    await expectFailure(gitlab.provider.issues(gitlab.project, null, never()), code);
    expect(gitlab.emulator.requests.all().length).toBeLessThanOrEqual(4);
  });

  test('that returns 403 for a project’s issues is reported, and the issues are not considered gone', async () => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add({
      action: { kind: 'status', status: 403, body: { message: '403 Forbidden' } },
    });
    await expectFailure(gitlab.provider.issues(gitlab.project, null, never()), 'forbidden');
    await expectFailure(gitlab.provider.externalIds(gitlab.project, null, never()), 'forbidden');
    await expectFailure(gitlab.provider.count(gitlab.project, never()), 'forbidden');
    await expectFailure(gitlab.provider.comments(gitlab.project, null, never()), 'forbidden');
  });

  test('with issues turned off does not prove that an issue is gone', async () => {
    const gitlab = await start(backlog(1), { mergeRequests: backlog(1) });
    gitlab.emulator.setProject(path, { issues_enabled: false, merge_requests_enabled: false });
    const look = (externalId: string) =>
      gitlab.provider.issue({ project: gitlab.project, externalId, key: externalId }, never());
    for (const externalId of ['1', '!1']) await expectFailure(look(externalId), 'forbidden');
    gitlab.emulator.setProject(path, { issues_enabled: true, merge_requests_enabled: true });
    gitlab.emulator.deleteItem(path, 1);
    expect(await look('1')).toBeNull();
    expect(await look('!1')).toMatchObject({ key: `${path}!1` });
  });

  test('with an issue dated one hour ahead still reports current edits', async () => {
    const gitlab = await start(backlog(220));
    const ahead = new Date(START.getTime() + 3_600_000).toISOString();
    gitlab.emulator.createIssue(path, { title: 'ahead', created_at: ahead });
    const cursor = (await readIssues(gitlab)).at(-1)?.cursor ?? null;
    gitlab.clock.pass(60_000);
    gitlab.emulator.createIssue(path, { title: 'made now' });
    gitlab.emulator.editAs('bob', path, 1, { title: 'edited now' });
    const titles = itemsOf(await readIssues(gitlab, cursor)).map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['made now', 'edited now']));
  });

  test('that is slow is abandoned immediately when the signal fires', async () => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add({ action: { kind: 'slow', chunkBytes: 10, intervalMs: 60_000 } });
    const controller = new AbortController();
    const reading = gitlab.provider.issues(gitlab.project, null, controller.signal);
    await gitlab.emulator.requests.waitFor(({ status }) => status === 200);
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});

describe('a rate limit of GitLab', () => {
  test('per minute stops the sync until it ends, and the sync then resumes', async () => {
    const gitlab = await start(backlog(350), { rateLimit: 3 });
    const titles = new Set<string>();
    let refusals = 0;
    let cursor: string | null = null;
    for (let done = false; !done; ) {
      try {
        const page: Page<ProviderIssue> = await gitlab.provider.issues(gitlab.project, cursor, never());
        for (const { title } of page.items) titles.add(title);
        ({ cursor, done } = page);
      } catch (error) {
        if (!(error instanceof TrackerError)) throw error;
        refusals += 1;
        expect([error.code, error.retryAt]).toEqual([
          'rate_limited',
          new Date(START.getTime() + refusals * 60_000),
        ]);
        const asked = gitlab.emulator.requests.all().length;
        await expectFailure(gitlab.provider.issues(gitlab.project, cursor, never()), 'rate_limited');
        expect(gitlab.emulator.requests.all()).toHaveLength(asked);
        gitlab.clock.pass(60_000);
      }
    }
    expect(refusals).toBeGreaterThan(0);
    expect(titles.size).toBe(350);
  });

  test('is waited out if it is short', async () => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add({ times: 1, action: { kind: 'rate-limit', retryAfterSeconds: 2 } });
    expect(itemsOf(await readIssues(gitlab))).toHaveLength(3);
    expect(gitlab.waits).toEqual([2000]);
  });

  test.each([
    [{ retryAfterSeconds: 90 }, 90_000],
    [{ resetInSeconds: 40 }, 40_000],
    [{}, 60_000],
  ])('given by %j is reported to the caller', async (limit, waitMs) => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add({ times: 1, action: { kind: 'rate-limit', ...limit } });
    const error = await expectFailure(gitlab.provider.issues(gitlab.project, null, never()), 'rate_limited');
    expect(error.retryAt).toEqual(new Date(START.getTime() + waitMs));
    expect(gitlab.waits).toEqual([]);
  });
});

describe('a write whose response is lost', () => {
  const lost = { match: { method: 'POST' }, times: 1, action: { kind: 'drop', when: 'mid-body' } } as const;

  test('posts a comment once and finds it by its marker among hundreds', async () => {
    const gitlab = await start(backlog(3));
    const target = targetOf(gitlab, 1);
    gitlab.emulator.faults.add(lost);
    const posting = gitlab.provider.comment(target, 'text', 'step-1', never());
    expect((await expectFailure(posting, 'unreachable')).transient).toBe(true);
    for (let n = 0; n < 230; n += 1) gitlab.emulator.commentAs('bob', path, 1, `chatter ${n}`);
    const ours = gitlab.emulator.item(path, 1).comments.filter(({ body }) => body.includes('step-1'));
    expect(ours).toHaveLength(1);
    expect(await gitlab.provider.findComment(target, 'step-1', START, never())).toBe(String(ours[0]?.id));
  });

  test('does not repeat a closing', async () => {
    const gitlab = await start(backlog(3));
    const close = () => gitlab.provider.closeAsDuplicate(targetOf(gitlab, 3), targetOf(gitlab, 1), never());
    gitlab.emulator.faults.add(lost);
    await expectFailure(close(), 'unreachable');
    const after = gitlab.emulator.item(path, 3);
    expect((await close()).duplicateOf).toBe(`${path}#1`);
    expect(gitlab.emulator.item(path, 3)).toEqual(after);
  });

  test('finds the created issue again', async () => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.faults.add(lost);
    const issue = { title: 'New', description: '', labels: [], assignees: [] };
    await expectFailure(gitlab.provider.create(gitlab.project, issue, 'step-9', never()), 'unreachable');
    const found = await gitlab.provider.findCreated(gitlab.project, 'step-9', START, never());
    expect(found).toMatchObject({ externalId: '4', title: 'New' });
  });

  test('still posts the comment of a blocking link on the free tier', async () => {
    const gitlab = await start(backlog(3), { tier: 'free' });
    const link = () => gitlab.provider.link(targetOf(gitlab, 2), 'blocks', targetOf(gitlab, 3), never());
    gitlab.emulator.faults.add({ ...lost, skip: 2 });
    await expectFailure(link(), 'unreachable');
    await link();
    await link();
    const { links, comments } = gitlab.emulator.item(path, 2);
    expect([links.length, comments.length]).toEqual([1, 1]);
  });
});

test('an issue deleted meanwhile is null for a read and not found for a write', async () => {
  const gitlab = await start(backlog(2));
  gitlab.emulator.deleteItem(path, 2);
  const target = targetOf(gitlab, 2);
  expect(await gitlab.provider.issue(target, never())).toBeNull();
  await expectFailure(gitlab.provider.edit(target, { title: 'x' }, never()), 'not_found');
  await expectFailure(gitlab.provider.links(target, never()), 'not_found');
  await expectFailure(gitlab.provider.assign(target, [], never()), 'not_found');
});
