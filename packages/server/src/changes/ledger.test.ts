import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { LiveEvent } from '@winnow/contract/live';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Duplicates } from '../duplicates/service.ts';
import { IssueIntake } from '../issues/intake.ts';
import { findIssuesByKey, Issues, type IssueView } from '../issues/service.ts';
import type { EventHandler } from '../platform/events.ts';
import { openSecrets } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { Sync } from '../sync/sync.ts';
import { type Provider, TrackerError } from '../trackers/provider.ts';
import { createSampleProvider } from '../trackers/sample/provider.ts';
import { Trackers } from '../trackers/service.ts';
import { ChangeApplier } from './apply.ts';
import { type Actor, Ledger } from './ledger.ts';
import { placeOf } from './target.ts';

/** Fails a provider's calls as told, or ends the process's work in their middle; the tracker itself is real. */
interface Trouble {
  before?: (method: string) => void;
  after?: (method: string) => void;
}

let database: TestDatabase;
let accountId: string;
let trouble: Trouble;
let trackers: Trackers;
let intake: IssueIntake;
let ledger: Ledger;
let applier: ChangeApplier;
let duplicates: Duplicates;
let first: IssueView;
let second: IssueView;
const actor: Actor = { type: 'user', id: randomUUID(), name: 'maya' };
const clock = { now: () => new Date() };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  const { db } = database;
  accountId = randomUUID();
  trouble = {};
  await db.insertInto('account').values({ id: accountId }).execute();
  const listeners = new Set<EventHandler<LiveEvent>>();
  const publish = async (_account: string, event: LiveEvent) => {
    for (const listener of listeners) listener(event, 0);
  };
  const subscribe = (_account: string, listener: EventHandler<LiveEvent>) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const secrets = await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() });
  trackers = new Trackers({
    db,
    secrets,
    now: clock.now,
    openProvider: (_type, connection) => troubled(createSampleProvider({ connection, db, clock })),
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
  intake = new IssueIntake(clock.now);
  ledger = new Ledger({
    db,
    trackers,
    intake,
    events: { publish, subscribe, listening: async () => undefined },
    requestApply: async () => undefined,
  });
  applier = new ChangeApplier({ db, ledger, trackers, intake, now: clock.now, publish });
  duplicates = new Duplicates({
    db,
    issues: new Issues(db),
    ledger,
    now: clock.now,
    explain: async () => ({ title: 0, body: 0, error_text: null, shared: [] }),
  });
  ledger.onSettled('resolution', (transaction, record, outcome) =>
    duplicates.onSettled(transaction, record, outcome),
  );
  const tracker = await trackers.create(accountId, { name: 'Sample', type: 'sample' });
  const sync = new Sync({ db, trackers, intake, now: clock.now, publish });
  await sync.run(accountId, tracker.id, AbortSignal.timeout(20_000));
  [first, second] = await twoOpenIssues();
});

function troubled(provider: Provider): Provider {
  return new Proxy(provider, {
    get(target, name: keyof Provider) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        trouble.before?.(name);
        const answer: unknown = await Reflect.apply(method, target, given);
        trouble.after?.(name);
        return answer;
      };
    },
  });
}

async function twoOpenIssues(): Promise<[IssueView, IssueView]> {
  const rows = await database.db
    .selectFrom('issue')
    .select('key')
    .where('account_id', '=', accountId)
    .where('state', '=', 'opened')
    .orderBy('created_at')
    .limit(2)
    .execute();
  const found = await Promise.all(rows.map(({ key }) => reread(key)));
  const [one, other] = found;
  if (!one || !other) throw new Error('The sample has no two open issues.');
  return [one, other];
}

async function reread(key: string): Promise<IssueView> {
  const [issue] = await findIssuesByKey(database.db, accountId, key);
  if (!issue) throw new Error(`no ${key}`);
  return issue;
}

/** What the tracker itself has of an issue. */
async function inTracker(issue: IssueView) {
  const number = Number(issue.external_id);
  const place = { account_id: accountId, project_identifier: issue.project_identifier, number };
  const row = await database.db
    .selectFrom('sample_issue')
    .selectAll()
    .where((where) => where.and(place))
    .executeTakeFirstOrThrow();
  const comments = await database.db
    .selectFrom('sample_comment')
    .select('body')
    .where((where) => where.and(place))
    .execute();
  return { state: row.state, duplicateOf: row.duplicate_of, comments: comments.map(({ body }) => body) };
}

/** Somebody closes an issue as done, in the tracker itself. */
async function closeElsewhere(issue: IssueView): Promise<void> {
  await database.db
    .updateTable('sample_issue')
    .set({ state: 'closed', state_reason: 'completed', duplicate_of: null, closed_at: new Date() })
    .where('account_id', '=', accountId)
    .where('number', '=', Number(issue.external_id))
    .where('project_identifier', '=', issue.project_identifier)
    .execute();
}

async function closeSecond(): Promise<string> {
  const plan = await duplicates.plan(accountId, {
    issue1_id: first.id,
    issue2_id: second.id,
    resolution: 'close_b',
  });
  return ledger.submit(accountId, actor, plan, undefined);
}

const job = { signal: new AbortController().signal, isLastAttempt: false };

test('closing as duplicate writes both comments, closes, and marks the pair; undo takes all of it back', async () => {
  const before = { first: await inTracker(first), second: await inTracker(second) };
  const changeId = await closeSecond();
  await applier.apply(accountId, changeId, job);
  const applied = await ledger.get(accountId, changeId);
  expect(applied.change.status).toBe('applied');
  expect(await inTracker(second)).toMatchObject({ state: 'closed', duplicateOf: first.key });
  expect((await inTracker(second)).comments.at(-1)).toContain(first.key);
  expect((await inTracker(first)).comments.at(-1)).toContain(second.key);
  expect((await reread(second.key)).state).toBe('closed');
  const pair = await database.db
    .selectFrom('pair')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  expect([pair.resolution, pair.change_id, pair.both_open]).toEqual(['closed', changeId, false]);

  const undoId = await ledger.undo(accountId, actor, changeId);
  await applier.apply(accountId, undoId, job);
  expect((await ledger.get(accountId, changeId)).change.status).toBe('undone');
  expect({ first: await inTracker(first), second: await inTracker(second) }).toEqual(before);
  const reopened = await database.db
    .selectFrom('pair')
    .select(['resolution', 'undone'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  expect(reopened).toEqual({ resolution: null, undone: true });
});

test('an undone change is not undone twice', async () => {
  const changeId = await closeSecond();
  await applier.apply(accountId, changeId, job);
  await ledger.undo(accountId, actor, changeId);
  await expect(ledger.undo(accountId, actor, changeId)).rejects.toMatchObject({ status: 409 });
});

test('an issue that moved in the tracker since it was read is not written to, and its new text is stored', async () => {
  await database.db
    .updateTable('sample_issue')
    .set({ title: 'Somebody changed this' })
    .where('account_id', '=', accountId)
    .where('project_identifier', '=', second.project_identifier)
    .where('number', '=', Number(second.external_id))
    .execute();
  await expect(closeSecond()).rejects.toMatchObject({ status: 409, code: 'changed_since' });
  expect((await reread(second.key)).title).toBe('Somebody changed this');
  expect((await ledger.list(accountId, { limit: 10, skip: 0 })).total).toBe(0);
});

/** The tracker no longer has the issue, and a sync has noticed. */
async function forget(issue: IssueView): Promise<void> {
  await database.db
    .transaction()
    .execute((transaction) => intake.takeGone(transaction, placeOf(issue), [issue.external_id]));
}

test.each([
  ['before it begins', null],
  ['after its first comment', 'comment'],
  ['after it was closed', 'closeAsDuplicate'],
])('a decision whose issue is removed here %s ends with a sentence or is done', async (_, method) => {
  const changeId = await closeSecond();
  if (method === null) await forget(second);
  let isForgotten = false;
  const removals: Promise<void>[] = [];
  trouble.after = (called) => {
    if (called !== method || isForgotten) return;
    isForgotten = true;
    removals.push(forget(second));
  };
  await applier.apply(accountId, changeId, job);
  await Promise.all(removals);
  const { change, steps } = await ledger.get(accountId, changeId);
  const failed = steps.find((step) => step.status === 'failed');
  if (method === 'closeAsDuplicate') expect(change.status).toBe('applied');
  else
    expect(failed?.error).toBe(
      `${second.key} is no longer here: it is gone from its tracker, or out of scope.`,
    );
  const again = await ledger.undo(accountId, actor, changeId).catch((error: unknown) => error);
  if (typeof again !== 'string') return;
  await applier.apply(accountId, again, job);
  expect(['failed', 'partly_applied', 'applied']).toContain(
    (await ledger.get(accountId, again)).change.status,
  );
});

test('a decision about an issue that was removed here is not begun', async () => {
  const plan = await duplicates.plan(accountId, {
    issue1_id: first.id,
    issue2_id: second.id,
    resolution: 'close_b',
  });
  await forget(second);
  await expect(ledger.submit(accountId, actor, plan, undefined)).rejects.toMatchObject({
    status: 409,
    code: 'issue_gone',
  });
  expect((await inTracker(first)).comments.at(-1) ?? '').not.toContain(second.key);
});

test('hashes of a preview that is out of date stop the change', async () => {
  const payload = { issue1_id: first.id, issue2_id: second.id, resolution: 'close_b' } as const;
  const plan = await duplicates.plan(accountId, payload);
  const seen = { [second.id]: 'f'.repeat(64) };
  await expect(ledger.submit(accountId, actor, plan, seen)).rejects.toMatchObject({ code: 'changed_since' });
});

for (const method of ['comment', 'closeAsDuplicate']) {
  test(`a process killed after the tracker did ${method} but before we noted it does nothing twice`, async () => {
    const changeId = await closeSecond();
    let killed = false;
    trouble.after = (called) => {
      if (called !== method || killed) return;
      killed = true;
      throw new Error('the process is gone');
    };
    await expect(applier.apply(accountId, changeId, job)).rejects.toThrow('the process is gone');
    trouble = {};
    await applier.apply(accountId, changeId, job);
    expect((await ledger.get(accountId, changeId)).change.status).toBe('applied');
    const posted = (await inTracker(second)).comments.filter((body) =>
      body.includes('Closing as a duplicate'),
    );
    expect(posted).toHaveLength(1);
    expect((await inTracker(second)).state).toBe('closed');
  });
}

test('a tracker that is limited asks for a later try and loses nothing', async () => {
  const retryAt = new Date(Date.now() + 60_000);
  const changeId = await closeSecond();
  trouble.before = (method) => {
    if (method === 'closeAsDuplicate') throw new TrackerError('rate_limited', 'Wait a minute.', { retryAt });
  };
  expect(await applier.apply(accountId, changeId, job)).toEqual({ retryAt });
  expect((await ledger.get(accountId, changeId)).change.status).toBe('applying');
  trouble = {};
  await applier.apply(accountId, changeId, job);
  expect((await ledger.get(accountId, changeId)).change.status).toBe('applied');
});

test('a step the tracker refuses fails with its sentence, what was done is shown, and retry does only the rest', async () => {
  const changeId = await closeSecond();
  trouble.before = (method) => {
    if (method === 'closeAsDuplicate')
      throw new TrackerError('forbidden', 'This token may not close issues.');
  };
  await applier.apply(accountId, changeId, job);
  const failed = await ledger.get(accountId, changeId);
  expect(failed.change.status).toBe('partly_applied');
  expect(failed.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
  expect(failed.steps.at(-1)?.error).toBe('This token may not close issues.');
  trouble = {};
  await ledger.retry(accountId, changeId);
  await applier.apply(accountId, changeId, job);
  expect((await ledger.get(accountId, changeId)).change.status).toBe('applied');
  const comments = (await inTracker(second)).comments.filter((body) =>
    body.includes('Closing as a duplicate'),
  );
  expect(comments).toHaveLength(1);
});

test('a fault that does not pass fails the change on the last attempt instead of leaving it applying', async () => {
  const changeId = await closeSecond();
  trouble.before = (method) => {
    if (method === 'comment') throw new TrackerError('unreachable', 'The tracker did not answer.');
  };
  await expect(applier.apply(accountId, changeId, job)).rejects.toThrow('did not answer');
  await applier.apply(accountId, changeId, { ...job, isLastAttempt: true });
  expect((await ledger.get(accountId, changeId)).change.status).toBe('failed');
});

test('an issue closed by somebody else meanwhile is not closed again', async () => {
  const changeId = await closeSecond();
  await closeElsewhere(second);
  await applier.apply(accountId, changeId, job);
  const record = await ledger.get(accountId, changeId);
  expect(record.change.status).toBe('partly_applied');
  expect(record.steps.at(-1)?.error).toContain('closed by somebody else');
});

test('undo leaves an issue closed that somebody closed anew since', async () => {
  const changeId = await closeSecond();
  await applier.apply(accountId, changeId, job);
  await closeElsewhere(second);
  const undoId = await ledger.undo(accountId, actor, changeId);
  await applier.apply(accountId, undoId, job);
  const undo = await ledger.get(accountId, undoId);
  expect(undo.steps.find(({ action }) => action === 'reopen')).toMatchObject({
    status: 'failed',
    error: `${second.key} was changed since it was closed here. Reopen it in the tracker.`,
  });
  expect(await inTracker(second)).toMatchObject({ state: 'closed', duplicateOf: null });
});

test('undo leaves an issue closed that somebody edited since', async () => {
  const changeId = await closeSecond();
  await applier.apply(accountId, changeId, job);
  await database.db
    .updateTable('sample_issue')
    .set({ title: 'Said differently since' })
    .where('account_id', '=', accountId)
    .where('number', '=', Number(second.external_id))
    .where('project_identifier', '=', second.project_identifier)
    .execute();
  const undoId = await ledger.undo(accountId, actor, changeId);
  await applier.apply(accountId, undoId, job);
  const undo = await ledger.get(accountId, undoId);
  expect(undo.steps.find(({ action }) => action === 'reopen')?.status).toBe('failed');
  expect((await inTracker(second)).state).toBe('closed');
});

test('a change of another account is the 404 of one that does not exist', async () => {
  const changeId = await closeSecond();
  const stranger = randomUUID();
  for (const attempt of [
    () => ledger.get(stranger, changeId),
    () => ledger.undo(stranger, actor, changeId),
    () => ledger.retry(stranger, changeId),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ status: 404, detail: 'Not found.' });
  }
});

test('marking as unrelated writes nothing to the tracker and is undone like any change', async () => {
  const before = { first: await inTracker(first), second: await inTracker(second) };
  const plan = await duplicates.plan(accountId, {
    issue1_id: first.id,
    issue2_id: second.id,
    resolution: 'unrelated',
  });
  const changeId = await ledger.submit(accountId, actor, plan, undefined);
  await applier.apply(accountId, changeId, job);
  expect((await ledger.get(accountId, changeId)).change.status).toBe('applied');
  const undoId = await ledger.undo(accountId, actor, changeId);
  await applier.apply(accountId, undoId, job);
  expect((await ledger.get(accountId, changeId)).change.status).toBe('undone');
  expect({ first: await inTracker(first), second: await inTracker(second) }).toEqual(before);
});
