import { describe, expect, test } from 'vitest';
import { type Page, type ProviderIssue, TrackerError } from '../provider.ts';
import { START } from '../testing/emulated-clock.ts';
import { expectFailure } from '../testing/provider-suite/context.ts';
import type { EmulatedGitHub } from './testing/emulated-github.ts';
import { backlog, itemsOf, never, readIssues, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

describe('a faulty GitHub', () => {
  /**
   * Reads a listing to its end. After a temporary error it continues from the last cursor, as a
   * sync does.
   */
  async function persistently(github: EmulatedGitHub): Promise<ProviderIssue[]> {
    const items: ProviderIssue[] = [];
    let cursor: string | null = null;
    for (let tries = 0; tries < 200; tries += 1) {
      try {
        const page: Page<ProviderIssue> = await github.provider.issues(github.project, cursor, never());
        items.push(...page.items);
        if (page.done) return items;
        cursor = page.cursor;
      } catch (error) {
        if (!(error instanceof TrackerError) || !error.transient) throw error;
      }
    }
    throw new Error('The listing does not end.');
  }

  test.each([1, 2, 3, 4, 5])('that fails half the time is still read completely (draw %i)', async (seed) => {
    const github = await start(backlog(450));
    github.emulator.faults.add({ probability: 0.5, seed, action: { kind: 'status', status: 500 } });
    expect(new Set((await persistently(github)).map(({ title }) => title)).size).toBe(450);
    expect(github.waits.length).toBeGreaterThan(0);
  });

  test.each([
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'mid-body' },
    { kind: 'malformed' },
    { kind: 'status', status: 502, body: '<html>Unicorn</html>' },
  ] as const)('with a single fault ($kind $when$status) is retried', async (action) => {
    const github = await start(backlog(3));
    github.emulator.faults.add({ times: 1, action });
    expect(itemsOf(await readIssues(github))).toHaveLength(3);
    expect(github.waits).toHaveLength(1);
  });

  test.each([
    [{ kind: 'malformed' }, 'malformed'],
    [{ kind: 'drop', when: 'mid-body' }, 'unreachable'],
    [{ kind: 'status', status: 200, body: '<html>Please sign in</html>' }, 'malformed'],
    [{ kind: 'status', status: 200, body: { not: 'a list' } }, 'malformed'],
    [{ kind: 'status', status: 200, body: [{ id: 1, number: 1 }] }, 'malformed'],
  ] as const)('with a permanent fault (%j) fails', async (action, code) => {
    const github = await start(backlog(3));
    github.emulator.faults.add({ action });
    await expectFailure(github.provider.issues(github.project, null, never()), code);
    expect(github.emulator.requests.all().length).toBeLessThanOrEqual(4);
  });

  test.each([
    ['with issues turned off', 'setIssuesEnabled', false],
    ['that is archived', 'setArchived', true],
  ] as const)('with a repository %s does not prove that an issue is gone', async (_, switched, to) => {
    const github = await start(backlog(2));
    github.emulator[switched]('acme', 'app', to);
    github.emulator.faults.add({ match: { path: '/issues/1$' }, action: { kind: 'status', status: 410 } });
    await expectFailure(github.provider.issue(targetOf(github, 1), never()), 'forbidden');
    github.emulator[switched]('acme', 'app', !to);
    expect(await github.provider.issue(targetOf(github, 1), never())).toBeNull();
  });

  test('that is gone is unreachable', async () => {
    const github = await start([], { enterprise: true });
    await github.emulator.close();
    const error = await expectFailure(github.provider.check(never()), 'unreachable');
    expect(error.message).toContain(`127.0.0.1:${github.emulator.port}`);
  });

  test('that is slow is abandoned immediately when the signal fires', async () => {
    const github = await start(backlog(3));
    github.emulator.faults.add({ action: { kind: 'slow', chunkBytes: 10, intervalMs: 60_000 } });
    const controller = new AbortController();
    const reading = github.provider.issues(github.project, null, controller.signal);
    await github.emulator.requests.waitFor(({ status }) => status === 200);
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});

describe('a rate limit of GitHub', () => {
  test('per hour stops the sync until it ends, and the sync then resumes', async () => {
    const github = await start(backlog(250), { rateLimit: 4 });
    const pages: Page<ProviderIssue>[] = [];
    let error: unknown = null;
    for (let cursor: string | null = null; error === null; cursor = pages.at(-1)?.cursor ?? null) {
      const reading: Promise<Page<ProviderIssue>> = github.provider.issues(github.project, cursor, never());
      await reading.then(
        (page) => pages.push(page),
        (reason: unknown) => {
          error = reason;
        },
      );
    }
    const stopped = error;
    if (!(stopped instanceof TrackerError)) throw stopped;
    expect(stopped.code).toBe('rate_limited');
    expect(stopped.retryAt?.getTime()).toBeGreaterThan(START.getTime());
    const asked = github.emulator.requests.all().length;
    await expectFailure(github.provider.issues(github.project, null, never()), 'rate_limited');
    expect(github.emulator.requests.all()).toHaveLength(asked);

    github.clock.pass((stopped.retryAt?.getTime() ?? 0) - github.clock.now().getTime());
    pages.push(...(await readIssues(github, pages.at(-1)?.cursor ?? null)));
    expect(new Set(itemsOf(pages).map(({ title }) => title)).size).toBe(250);
  });

  test.each([403, 429] as const)(
    'of the secondary kind (%i) is waited out if it is short',
    async (status) => {
      const github = await start(backlog(3));
      github.emulator.faults.add({
        times: 1,
        action: { kind: 'secondary-limit', retryAfterSeconds: 2, status },
      });
      expect(itemsOf(await readIssues(github))).toHaveLength(3);
      expect(github.waits).toEqual([2000]);
    },
  );

  test.each([
    [90, 90_000],
    [undefined, 60_000],
  ])('of the secondary kind (%s s) is reported to the caller if it is long', async (seconds, waitMs) => {
    const github = await start(backlog(3));
    const retryAfter = seconds === undefined ? {} : { retryAfterSeconds: seconds };
    github.emulator.faults.add({ times: 1, action: { kind: 'secondary-limit', ...retryAfter } });
    const error = await expectFailure(github.provider.issues(github.project, null, never()), 'rate_limited');
    expect(error.retryAt).toEqual(new Date(START.getTime() + waitMs));
    expect(github.waits).toEqual([]);
  });
});

describe('a write whose response is lost', () => {
  test('posts a comment once and finds it by its marker', async () => {
    const github = await start(backlog(3));
    github.emulator.faults.add({
      match: { method: 'POST' },
      times: 1,
      action: { kind: 'drop', when: 'mid-body' },
    });
    const posting = github.provider.comment(targetOf(github, 1), 'text', 'step-1', never());
    expect((await expectFailure(posting, 'unreachable')).transient).toBe(true);
    const { comments } = github.emulator.issue('acme', 'app', 1);
    const ours = comments.filter(({ body }) => body.includes('step-1'));
    expect(ours).toHaveLength(1);
    expect(await github.provider.findComment(targetOf(github, 1), 'step-1', START, never())).toBe(
      String(ours[0]?.id),
    );
  });

  test('finds the comment among hundreds', async () => {
    const github = await start(backlog(1));
    for (let n = 0; n < 230; n += 1) github.emulator.commentAs('bob', 'acme', 'app', 1, `chatter ${n}`);
    const id = await github.provider.comment(targetOf(github, 1), 'text', 'step-1', never());
    for (let n = 0; n < 20; n += 1) github.emulator.commentAs('bob', 'acme', 'app', 1, `more ${n}`);
    expect(await github.provider.findComment(targetOf(github, 1), 'step-1', START, never())).toBe(id);
  });

  test('repeats a closing without harm', async () => {
    const github = await start(backlog(3));
    github.emulator.faults.add({
      match: { method: 'PATCH' },
      times: 1,
      action: { kind: 'status', status: 502, handled: true },
    });
    const closed = await github.provider.closeAsDuplicate(targetOf(github, 3), targetOf(github, 1), never());
    expect(closed.state).toBe('closed');
    expect(github.emulator.issue('acme', 'app', 3).duplicate_of).toBe('acme/app#1');
    const { events } = github.emulator.issue('acme', 'app', 3);
    expect(events.filter((event) => event === 'closed')).toHaveLength(1);
  });
});
