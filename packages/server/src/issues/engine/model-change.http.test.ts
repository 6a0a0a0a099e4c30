import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOutWordModel } from '@winnow/analysis/testing/model-folders';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../platform/testing/database.ts';
import { closeAll, newBacklog } from '../../testing/backlog.ts';
import { eventually } from '../../testing/eventually.ts';
import { minutesAfterStart, whenCompared } from '../../testing/github.ts';
import { startWinnow } from '../../testing/running-winnow.ts';
import { Engine } from './engine.ts';

const ISSUES = Array.from({ length: 24 }, (_, at) => ({
  title: `Export number ${at >> 1} fails`,
  body: `The file of export ${at >> 1} is empty after ${at % 2 === 0 ? 'a retry' : 'the second attempt'}.`,
  created_at: minutesAfterStart(at),
}));

test('vectors of another model are renewed in the background, also after an interruption', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-model-'));
  await layOutWordModel(folder, 24);
  const database = await createTestDatabase();
  const { db } = database;
  const vectors = async () => db.selectFrom('issue_vector').select(['fingerprint', 'vector']).execute();
  const before = await startWinnow({ database });
  const backlog = await newBacklog(before, ISSUES);
  await whenCompared(backlog.caller);
  await before.close();
  const { account_id: accountId } = await db
    .selectFrom('analysis_state')
    .select('account_id')
    .executeTakeFirstOrThrow();
  expect((await vectors()).every(({ vector }) => vector.length === 2 * 384)).toBe(true);

  const options = { connection: database.connection, logLevel: 'silent', embeddingModelDir: folder } as const;
  const interrupted = new Engine(options);
  const status = await interrupted.call('refresh', { accountId });
  expect(status.withoutVector).toHaveLength(ISSUES.length);
  expect(status.snapshot.fits).toBe(false);
  const [issueId = ''] = status.withoutVector;
  const filter = { createdBeforeMs: null, state: null, projectIds: null, limit: 3 };
  const byWords = await interrupted.call('similar', { accountId, issueId, filter });
  expect(byWords.results).toHaveLength(3);
  await interrupted.call('embed', { accountId, issueIds: status.withoutVector.slice(0, 5) });
  await interrupted.close();
  const next = new Engine(options);
  expect((await next.call('refresh', { accountId })).withoutVector).toHaveLength(ISSUES.length - 5);
  await next.close();

  const after = await startWinnow({ database, env: { EMBEDDING_MODEL_DIR: folder } });
  try {
    await eventually(async () => {
      const { fingerprint } = await db
        .selectFrom('analysis_state')
        .select('fingerprint')
        .executeTakeFirstOrThrow();
      const stored = await vectors();
      return fingerprint?.startsWith('custom:') && stored.every((each) => each.fingerprint === fingerprint);
    });
    expect((await vectors()).every(({ vector }) => vector.length === 2 * 24)).toBe(true);
    expect(await db.selectFrom('pair').select('id').execute()).not.toEqual([]);
  } finally {
    await closeAll(after, backlog.github);
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
