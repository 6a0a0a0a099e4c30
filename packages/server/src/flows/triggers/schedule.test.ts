import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { Schedule } from './schedule.ts';
import { lastSlot, nextSlot } from './slots.ts';
import { type MatchingSetup, setUpMatching } from './testing/matching-setup.ts';

const MONDAY = '2026-03-02T06:00:00.000Z';
const MADE = new Date('2026-02-20T12:00:00Z');

let database: TestDatabase;
let setup: MatchingSetup;
let now: Date;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql`truncate graphile_worker._private_jobs`.execute(database.db);
  setup = await setUpMatching(database);
});

const openSchedule = () =>
  new Schedule({
    db: database.db,
    jobs: setup.jobs,
    now: () => now,
    plans: setup.plans,
    publish: async () => undefined,
  });

/**
 * Runs the schedule `times` times concurrently at a given time. Returns the event and the scheduled
 * time of each execution.
 */
async function lookAt(at: string, times = 1): Promise<string[]> {
  now = new Date(at);
  const looks = Array.from({ length: times }, () => openSchedule().run(AbortSignal.timeout(60_000)));
  await Promise.all(looks);
  return (await setup.executions()).map(({ trigger_event: event }) => `${event.type} ${event.occurred_at}`);
}

test('scheduled flows start at six, weekly ones on Mondays', () => {
  const last = (event: 'every_day' | 'every_week', at: string) => lastSlot(event, new Date(at)).toISOString();
  expect(last('every_day', MONDAY)).toBe(MONDAY);
  expect(last('every_day', '2026-03-02T05:59:59.999Z')).toBe('2026-03-01T06:00:00.000Z');
  expect(last('every_week', '2026-03-02T05:59:59.999Z')).toBe('2026-02-23T06:00:00.000Z');
  expect(last('every_week', '2026-03-08T23:00:00Z')).toBe(MONDAY);
  expect(nextSlot(new Date(MONDAY)).toISOString()).toBe('2026-03-03T06:00:00.000Z');
  expect(nextSlot(new Date('2026-03-02T05:00:00Z')).toISOString()).toBe(MONDAY);
});

test('a daily flow starts once a day, even with several processes and restarts', async () => {
  const project = { trigger_project_id: setup.account.first.project_id };
  await setup.makeFlow({ trigger_event_type: 'every_day', ...project }, MADE);
  expect(await lookAt('2026-03-02T06:00:00.100Z', 3)).toEqual([`every_day ${MONDAY}`]);
  expect(await lookAt('2026-03-02T17:00:00Z')).toHaveLength(1);
  expect(await lookAt('2026-03-03T06:00:01Z', 2)).toHaveLength(2);
  const [execution] = await setup.executions();
  expect(execution).toMatchObject({
    status: 'PENDING',
    project_id: setup.account.first.project_id,
    issue_id: null,
    trigger_event: { project: setup.account.first.project_identifier, issue_key: null },
  });
});

test('a weekly flow starts once a week', async () => {
  await setup.makeFlow({ trigger_event_type: 'every_week' }, MADE);
  expect(await lookAt('2026-03-02T06:00:01Z', 2)).toEqual([`every_week ${MONDAY}`]);
  expect(await lookAt('2026-03-04T06:00:01Z')).toHaveLength(1);
  expect(await lookAt('2026-03-09T06:00:01Z')).toHaveLength(2);
});

test('runs missed by hours are started late; runs missed by days are skipped', async () => {
  await setup.makeFlow({ trigger_event_type: 'every_week' }, MADE);
  expect(await lookAt('2026-03-04T09:00:00Z')).toEqual([]);
  expect(await lookAt('2026-03-09T15:00:00Z')).toEqual(['every_week 2026-03-09T06:00:00.000Z']);
});

test('a new, changed or disabled flow waits for its next scheduled time', async () => {
  await setup.makeFlow({ trigger_event_type: 'every_day' }, new Date('2026-03-02T08:00:00Z'));
  await setup.makeFlow({ trigger_event_type: 'every_day', is_enabled: false }, MADE);
  expect(await lookAt('2026-03-02T09:00:00Z')).toEqual([]);
  expect(await lookAt('2026-03-03T06:00:01Z')).toHaveLength(1);
});

test('a flow with a known problem or with filters is not started', async () => {
  const never = { field: 'title', op: 'is', value: 'anything' } as const;
  await setup.makeFlow({ trigger_event_type: 'every_day', trigger_filters: [never] }, MADE);
  await setup.makeFlow({ trigger_event_type: 'every_day', trigger_event_source: randomUUID() }, MADE);
  expect(await lookAt('2026-03-02T06:00:01Z')).toEqual([]);
});

test('the schedule enqueues itself once for the next scheduled time', async () => {
  await lookAt('2026-03-02T06:00:01Z', 3);
  const { rows } = await sql<{ run_at: Date }>`
    select run_at from graphile_worker.jobs where task_identifier = 'start-scheduled-flows:v1'
  `.execute(database.db);
  expect(rows).toEqual([{ run_at: new Date('2026-03-03T06:00:00Z') }]);
});
