import { classicWorkflow } from '@winnow/emulators/jira/seed';
import { createCloudClient } from 'jira.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  expectWritesShown,
  type ProviderTarget,
  type ThirdPartyClient,
  watchChanges,
} from '../testing/client-run.ts';
import { type EmulatedJira, TOKEN } from './testing/emulated-jira.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

/**
 * Creates a client for Jira Cloud, the only kind of Jira that jira.js supports. jira.js validates
 * every response against its own schemas.
 */
function jiraJsFor({ emulator }: EmulatedJira) {
  return createCloudClient({
    host: emulator.siteUrl,
    auth: { type: 'basic', email: 'ada@example.com', apiToken: TOKEN },
    onSchemaMismatch: 'throw',
  });
}

/** Returns an ADF document with one paragraph. */
function documentOf(text: string) {
  return {
    type: 'doc' as const,
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  };
}

test('jira.js pages through a backlog and finds each issue and comment once', async () => {
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

const shownText = z.object({ text: z.string(), marks: z.array(z.object({ type: z.string() })).optional() });
const shownDocument = z.object({ content: z.array(z.object({ content: z.array(shownText) })) }).nullish();
const shownLinks = z.array(
  z.object({ type: z.object({ inward: z.string() }), inwardIssue: z.object({ key: z.string() }).nullish() }),
);

/** Converts an ADF document to Markdown. Supports only paragraphs and bold text. */
function documentText(document: unknown): string {
  const paragraphs = shownDocument.parse(document)?.content ?? [];
  const texts = paragraphs.map(({ content }) =>
    content.map(({ text, marks }) => (marks?.[0]?.type === 'strong' ? `**${text}**` : text)).join(''),
  );
  return texts.join('\n\n');
}

test('jira.js reads what the provider writes', async () => {
  const jira = await start(backlog(4), { project: { workflow: classicWorkflow } });
  const jiraJs = jiraJsFor(jira);
  const fieldsOf = async (issueIdOrKey: string) =>
    (await jiraJs.issues.getIssue({ issueIdOrKey })).fields ?? {};
  const side: ProviderTarget = {
    ...jira,
    targets: [targetOf(jira, 'WIN-1'), targetOf(jira, 'WIN-2'), targetOf(jira, 'WIN-3')],
    self: 'Ada Lovelace',
    assignees: ['Bob Stone'],
  };
  const client: ThirdPartyClient = {
    async issue({ key }) {
      const { summary, description, status, labels, assignee, creator } = await fieldsOf(key);
      return {
        title: summary ?? null,
        text: documentText(description),
        isOpen: status?.statusCategory?.key !== 'done',
        labels: labels ?? [],
        assignees: assignee?.displayName ? [assignee.displayName] : [],
        author: creator?.displayName ?? null,
      };
    },
    async comments({ key: issueIdOrKey }) {
      const { comments = [] } = await jiraJs.issueComments.getComments({ issueIdOrKey });
      return comments.map(({ id, body }) => ({ id: id ?? '', text: documentText(body) }));
    },
    async blockers({ key }) {
      const links = shownLinks.parse((await fieldsOf(key)).issuelinks);
      return links.flatMap(({ type, inwardIssue }) =>
        type.inward === 'is blocked by' && inwardIssue ? [inwardIssue.key] : [],
      );
    },
  };
  await expectWritesShown(side, client, async () => {
    expect(await fieldsOf('WIN-2')).toMatchObject({
      resolution: { name: 'Duplicate' },
      issuelinks: [{ type: { name: 'Duplicate' }, outwardIssue: { key: 'WIN-1' } }],
    });
  });
  expect(await fieldsOf('WIN-2')).toMatchObject({ resolution: null, issuelinks: [] });
});

test('the provider reads what jira.js writes', async () => {
  const jira = await start(backlog(3));
  const jiraJs = jiraJsFor(jira);
  const changes = await watchChanges(jira);
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

  const items = await changes.issues();
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
  expect(await changes.comments()).toContainEqual(
    expect.objectContaining({
      externalId: comment.id,
      issueExternalId: targetOf(jira, 'WIN-1').externalId,
      body: 'said by jira.js',
    }),
  );
  expect(await jira.provider.links(targetOf(jira, 'WIN-3'), never())).toEqual([
    { kind: 'blocked_by', key: 'WIN-1' },
  ]);
});
