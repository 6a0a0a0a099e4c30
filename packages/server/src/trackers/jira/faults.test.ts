import { describe, expect, test } from 'vitest';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { TOKEN } from './testing/emulated-jira.ts';
import { backlog, itemsOf, never, readIssues, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

describe('a token', () => {
  test.each(['cloud', 'data_center'] as const)(
    'that is wrong is refused with a message that does not repeat it (%s)',
    async (deployment) => {
      const jira = await start([], { deployment });
      const wrong = 'ATATT3xFfGF0zyxwvutsrqponmlkjihgfedcba';
      const error = await expectFailure(jira.providerFor(wrong).check(never()), 'unauthorized');
      expect(error.message).toContain('did not accept this token');
      expect(JSON.stringify([error.message, jira.logLines])).not.toContain(wrong);
    },
  );

  test.each(['cloud', 'data_center'] as const)(
    'revoked during a sync stops it, and no issue appears to be gone (%s)',
    async (deployment) => {
      const jira = await start(backlog(150), { deployment });
      const first = await jira.provider.issues(jira.project, null, never());
      jira.emulator.revokeToken(TOKEN);
      jira.clock.pass(120_000);
      const { provider, project } = jira;
      await expectFailure(provider.issues(project, first.cursor, never()), 'unauthorized');
      await expectFailure(provider.issues(project, null, never()), 'unauthorized');
      await expectFailure(provider.externalIds(project, null, never()), 'unauthorized');
      await expectFailure(provider.issue(targetOf(jira, 'WIN-1'), never()), 'unauthorized');
      await expectFailure(provider.project(project, never()), 'unauthorized');
      await expectFailure(provider.projects(jira.organization, never()), 'unauthorized');
    },
  );

  test.each(['cloud', 'data_center'] as const)(
    'without permissions names them as Jira does (%s)',
    async (deployment) => {
      const jira = await start([], { deployment });
      jira.emulator.deny('ada', 'WIN', ['TRANSITION_ISSUES', 'LINK_ISSUES', 'DELETE_ISSUES']);
      expect(await jira.provider.check(never())).toEqual({
        login: deployment === 'cloud' ? 'Ada Lovelace' : 'ada',
        missingPermissions: ['Transition Issues', 'Link Issues'],
        reportsWriteAccess: true,
      });
    },
  );

  test('that may not comment is refused with the reason', async () => {
    const jira = await start(backlog(1));
    jira.emulator.deny('ada', 'WIN', ['ADD_COMMENTS']);
    const error = await expectFailure(
      jira.provider.comment(targetOf(jira, 'WIN-1'), 'text', 'step-1', never()),
      'forbidden',
    );
    expect(error.message).toContain('you do not have the permission to comment');
  });
});

describe('a project', () => {
  test.each(['cloud', 'data_center'] as const)(
    'that was deleted, or is hidden from the token, is not found, and others are synced (%s)',
    async (deployment) => {
      const other = { key: 'OTH', issues: [{ summary: 'other' }] };
      const jira = await start(backlog(120), { deployment, seed: { projects: [other] } });
      const pages = await readIssues(jira);
      const projects = await jira.provider.projects(jira.organization, never());
      const second = projects.find(({ identifier }) => identifier === 'OTH');
      if (second === undefined) throw new Error('The second project is listed.');
      jira.emulator.deny('ada', 'WIN', ['BROWSE_PROJECTS']);
      for (const cursor of [null, pages.at(-1)?.cursor ?? null]) {
        const error = await expectFailure(jira.provider.issues(jira.project, cursor, never()), 'not_found');
        expect(error.message).toMatch(/could not find the project WIN, or this token cannot access it\.$/);
      }
      expect(await jira.provider.issue(targetOf(jira, 'WIN-1'), never())).toBeNull();
      expect(itemsOf([await jira.provider.issues(second, null, never())])).toHaveLength(1);
      jira.emulator.deleteProject('OTH');
      await expectFailure(jira.provider.comments(second, null, never()), 'not_found');
    },
  );

  test('that is archived, and an issue moved out of it, are not found', async () => {
    const projects = [
      { key: 'OLD', archived: true, issues: [] },
      { key: 'OTH', issues: [] },
    ];
    const jira = await start(backlog(3), { seed: { projects } });
    const listed = await jira.provider.projects(jira.organization, never());
    expect(listed.map(({ identifier }) => identifier)).toEqual(['OTH', 'WIN']);
    const target = targetOf(jira, 'WIN-2');
    jira.emulator.moveIssue('WIN-2', 'OTH');
    expect(await jira.provider.issue(target, never())).toBeNull();
    const error = await expectFailure(jira.provider.reopen(target, never()), 'not_found');
    expect(error.message).toContain('moved the issue WIN-2 to another project');
  });

  test('list of many entries is read page by page', async () => {
    const projects = Array.from({ length: 120 }, (_, index) => ({ key: `P${index}`, issues: [] }));
    const jira = await start([], { seed: { projects } });
    expect(await jira.provider.projects(jira.organization, never())).toHaveLength(121);
  });
});

describe('a rate limit', () => {
  test('that ends soon is waited out', async () => {
    const jira = await start(backlog(1));
    jira.emulator.faults.add({ times: 1, action: { kind: 'rate-limit', retryAfterSeconds: 3 } });
    await jira.provider.check(never());
    expect(jira.waits).toEqual([3000]);
  });

  test.each([
    ['Retry-After', { retryAfterSeconds: 90 }, 90],
    ['the time it ends', { resetInSeconds: 120 }, 120],
    ['no reset time', {}, 60],
  ])('with %s sets the retry time', async (_, limit, seconds) => {
    const jira = await start(backlog(1));
    const atMs = jira.clock.now().getTime();
    jira.emulator.faults.add({ action: { kind: 'rate-limit', ...limit } });
    const error = await expectFailure(jira.provider.check(never()), 'rate_limited');
    expect(error.retryAt?.getTime()).toBe(atMs + seconds * 1000);
  });
});

describe('an invalid response', () => {
  test('asking for a captcha is explained', async () => {
    const jira = await start([], { deployment: 'data_center' });
    jira.emulator.faults.add({ action: { kind: 'captcha' } });
    const error = await expectFailure(jira.provider.check(never()), 'unauthorized');
    expect(error.message).toContain('captcha');
  });

  test('with a sign-in page is explained, without a retry', async () => {
    const jira = await start([], { deployment: 'data_center' });
    jira.emulator.faults.add({ action: { kind: 'sign-in-page' } });
    const error = await expectFailure(jira.provider.check(never()), 'unauthorized');
    expect(error.message).toContain('sign-in page');
    expect(jira.waits).toEqual([]);
  });

  test('with a redirect to a sign-in page is explained', async () => {
    const jira = await start([], { deployment: 'data_center' });
    const location = 'https://sso.example.com/saml?x=1';
    jira.emulator.faults.add({ action: { kind: 'status', status: 302, body: '', headers: { location } } });
    const error = await expectFailure(jira.provider.check(never()), 'unauthorized');
    expect(error.message).toContain('sign-in page');
  });

  test('from a server that is not Jira is explained', async () => {
    const jira = await start([], { deployment: 'data_center' });
    jira.emulator.faults.add({ action: { kind: 'status', status: 404, body: 'Not Found' } });
    const error = await expectFailure(jira.providerFor(TOKEN).organizations(never()), 'not_found');
    expect(error.message).toContain('No Jira server was found at');
  });

  test.each([
    ['malformed', { kind: 'malformed' }],
    ['dropped', { kind: 'drop', when: 'mid-body' }],
    ['an internal error', { kind: 'status', status: 503 }],
  ] as const)('with fault “%s” is retried', async (_, action) => {
    const jira = await start(backlog(120));
    jira.emulator.faults.add({ match: { path: 'search/jql' }, times: 2, action });
    expect(new Set(itemsOf(await readIssues(jira)).map(({ externalId }) => externalId)).size).toBe(120);
  });
});

describe('long texts', () => {
  test.each(['cloud', 'data_center'] as const)(
    'that exceed the response limit are read in smaller pages (%s)',
    async (deployment) => {
      const issues = backlog(60).map((issue) => ({ ...issue, description: 'word '.repeat(5000) }));
      const jira = await start(issues, { deployment, maxResponseBytes: 400_000 });
      const pages = await readIssues(jira);
      expect(new Set(itemsOf(pages).map(({ externalId }) => externalId)).size).toBe(60);
    },
  );

  test('comments of 250 kB are read whole', async () => {
    const body = `${'word '.repeat(50_000)}end`;
    const jira = await start([{ summary: 'a', comments: [{ body }, { body }] }], {
      deployment: 'data_center',
    });
    const { items } = await jira.provider.comments(jira.project, null, never());
    expect(items.map((comment) => comment.body)).toEqual([body, body]);
  });

  test('a tracker clock behind ours does not hide a posted comment', async () => {
    const jira = await start(backlog(1));
    const postedAfter = new Date(jira.clock.now().getTime() + 4 * 60_000);
    const id = await jira.provider.comment(targetOf(jira, 'WIN-1'), 'text', 'step-1', never());
    expect(await jira.provider.findComment(targetOf(jira, 'WIN-1'), 'step-1', postedAfter, never())).toBe(id);
  });
});
