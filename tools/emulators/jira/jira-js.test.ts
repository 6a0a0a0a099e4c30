import { createCloudClient } from 'jira.js';
import { expect, test } from 'vitest';
import {
  type EmulatedJira,
  TOKEN,
} from '../../../packages/server/src/trackers/jira/testing/emulated-jira.ts';
import {
  backlog,
  itemsOf,
  never,
  readIssues,
  startPerTest,
  targetOf,
} from '../../../packages/server/src/trackers/jira/testing/per-test.ts';
import { readToEnd } from '../../../packages/server/src/trackers/provider-suite/context.ts';
import { classicWorkflow } from './seed.ts';

const start = startPerTest();

/** For Jira Cloud, the only one it knows. It checks every answer against schemas of its own. */
function jiraJsFor({ emulator }: EmulatedJira) {
  return createCloudClient({
    host: emulator.siteUrl,
    auth: { type: 'basic', email: 'ada@example.com', apiToken: TOKEN },
    onSchemaMismatch: 'throw',
  });
}

/** A document of one paragraph. */
function documentOf(text: string) {
  return {
    type: 'doc' as const,
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  };
}

test('jira.js pages through a backlog and sees each issue and comment once', async () => {
  const jira = await start(backlog(250));
  const jiraJs = jiraJsFor(jira);
  const keys: string[] = [];
  for (let nextPageToken: string | undefined; ; ) {
    const page = await jiraJs.issueSearch.searchAndReconsileIssuesUsingJql({
      jql: 'project = WIN order by created asc',
      maxResults: 30,
      fields: ['summary'],
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    });
    keys.push(...(page.issues ?? []).map(({ key }) => key ?? ''));
    nextPageToken = page.nextPageToken ?? undefined;
    if (nextPageToken === undefined) break;
  }
  expect(keys).toEqual(Array.from({ length: 250 }, (_, index) => `WIN-${index + 1}`));

  for (let count = 0; count < 45; count += 1) jira.emulator.commentAs('bob', 'WIN-2', documentOf(`${count}`));
  const ids: string[] = [];
  for (let total = 1; ids.length < total; ) {
    const page = await jiraJs.issueComments.getComments({
      issueIdOrKey: 'WIN-2',
      startAt: ids.length,
      maxResults: 20,
    });
    ids.push(...(page.comments ?? []).map(({ id }) => id ?? ''));
    total = page.total ?? 0;
  }
  expect(ids).toEqual(jira.emulator.issue('WIN-2').comments.map(({ id }) => id));
});

test('jira.js sees what the provider writes', async () => {
  const jira = await start(backlog(4), { project: { workflow: classicWorkflow } });
  const { provider, project } = jira;
  const jiraJs = jiraJsFor(jira);
  const [first, second, third] = ['WIN-1', 'WIN-2', 'WIN-3'].map((key) => targetOf(jira, key));
  if (!first || !second || !third) throw new Error('Three issues are there.');
  const fields = async (issueIdOrKey: string) =>
    (await jiraJs.issues.getIssue({ issueIdOrKey })).fields ?? {};
  const comments = async (issueIdOrKey: string) =>
    (await jiraJs.issueComments.getComments({ issueIdOrKey, expand: 'properties' })).comments ?? [];

  await provider.edit(first, { title: 'rewritten', description: 'A **bold** word' }, never());
  await provider.changeLabels(first, { add: ['ready'], remove: [] }, never());
  await provider.assign(first, ['Bob Stone'], never());
  expect(await fields('WIN-1')).toMatchObject({
    summary: 'rewritten',
    description: {
      type: 'doc',
      content: [
        { content: [{ text: 'A ' }, { text: 'bold', marks: [{ type: 'strong' }] }, { text: ' word' }] },
      ],
    },
    labels: ['ready'],
    assignee: { displayName: 'Bob Stone' },
  });

  const commentId = await provider.comment(second, 'Closed as a duplicate.', 'step-1', never());
  await provider.closeAsDuplicate(second, first, never());
  expect(await fields('WIN-2')).toMatchObject({
    status: { statusCategory: { key: 'done' } },
    resolution: { name: 'Duplicate' },
    issuelinks: [{ type: { name: 'Duplicate' }, outwardIssue: { key: 'WIN-1' } }],
  });
  expect(await comments('WIN-2')).toMatchObject([
    { id: commentId, body: documentOf('Closed as a duplicate.'), author: { displayName: 'Ada Lovelace' } },
  ]);
  await provider.reopen(second, never());
  await provider.deleteComment(second, commentId, never());
  expect(await fields('WIN-2')).toMatchObject({ resolution: null, issuelinks: [] });
  expect(await comments('WIN-2')).toEqual([]);

  await provider.link(first, 'blocks', third, never());
  expect(await fields('WIN-1')).toMatchObject({
    issuelinks: [{ type: { outward: 'blocks' }, outwardIssue: { key: 'WIN-3' } }],
  });
  expect(await fields('WIN-3')).toMatchObject({
    issuelinks: [{ type: { inward: 'is blocked by' }, inwardIssue: { key: 'WIN-1' } }],
  });
  await provider.unlink(first, 'blocks', third, never());
  expect(await fields('WIN-3')).toMatchObject({ issuelinks: [] });

  const draft = { title: 'made', description: 'Text.', labels: ['bug'], assignees: ['Ada Lovelace'] };
  const made = await provider.create(project, draft, 'step-2', never());
  expect(await fields(made.key)).toMatchObject({
    summary: 'made',
    description: documentOf('Text.'),
    labels: ['bug'],
    assignee: { displayName: 'Ada Lovelace' },
    creator: { displayName: 'Ada Lovelace' },
    issuetype: { name: 'Task' },
  });
});

test('jira.js writes what the provider then reads', async () => {
  const jira = await start(backlog(3));
  const { provider, project } = jira;
  const jiraJs = jiraJsFor(jira);
  const cursor = (await readIssues(jira)).at(-1)?.cursor ?? null;
  const readComments = (from: string | null) =>
    readToEnd((at) => provider.comments(project, at, never()), from);
  const commentCursor = (await readComments(null)).at(-1)?.cursor ?? null;
  jira.clock.pass(60_000);

  const made = await jiraJs.issues.createIssue({
    fields: {
      project: { key: 'WIN' },
      issuetype: { name: 'Task' },
      summary: 'from jira.js',
      description: documentOf('Text.'),
      labels: ['bug'],
    },
  });
  await jiraJs.issues.editIssue({
    issueIdOrKey: 'WIN-1',
    fields: { summary: 'edited', description: null, labels: ['new'] },
  });
  const { transitions = [] } = await jiraJs.issues.getTransitions({ issueIdOrKey: 'WIN-2' });
  const done = transitions.find(({ to }) => to?.statusCategory?.key === 'done');
  await jiraJs.issues.doTransition({ issueIdOrKey: 'WIN-2', transition: { id: done?.id ?? '' } });
  const comment = await jiraJs.issueComments.addComment({
    issueIdOrKey: 'WIN-1',
    body: documentOf('said by jira.js'),
  });
  await jiraJs.issueLinks.linkIssues({
    type: { name: 'Blocks' },
    inwardIssue: { key: 'WIN-1' },
    outwardIssue: { key: 'WIN-3' },
  });

  const items = itemsOf(await readIssues(jira, cursor));
  expect(items).toContainEqual(
    expect.objectContaining({
      externalId: made.id,
      key: made.key,
      title: 'from jira.js',
      description: 'Text.',
      labels: ['bug'],
      author: 'Ada Lovelace',
    }),
  );
  expect(items).toContainEqual(
    expect.objectContaining({ key: 'WIN-1', title: 'edited', description: '', labels: ['new'] }),
  );
  expect(items).toContainEqual(
    expect.objectContaining({ key: 'WIN-2', state: 'closed', isDuplicate: false }),
  );
  expect(itemsOf(await readComments(commentCursor))).toContainEqual(
    expect.objectContaining({
      externalId: comment.id,
      issueExternalId: targetOf(jira, 'WIN-1').externalId,
      body: 'said by jira.js',
    }),
  );
  expect(await provider.links(targetOf(jira, 'WIN-3'), never())).toEqual([
    { kind: 'blocked_by', key: 'WIN-1' },
  ]);
});
