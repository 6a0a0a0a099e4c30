import { describe, expect, test } from 'vitest';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { TOKEN } from './testing/emulated-jira.ts';
import { backlog, itemsOf, never, readIssues, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

describe('a token', () => {
  test.each(['cloud', 'data_center'] as const)(
    'that is wrong is refused in a sentence that does not repeat it (%s)',
    async (deployment) => {
      const jira = await start([], { deployment });
      const wrong = 'ATATT3xFfGF0zyxwvutsrqponmlkjihgfedcba';
      const error = await expectFailure(jira.providerFor(wrong).check(never()), 'unauthorized');
      expect(error.message).toContain('did not accept this token');
      expect(JSON.stringify([error.message, jira.logLines])).not.toContain(wrong);
    },
  );

  test.each(['cloud', 'data_center'] as const)(
    'that was revoked in the middle of a sync stops it, and nothing seems to be gone (%s)',
    async (deployment) => {
      const jira = await start(backlog(150), { deployment });
      const first = await jira.provider.issues(jira.project, null, never());
      jira.emulator.revokeToken(TOKEN);
      jira.clock.pass(120_000);
      const { provider, project } = jira;
      await expectFailure(provider.issues(project, first.cursor, never()), 'unauthorized');
      await expectFailure(provider.issues(project, null, never()), 'unauthorized');
      await expectFailure(provider.presentIds(project, null, never()), 'unauthorized');
      await expectFailure(provider.issue(targetOf(jira, 'WIN-1'), never()), 'unauthorized');
      await expectFailure(provider.project(project, never()), 'unauthorized');
      await expectFailure(provider.projects(jira.organization, never()), 'unauthorized');
    },
  );

  test.each(['cloud', 'data_center'] as const)(
    'without permissions says which ones, in the words of Jira (%s)',
    async (deployment) => {
      const jira = await start([], { deployment });
      jira.emulator.deny('ada', 'WIN', ['TRANSITION_ISSUES', 'LINK_ISSUES', 'DELETE_ISSUES']);
      expect(await jira.provider.check(never())).toEqual({
        login: deployment === 'cloud' ? 'Ada Lovelace' : 'ada',
        missingPermissions: ['Transition Issues', 'Link Issues'],
        tellsWriting: true,
      });
    },
  );

  test('that may not comment is told so', async () => {
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
    'that is deleted, or that the token lost, is not found, and others go on (%s)',
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
        expect(error.message).toMatch(/does not know the project WIN, or this token may not see it\.$/);
      }
      expect(await jira.provider.issue(targetOf(jira, 'WIN-1'), never())).toBeNull();
      expect(itemsOf([await jira.provider.issues(second, null, never())])).toHaveLength(1);
      jira.emulator.deleteProject('OTH');
      await expectFailure(jira.provider.comments(second, null, never()), 'not_found');
    },
  );

  test('that is archived, and an issue moved out of it, are no longer there', async () => {
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

  test('of which there are many is listed page by page', async () => {
    const projects = Array.from({ length: 120 }, (_, index) => ({ key: `P${index}`, issues: [] }));
    const jira = await start([], { seed: { projects } });
    expect(await jira.provider.projects(jira.organization, never())).toHaveLength(121);
  });
});

describe('a limit', () => {
  test('that ends soon is waited out', async () => {
    const jira = await start(backlog(1));
    jira.emulator.faults.add({ times: 1, action: { kind: 'rate-limit', retryAfterSeconds: 3 } });
    await jira.provider.check(never());
    expect(jira.waits).toEqual([3000]);
  });

  test.each([
    ['Retry-After', { retryAfterSeconds: 90 }, 90],
    ['the time it ends', { resetInSeconds: 120 }, 120],
    ['nothing', {}, 60],
  ])('told by %s is a time to try again', async (_, told, seconds) => {
    const jira = await start(backlog(1));
    const atMs = jira.clock.now().getTime();
    jira.emulator.faults.add({ action: { kind: 'rate-limit', ...told } });
    const error = await expectFailure(jira.provider.check(never()), 'rate_limited');
    expect(error.retryAt?.getTime()).toBe(atMs + seconds * 1000);
  });
});

describe('what is no answer', () => {
  test('a captcha is to be solved in the browser', async () => {
    const jira = await start([], { deployment: 'data_center' });
    jira.emulator.faults.add({ action: { kind: 'captcha' } });
    const error = await expectFailure(jira.provider.check(never()), 'unauthorized');
    expect(error.message).toContain('captcha');
  });

  test('a sign-in page is told as such, once', async () => {
    const jira = await start([], { deployment: 'data_center' });
    jira.emulator.faults.add({ action: { kind: 'sign-in-page' } });
    const error = await expectFailure(jira.provider.check(never()), 'unauthorized');
    expect(error.message).toContain('sign-in page');
    expect(jira.waits).toEqual([]);
  });

  test('a redirect to a sign-in page is told as such', async () => {
    const jira = await start([], { deployment: 'data_center' });
    const location = 'https://sso.example.com/saml?x=1';
    jira.emulator.faults.add({ action: { kind: 'status', status: 302, body: '', headers: { location } } });
    const error = await expectFailure(jira.provider.check(never()), 'unauthorized');
    expect(error.message).toContain('sign-in page');
  });

  test('no Jira at the address is told as such', async () => {
    const jira = await start([], { deployment: 'data_center' });
    jira.emulator.faults.add({ action: { kind: 'status', status: 404, body: 'Not Found' } });
    const error = await expectFailure(jira.providerFor(TOKEN).organizations(never()), 'not_found');
    expect(error.message).toContain('No Jira answers at');
  });

  test.each([
    ['malformed', { kind: 'malformed' }],
    ['dropped', { kind: 'drop', when: 'mid-body' }],
    ['an error of its own', { kind: 'status', status: 503 }],
  ] as const)('%s is asked for again', async (_, action) => {
    const jira = await start(backlog(120));
    jira.emulator.faults.add({ match: { path: 'search/jql' }, times: 2, action });
    expect(new Set(itemsOf(await readIssues(jira)).map(({ externalId }) => externalId)).size).toBe(120);
  });
});

describe('much text', () => {
  test.each(['cloud', 'data_center'] as const)(
    'than fits into an answer comes by smaller pages (%s)',
    async (deployment) => {
      const issues = backlog(60).map((issue) => ({ ...issue, description: 'word '.repeat(5000) }));
      const jira = await start(issues, { deployment, maxResponseBytes: 400_000 });
      const pages = await readIssues(jira);
      expect(new Set(itemsOf(pages).map(({ externalId }) => externalId)).size).toBe(60);
    },
  );

  test('comments of 250 kB come whole', async () => {
    const body = `${'word '.repeat(50_000)}end`;
    const jira = await start([{ summary: 'a', comments: [{ body }, { body }] }], {
      deployment: 'data_center',
    });
    const { items } = await jira.provider.comments(jira.project, null, never());
    expect(items.map((comment) => comment.body)).toEqual([body, body]);
  });

  test('a clock that is behind ours does not hide a comment that was posted', async () => {
    const jira = await start(backlog(1));
    const postedAfter = new Date(jira.clock.now().getTime() + 4 * 60_000);
    const id = await jira.provider.comment(targetOf(jira, 'WIN-1'), 'text', 'step-1', never());
    expect(await jira.provider.findComment(targetOf(jira, 'WIN-1'), 'step-1', postedAfter, never())).toBe(id);
  });
});
