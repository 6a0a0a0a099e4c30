import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import type { ProviderIssue } from '../../trackers/provider.ts';
import { IssueIntake, type ProjectRef } from '../intake.ts';
import { countStale, indexStale } from './stale-item-store.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

let database: TestDatabase;
let project: ProjectRef;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  project = { accountId: randomUUID(), trackerId: randomUUID(), projectId: randomUUID() };
  const { accountId: account_id, trackerId: tracker_id, projectId } = project;
  const organization_id = randomUUID();
  const named = { identifier: 'acme', name: 'acme' };
  await db.insertInto('account').values({ id: account_id }).execute();
  await db
    .insertInto('tracker')
    .values({ account_id, id: tracker_id, name: 'GitHub', tracker_type: 'github', url: '' })
    .execute();
  await db
    .insertInto('organization')
    .values({ account_id, id: organization_id, tracker_id, ...named })
    .execute();
  await db
    .insertInto('project')
    .values({ account_id, id: projectId, tracker_id, organization_id, external_id: '1', ...named })
    .execute();
});
afterAll(() => database.drop());

function issue(number: number, description: string): ProviderIssue {
  return {
    externalId: `${number}`,
    key: `acme#${number}`,
    title: 'Log',
    description,
    status: 'open',
    state: 'opened',
    issueType: 'issue',
    priority: null,
    labels: [],
    assignees: [],
    author: null,
    url: '',
    parentKey: null,
    isDuplicate: false,
    duplicateOf: null,
    closedAt: null,
    commentsCount: 0,
    reactions: 0,
    milestone: null,
    isLocked: false,
    isCompleted: false,
    createdAt: NOW,
    updatedAt: NOW,
  };
}

test('a batch is limited by the length of its texts, and a longer text is a batch alone', async () => {
  const { db } = database;
  const { accountId } = project;
  const lengths = [150_000, 150_000, 150_000, 600_000, 10, 10];
  const issues = lengths.map((length, at) => issue(at, 'word '.repeat(length / 5)));
  await db
    .transaction()
    .execute((transaction) => new IssueIntake(() => NOW).storeIssues(transaction, project, issues));
  const bytesLeft = async () => {
    const rows = await db
      .selectFrom('search_stale')
      .innerJoin('issue', 'issue.id', 'search_stale.id')
      .select('description')
      .execute();
    return rows.reduce((sum, { description }) => sum + description.length, 0);
  };
  let indexed = 0;
  for (let left = await bytesLeft(); left > 0; left = await bytesLeft()) {
    const count = await indexStale(db, accountId);
    const bytes = left - (await bytesLeft());
    expect(count === 1 || bytes <= 400_000).toBe(true);
    expect(count).toBeGreaterThan(0);
    indexed += count;
  }
  expect(indexed).toBe(lengths.length);
  expect(await countStale(db, accountId, 1)).toBe(0);
  expect(await indexStale(db, accountId)).toBe(0);
});
