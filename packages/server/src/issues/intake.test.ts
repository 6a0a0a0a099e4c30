import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import type { ProviderComment, ProviderIssue } from '../trackers/provider.ts';
import { IssueIntake, type ProjectRef } from './intake.ts';
import { commentsOf, findHeadlines, findIssues, findIssuesByKey } from './store.ts';

let database: TestDatabase;
let project: ProjectRef;
const now = new Date('2026-03-01T12:02:00Z');
const intake = new IssueIntake(() => now);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const { db } = database;
  project = { accountId: randomUUID(), trackerId: randomUUID(), projectId: randomUUID() };
  const account_id = project.accountId;
  const organization_id = randomUUID();
  const tracker_id = project.trackerId;
  await db.insertInto('account').values({ id: account_id }).execute();
  await db
    .insertInto('tracker')
    .values({ account_id, id: tracker_id, name: 'GitHub', tracker_type: 'github', url: '' })
    .execute();
  await db
    .insertInto('organization')
    .values({ account_id, id: organization_id, tracker_id, identifier: 'acme', name: 'acme' })
    .execute();
  await db
    .insertInto('project')
    .values({
      account_id,
      id: project.projectId,
      tracker_id,
      organization_id,
      external_id: '1',
      identifier: 'acme/app',
      name: 'app',
    })
    .execute();
});

const MORNING = new Date('2026-03-01T08:00:00Z');
const NOON = new Date('2026-03-01T12:00:00Z');

function issue(title: string, updatedAt: Date): ProviderIssue {
  return {
    externalId: '7',
    key: 'acme/app#7',
    title,
    description: '',
    status: 'open',
    state: 'opened',
    issueType: 'issue',
    priority: null,
    labels: [],
    assignees: [],
    author: 'ada',
    url: '',
    parentKey: null,
    isDuplicate: false,
    duplicateOf: null,
    commentsCount: 0,
    reactions: 0,
    milestone: null,
    isLocked: false,
    isCompleted: false,
    closedAt: null,
    createdAt: MORNING,
    updatedAt,
  };
}

function comment(body: string, updatedAt: Date): ProviderComment {
  return { externalId: '3', issueExternalId: '7', author: 'ada', body, createdAt: MORNING, updatedAt };
}

const take = (one: ProviderIssue) =>
  database.db.transaction().execute((transaction) => intake.storeIssues(transaction, project, [one]));
const takeComment = (one: ProviderComment) => intake.storeComments(database.db, project, [one]);

async function stored() {
  const [found] = await findIssuesByKey(database.db, project.accountId, 'acme/app#7');
  if (!found) throw new Error('The issue is not there.');
  return found;
}

test("a late result of an earlier read does not replace a newer issue'", async () => {
  await take(issue('As of noon', NOON));
  expect(await take(issue('As of the morning', MORNING))).toEqual({
    inserted: [],
    counted: 0,
    changed: [],
    notableChanges: [],
    leftOut: 0,
  });
  expect(await stored()).toMatchObject({ title: 'As of noon', updated_at: NOON });
  expect((await take(issue('Of the same second', NOON))).changed).toHaveLength(1);
  expect((await stored()).title).toBe('Of the same second');
});

test('an issue dated in the future by a wrong clock is replaced by the next version', async () => {
  const future = new Date(NOON.getTime() + 3 * 86_400_000);
  await take(issue('Of the future', future));
  await takeComment(comment('Of the future', future));
  expect((await take(issue('Of now', NOON))).changed).toHaveLength(1);
  expect(await takeComment(comment('Of now', NOON))).toMatchObject([{ isNew: false }]);
  expect(await stored()).toMatchObject({ title: 'Of now', updated_at: NOON });
  expect((await take(issue('As of the morning', MORNING))).changed).toEqual([]);
});

test('an issue requested because of the stored version replaces it, whatever its date', async () => {
  await take(issue('As of noon', NOON));
  const { content_hash: seen } = await stored();
  const late = issue('As the tracker has it', MORNING);
  const takeFor = (hash: string) =>
    database.db
      .transaction()
      .execute((transaction) => intake.storeIssues(transaction, project, [late], hash));
  expect((await takeFor('of another text')).changed).toEqual([]);
  expect((await takeFor(seen)).changed).toHaveLength(1);
  expect((await stored()).title).toBe('As the tracker has it');
});

test('an older comment does not replace a newer one, and an unchanged one is not reported', async () => {
  await take(issue('With a comment', MORNING));
  expect(await takeComment(comment('As of noon', NOON))).toMatchObject([{ isNew: true }]);
  expect(await takeComment(comment('As of the morning', MORNING))).toEqual([]);
  expect(await takeComment(comment('As of noon', NOON))).toEqual([]);
  expect(await takeComment(comment('Edited since', NOON))).toMatchObject([{ isNew: false }]);
  const bodies = (await commentsOf(database.db, project.accountId, (await stored()).id)).map(
    ({ body }) => body,
  );
  expect(bodies).toEqual(['Edited since']);
});

test('concurrent intake of the same new issue stores it once and reports it as new once', async () => {
  const results = await Promise.all([
    take(issue('As of the morning', MORNING)),
    take(issue('As of noon', NOON)),
    take(issue('As of noon', NOON)),
  ]);
  expect(results.flatMap(({ inserted }) => inserted)).toHaveLength(1);
  expect((await stored()).title).toBe('As of noon');
});

test('a comment that only moves the update time is not reported as a change', async () => {
  await take(issue('The same', MORNING));
  expect((await take(issue('The same', NOON))).notableChanges).toEqual([]);
  const assigned = { ...issue('The same', NOON), assignees: ['bob'] };
  expect((await take(assigned)).notableChanges).toMatchObject([{ before: { state: 'opened' } }]);
});

test('findIssues keeps the requested order and omits missing issues', async () => {
  for (const number of [1, 2, 3]) {
    await take({ ...issue(`Issue ${number}`, NOON), externalId: `${number}`, key: `acme/app#${number}` });
  }
  const { accountId } = project;
  const idOf = async (number: number) =>
    (await findIssuesByKey(database.db, accountId, `acme/app#${number}`))[0]?.id ?? '';
  const [first, second, third] = [await idOf(1), await idOf(2), await idOf(3)];
  for (const asked of [
    [third, first, second],
    [second, randomUUID(), third.toUpperCase(), first],
  ]) {
    const found = [
      await findIssues(database.db, accountId, asked),
      await findHeadlines(database.db, accountId, asked),
    ];
    const there = asked.map((id) => id.toLowerCase()).filter((id) => [first, second, third].includes(id));
    expect(found.map((issues) => issues.map(({ id }) => id))).toEqual([there, there]);
  }
});

test('pull requests neither use the plan quota nor count, as on the trackers screen', async () => {
  const pull: ProviderIssue = {
    ...issue('A pull request', NOON),
    externalId: '8',
    issueType: 'change_request',
  };
  const asked: number[] = [];
  const result = await database.db.transaction().execute((transaction) =>
    intake.storeIssues(
      transaction,
      project,
      [pull, issue('An issue', NOON)],
      undefined,
      async (_db, count) => {
        asked.push(count);
        return 0;
      },
    ),
  );
  expect(asked).toEqual([1]);
  expect(result).toMatchObject({ counted: 0, leftOut: 1 });
  expect(result.inserted).toHaveLength(1);
  expect((await take(issue('An issue', NOON))).counted).toBe(1);
});
