import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import type { Connection, Provider, ProviderProject } from '../provider.ts';
import { type ProviderContext, readToEnd, type TrackerUser } from '../testing/provider-suite/context.ts';
import { describeProvider } from '../testing/provider-suite.ts';
import { readSampleBacklog } from './backlog/read-backlog.ts';
import { createSampleProvider } from './provider.ts';
import { seedSampleBacklog } from './seed.ts';

const sampleProjects = readSampleBacklog();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const START = new Date('2024-05-01T12:00:00Z');
const never = () => new AbortController().signal;

interface Sample {
  connection: Connection;
  provider: Provider;
  project: ProviderProject;
  clock: { now(): Date; pass(ms: number): void };
}

async function makeSample(): Promise<Sample> {
  const accountId = randomUUID();
  const trackerId = randomUUID();
  const { db } = database;
  await db.insertInto('account').values({ id: accountId }).execute();
  await db
    .insertInto('tracker')
    .values({ account_id: accountId, id: trackerId, name: 'Sample', tracker_type: 'sample', url: '' })
    .execute();
  await db
    .transaction()
    .execute((transaction) => seedSampleBacklog(transaction, accountId, trackerId, START));
  let nowMs = START.getTime();
  const clock = {
    now: () => new Date(nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
  const connection = { accountId, trackerId, url: '', username: null, apiKey: '' };
  const provider = createSampleProvider({ connection, db, clock });
  const [project] = await provider.projects('skua', never());
  if (project === undefined) throw new Error('The sample backlog has no project.');
  return { connection, provider, project, clock };
}

function trackerUserOf({ connection, project, clock }: Sample): TrackerUser {
  const { db } = database;
  const place = {
    account_id: connection.accountId,
    tracker_id: connection.trackerId ?? '',
    project_identifier: project.identifier,
  };
  const issues = () =>
    db
      .selectFrom('sample_issue')
      .selectAll()
      .where('account_id', '=', place.account_id)
      .where('project_identifier', '=', place.project_identifier)
      .orderBy('number')
      .execute();
  const comments = () =>
    db
      .selectFrom('sample_comment')
      .selectAll()
      .where('account_id', '=', place.account_id)
      .where('project_identifier', '=', place.project_identifier)
      .execute();
  const update = (externalId: string, values: { title?: string }) =>
    db
      .updateTable('sample_issue')
      .set({ ...values, updated_at: clock.now() })
      .where('account_id', '=', place.account_id)
      .where('project_identifier', '=', place.project_identifier)
      .where('number', '=', Number(externalId))
      .execute();
  return {
    async addIssue(title) {
      const number = Math.max(...(await issues()).map((row) => row.number)) + 1;
      await db
        .insertInto('sample_issue')
        .values({
          ...place,
          number,
          title,
          body: '',
          state: 'open',
          issue_type: 'bug',
          labels: [],
          author: 'ada',
          assignees: [],
          created_at: clock.now(),
          updated_at: clock.now(),
        })
        .execute();
      return String(number);
    },
    async renameIssue(externalId, title) {
      await update(externalId, { title });
    },
    async removeIssue(externalId) {
      await db
        .deleteFrom('sample_issue')
        .where('account_id', '=', place.account_id)
        .where('project_identifier', '=', place.project_identifier)
        .where('number', '=', Number(externalId))
        .execute();
    },
    async addComment(issueExternalId, body) {
      const id = randomUUID();
      const times = { created_at: clock.now(), updated_at: clock.now() };
      await db
        .insertInto('sample_comment')
        .values({ ...place, ...times, id, number: Number(issueExternalId), author: 'ada', body })
        .execute();
      await update(issueExternalId, {});
      return id;
    },
    titles: async () => new Map((await issues()).map((row) => [String(row.number), row.title])),
    comments: async () => new Map((await comments()).map((row) => [row.id, String(row.number)])),
    async inspect(externalId) {
      const row = (await issues()).find(({ number }) => String(number) === externalId);
      const own = (await comments()).filter(({ number }) => String(number) === externalId);
      return {
        isClosed: row?.state === 'closed',
        duplicateOf: row?.duplicate_of ?? null,
        comments: own.map(({ body }) => body).sort(),
      };
    },
  };
}

describeProvider('the sample', async (): Promise<ProviderContext> => {
  const sample = await makeSample();
  return {
    provider: sample.provider,
    organization: 'skua',
    project: sample.project,
    otherUser: trackerUserOf(sample),
    people: { assignable: ['you', sampleProjects[0]?.issues[0]?.author ?? ''], outsider: 'nobody' },
    links: { blocks: 'blocks', duplicates: null },
    requests: () => null,
    pass: sample.clock.pass,
    now: sample.clock.now,
    dispose: async () => {
      await database.db.deleteFrom('account').where('id', '=', sample.connection.accountId).execute();
    },
  };
});

describe('the seeded sample', () => {
  test('belongs to one account: another account’s sample is not changed', async () => {
    const ours = await makeSample();
    const theirs = await makeSample();
    const [row] = (await ours.provider.issues(ours.project, null, never())).items;
    const target = { project: ours.project, externalId: row?.externalId ?? '', key: row?.key ?? '' };
    const untouched = await theirs.provider.issue(target, never());
    await ours.provider.comment(target, 'text', 'step-1', never());
    expect(await theirs.provider.issue(target, never())).toEqual(untouched);
    expect(await theirs.provider.findComment(target, 'step-1', new Date(0), never())).toBeNull();
  });

  test('shows nothing to an account that uses the id of another’s tracker', async () => {
    const [ours, theirs] = [await makeSample(), await makeSample()];
    const connection = { ...theirs.connection, accountId: ours.connection.accountId };
    const thief = createSampleProvider({ connection, db: database.db, clock: ours.clock });
    const { project } = theirs;
    const empty = { items: [], cursor: '', done: true, total: 0 };
    expect(await thief.issues(project, null, never())).toEqual(empty);
    expect(await thief.comments(project, null, never())).toEqual(empty);
    const [row] = (await theirs.provider.issues(project, null, never())).items;
    const target = { project, externalId: row?.externalId ?? '', key: row?.key ?? '' };
    expect(await thief.issue(target, never())).toBeNull();
    await expect(thief.reopen(target, never())).rejects.toThrow('has no issue');
    await expect(thief.comment(target, 'text', 'step-1', never())).rejects.toThrow('has no issue');
    expect(await theirs.provider.issue(target, never())).toEqual(row);
  });

  test('contains the whole backlog in order, each issue with its comments, nothing in the future', async () => {
    const { provider } = await makeSample();
    const projects = await provider.projects('skua', never());
    expect(projects.map(({ identifier }) => identifier)).toEqual(
      sampleProjects.map(({ identifier }) => identifier),
    );
    for (const project of projects) {
      const written =
        sampleProjects.find(({ identifier }) => identifier === project.identifier)?.issues ?? [];
      const pages = await readToEnd((cursor) => provider.issues(project, cursor, never()), null);
      const items = pages.flatMap((page) => page.items);
      const rest = pages.map((_page, index) => pages.slice(index).flatMap((page) => page.items).length);
      expect(
        pages.map(({ total }) => total),
        'every page reports the exact number of remaining items',
      ).toEqual(rest);
      expect(items).toHaveLength(written.length);
      for (const issue of written) {
        const item = items.find(({ externalId }) => externalId === String(issue.number));
        expect(item).toMatchObject({
          key: `${project.identifier}#${issue.number}`,
          title: issue.title,
          description: issue.body,
          state: issue.state,
          issueType: issue.type,
          commentsCount: issue.comments.length,
          duplicateOf: null,
          url: '',
        });
        if (item === undefined) continue;
        expect(item.createdAt.getTime()).toBeLessThan(item.updatedAt.getTime() + 1);
        expect(item.updatedAt.getTime()).toBeLessThanOrEqual(START.getTime());
        const daysAgo = (START.getTime() - item.createdAt.getTime()) / 86_400_000;
        expect(Math.floor(daysAgo)).toBe(issue.createdDaysAgo);
      }
    }
  });

  test('has comments in order, between the creation and the last update of their issue', async () => {
    const { provider, project } = await makeSample();
    const written = sampleProjects[0]?.issues.find(({ comments }) => comments.length > 1);
    const pages = await readToEnd((cursor) => provider.comments(project, cursor, never()), null);
    const own = pages
      .flatMap(({ items }) => items)
      .filter(({ issueExternalId }) => issueExternalId === String(written?.number));
    expect(own.map(({ body }) => body)).toEqual(written?.comments.map(({ body }) => body));
  });
});

test('concurrent writes get distinct times, so that no reader misses one', async () => {
  const { provider, project } = await makeSample();
  const { items } = await provider.issues(project, null, never());
  await Promise.all(
    items
      .slice(0, 8)
      .map(({ externalId, key }) =>
        provider.comment({ project, externalId, key }, 'text', `step-${externalId}`, never()),
      ),
  );
  const pages = await readToEnd((cursor) => provider.issues(project, cursor, never()), null);
  const newest = pages.flatMap((page) => page.items).slice(-8);
  expect(new Set(newest.map(({ updatedAt }) => updatedAt.getTime())).size).toBe(8);
  expect(new Set(newest.map(({ key }) => key))).toEqual(new Set(items.slice(0, 8).map(({ key }) => key)));
});

test('a sample without a stored tracker is refused', () => {
  const connection = { accountId: randomUUID(), trackerId: null, url: '', username: null, apiKey: '' };
  expect(() => createSampleProvider({ connection, db: database.db, clock: { now: () => START } })).toThrow(
    TypeError,
  );
});
