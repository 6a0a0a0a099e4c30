import { randomUUID } from 'node:crypto';
import type { FlowDefinition } from '@winnow/contract/flow';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertModel } from '../../ai/store.ts';
import { AccountPlans } from '../../billing/plans/account-plans.ts';
import { stateHashOf } from '../../issues/state-hash.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { insertDelivered, insertFound, type NewEvent } from '../../tracker-events/event-store.ts';
import { Flows } from '../service.ts';
import { HARD_EXPRESSION, hardText } from '../testing/hard-search.ts';
import { type MatchingSetup, setUpMatching } from './testing/matching-setup.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let setup: MatchingSetup;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpMatching(database);
});

/** Matches all events. Returns the number of executions. */
async function begun(): Promise<number> {
  await setup.match();
  return (await setup.executions()).length;
}

async function startRunning(): Promise<void> {
  await database.db
    .updateTable('flow_execution')
    .set({ status: 'RUNNING', start_time: new Date() })
    .where('account_id', '=', setup.account.accountId)
    .execute();
}

describe('an event', () => {
  test('starts each listening flow and enqueues its job', async () => {
    const { first } = setup.account;
    const flowIds = [await setup.makeFlow(), await setup.makeFlow({ name: 'Labels' })];
    await setup.makeFlow({ trigger_event_type: 'issue_closed' });
    await setup.makeFlow({ trigger_event_type: null });
    await setup.makeFlow({ is_enabled: false });
    await setup.addEvent({ details: { title: 'As told', url: 'https://example.org/1' } });
    await setup.match();
    const executions = await setup.executions();
    expect(executions.map(({ flow_id }) => flow_id).sort()).toEqual(flowIds.sort());
    expect(executions[0]).toMatchObject({
      status: 'PENDING',
      dry_run: false,
      issue_id: first.id,
      project_id: first.project_id,
      definition: { builtin_actions: ['flag_duplicates'] },
      trigger_event: { type: 'issue_updated', actor: 'ada', issue_key: first.key, coalesced: 0 },
    });
    const { rows } = await sql<{ key: string }>`
      select key from graphile_worker.jobs where task_identifier = 'run-built-in-flow:v1'
    `.execute(database.db);
    for (const { id } of executions) expect(rows).toContainEqual({ key: `run-flow:${id}` });
  });

  test('starts a flow once, even if matched repeatedly', async () => {
    await setup.makeFlow();
    await setup.addEvent();
    expect(await begun()).toBe(1);
    await startRunning();
    for (const _ of [1, 2]) {
      await setup.forgetMatching();
      expect(await begun()).toBe(1);
    }
  });

  test('that meets slow expressions starts the other flows of the account, while later events wait', async () => {
    await database.db
      .updateTable('issue')
      .set({ description: hardText() })
      .where('account_id', '=', setup.account.accountId)
      .execute();
    for (let number = 0; number < 30; number += 1) {
      const hard = { field: 'description', op: 'matches', value: `${HARD_EXPRESSION}${number}` } as const;
      await setup.makeFlow({ trigger_filters: [hard] }, new Date(number));
    }
    const flowId = await setup.makeFlow({ name: 'Easy' }, new Date(100));
    await setup.addEvent();
    await setup.addEvent({}, setup.account.second);
    // On any machine, each of the 30 slow expressions takes more than 2 ms.
    const matcher = setup.openMatcher({ searchesMs: 60 });
    for (const left of [1, 0]) {
      await matcher.run(setup.account.accountId, AbortSignal.timeout(60_000));
      expect(await setup.unmatched()).toBe(left);
    }
    const executions = await setup.executions();
    expect(executions.map(({ flow_id }) => flow_id)).toEqual([flowId, flowId]);
    const { rows } = await sql<{ waits: boolean }>`
      select run_at > created_at + interval '1 second' as waits from graphile_worker.jobs
      where key = ${`match-events:${setup.account.accountId}`}
    `.execute(database.db);
    expect(rows).toEqual([{ waits: true }]);
  });

  test('that a flow missed because of a slow filter is reported until the flow is saved', async () => {
    const { accountId, first } = setup.account;
    await database.db
      .updateTable('issue')
      .set({ description: hardText() })
      .where('account_id', '=', accountId)
      .where('id', '=', first.id)
      .execute();
    const hard = { field: 'description', op: 'matches', value: HARD_EXPRESSION } as const;
    const fails = { field: 'title', op: 'is', value: 'Something else' } as const;
    const missing = await setup.makeFlow({ trigger_filters: [hard] });
    const others = [await setup.makeFlow(), await setup.makeFlow({ trigger_filters: [hard, fails] })];
    await setup.addEvent();
    await setup.addEvent({}, setup.account.second);
    await setup.match();
    const flows = new Flows({
      db: database.db,
      now: () => new Date(),
      expectConfirmedEmail: async () => undefined,
      plans: setup.plans,
      defaultModelId: async () => null,
    });
    const problemOf = async (flowId: string) => (await flows.get(accountId, flowId)).problem;
    const problem = await problemOf(missing);
    expect(problem).toContain(`The flow did not start on ${first.key} (`);
    expect(problem).toContain('took too long');
    for (const flowId of others) expect(await problemOf(flowId)).toBeNull();
    await flows.update(setup.user, missing, { name: 'Seen' });
    expect(await problemOf(missing)).toBeNull();
  });

  test('starts no flow that has a known problem', async () => {
    const { accountId } = setup.account;
    const plans = new AccountPlans({ db: database.db, selfHosted: 'free' });
    const model = await insertModel(database.db, {
      account_id: accountId,
      id: randomUUID(),
      name: 'Own',
      provider_name: 'custom',
      model_identifier: 'own',
      api_url: 'https://models.example.org/v1',
      sealed_key: null,
      is_default: false,
      created_at: new Date(),
    });
    const byModel = { prompt_template: 'Do.', builtin_actions: [] };
    const faulty = [
      await setup.makeFlow({ ...byModel, ai_model_id: UNKNOWN_ID }),
      await setup.makeFlow({ allowed_mcp_servers: ['Gone'] }),
      await setup.makeFlow({ ...byModel, ai_model_id: model.id }),
    ];
    const options = {
      db: database.db,
      now: () => new Date(),
      expectConfirmedEmail: async () => undefined,
      defaultModelId: async () => null,
    };
    const listed = await new Flows({ ...options, plans }).list(accountId);
    expect(faulty.map((id) => listed.find((flow) => flow.id === id)?.problem)).toEqual([
      expect.stringContaining('Its language model was removed.'),
      expect.stringContaining('MCP server “Gone” not found.'),
      expect.stringContaining('are not part of your plan Free.'),
    ]);
    await setup.addEvent();
    await setup.openMatcher({ plans }).run(accountId, AbortSignal.timeout(60_000));
    expect(await setup.executions()).toEqual([]);
    expect(await setup.unmatched()).toBe(0);
    await setup.addEvent();
    await setup.match();
    expect((await setup.executions()).map(({ flow_id: id }) => id)).toEqual(faulty.slice(2));
  });

  test('starts a flow once even if matched concurrently', async () => {
    await setup.makeFlow();
    for (let number = 0; number < 20; number += 1) await setup.addEvent({ issue_external_id: null });
    const run = () => setup.openMatcher().run(setup.account.accountId, AbortSignal.timeout(60_000));
    await Promise.all([run(), run(), run()]);
    expect(await setup.executions()).toHaveLength(20);
    expect(await setup.unmatched()).toBe(0);
  });

  test('is matched again if its executions could not be stored', async () => {
    await setup.makeFlow();
    await setup.addEvent();
    const enqueue = setup.jobs.enqueue;
    setup.jobs.enqueue = () => Promise.reject(new Error('The process ends here.'));
    await expect(setup.match()).rejects.toThrow('ends here');
    expect(await setup.executions()).toEqual([]);
    setup.jobs.enqueue = enqueue;
    expect(await begun()).toBe(1);
  });

  test.each([
    ['in another tracker', { trigger_event_source: UNKNOWN_ID }],
    ['in another organization', { trigger_organization_id: UNKNOWN_ID }],
    ['in another project', { trigger_project_id: UNKNOWN_ID }],
  ])('starts no flow that listens %s', async (_where, elsewhere) => {
    const { first } = setup.account;
    const here: Partial<FlowDefinition> = {
      trigger_event_source: first.tracker_id,
      trigger_organization_id: first.organization_id,
      trigger_project_id: first.project_id,
    };
    await setup.makeFlow({ ...here, ...elsewhere });
    await setup.addEvent();
    expect(await begun()).toBe(0);
    await setup.makeFlow(here);
    await setup.addEvent();
    expect(await begun()).toBe(1);
  });

  test('starts the flows whose filters pass', async () => {
    const title = { field: 'title', op: 'is', value: setup.account.first.title } as const;
    const wanted = await setup.makeFlow({ trigger_filters: [title] });
    await setup.makeFlow({ trigger_filters: [title, { field: 'actor', op: 'is_not', value: 'ADA' }] });
    await setup.makeFlow({
      trigger_filters: [{ field: 'title', op: 'matches', value: '^nothing (like it)*$' }],
    });
    await setup.addEvent();
    await setup.match();
    expect((await setup.executions()).map(({ flow_id }) => flow_id)).toEqual([wanted]);
  });

  test('starts no flow of another account', async () => {
    const other = await setUpMatching(database);
    await other.makeFlow();
    await setup.addEvent();
    await setup.match();
    await other.match();
    expect(await other.executions()).toEqual([]);
    expect(await setup.executions()).toEqual([]);
  });

  test('from before a flow was created does not start it', async () => {
    await setup.makeFlow({}, new Date(Date.now() + 60_000));
    await setup.addEvent();
    expect(await begun()).toBe(0);
  });

  test('older than a day starts nothing', async () => {
    await setup.makeFlow();
    await setup.addEvent({ occurred_at: new Date(Date.now() - DAY_MS - 60_000) });
    expect(await begun()).toBe(0);
    expect(await setup.unmatched()).toBe(0);
    await setup.addEvent({ occurred_at: new Date(Date.now() - DAY_MS + 60_000) });
    expect(await begun()).toBe(1);
  });

  test('of a push starts flows even if its last commit is old', async () => {
    await setup.makeFlow({ trigger_event_type: 'push' });
    const old = new Date(Date.now() - 3 * DAY_MS);
    await setup.addEvent({ type: 'push', issue_external_id: null, occurred_at: old });
    expect(await begun()).toBe(1);
  });

  test('waits until its issue is synced, unless it was deleted', async () => {
    await setup.makeFlow();
    await setup.makeFlow({ trigger_event_type: 'issue_deleted' });
    await setup.addEvent({ issue_external_id: 'unknown' });
    await setup.addEvent({ issue_external_id: 'gone', type: 'issue_deleted', details: { title: 'It was' } });
    await setup.match();
    expect(await setup.executions()).toMatchObject([
      { issue_id: null, trigger_event: { type: 'issue_deleted', issue_title: 'It was' } },
    ]);
    await database.db
      .updateTable('issue')
      .set({ external_id: 'unknown' })
      .where('account_id', '=', setup.account.accountId)
      .where('id', '=', setup.account.third.id)
      .execute();
    await setup.match();
    expect(await setup.executions()).toContainEqual(
      expect.objectContaining({ issue_id: setup.account.third.id }),
    );
  });

  test('that has not been read yet waits', async () => {
    await setup.makeFlow();
    await setup.addEvent({ handled_at: null });
    expect(await begun()).toBe(0);
    expect(await setup.unmatched()).toBe(1);
  });

  test('whose type is corrected starts the flows for the new type, and no flow twice', async () => {
    const { accountId, first } = setup.account;
    const at = new Date(Math.floor(Date.now() / 1000) * 1000);
    const found: NewEvent = {
      account_id: accountId,
      project_id: first.project_id,
      type: 'issue_reopened',
      issue_external_id: first.external_id,
      comment_external_id: null,
      actor: null,
      happened_after: new Date(at.getTime() - 60_000),
      occurred_at: at,
      received_at: at,
      source: 'polling',
      details: {},
      step_id: null,
      known_standing: null,
      event_key: 'found',
      handled_at: at,
    };
    await setup.makeFlow({ trigger_event_type: 'issue_reopened' });
    const closing = await setup.makeFlow({ trigger_event_type: 'issue_closed' });
    await insertFound(database.db, [{ ...found, type: 'issue_updated' }]);
    expect(await begun()).toBe(0);
    const told: NewEvent = { ...found, type: 'issue_closed', source: 'webhook', happened_after: null };
    await insertDelivered(database.db, [told]);
    await insertDelivered(database.db, [told]);
    await setup.match();
    expect((await setup.executions()).map(({ flow_id }) => flow_id)).toEqual([closing]);
  });
});

describe('an event about a cluster that grew', () => {
  const grew = (before: number, after: number) => ({
    type: 'cluster_grew' as const,
    source: 'analysis' as const,
    actor: null,
    details: {
      cluster_id: UNKNOWN_ID,
      cluster_name: 'Export fails',
      cluster_size: `${after}`,
      cluster_size_before: `${before}`,
    },
  });
  const waiting = (trigger_cluster_size: number | null) =>
    setup.makeFlow({
      name: `${trigger_cluster_size}`,
      trigger_event_type: 'cluster_grew',
      trigger_cluster_size,
    });

  test('starts the flows whose size the cluster exceeded, and contains the cluster', async () => {
    const { first } = setup.account;
    const flowIds = [await waiting(null), await waiting(4)];
    for (const size of [2, 3, 6, 100]) await waiting(size);
    await setup.addEvent(grew(4, 6));
    await setup.match();
    const executions = await setup.executions();
    expect(executions.map(({ flow_id: id }) => id).toSorted()).toEqual(flowIds.toSorted());
    expect(executions[0]?.trigger_event).toMatchObject({
      type: 'cluster_grew',
      issue_key: first.key,
      details: { cluster_id: UNKNOWN_ID, cluster_name: 'Export fails', cluster_size: '6' },
    });
  });

  test('starts a flow again only after the cluster was smaller in between', async () => {
    await waiting(null);
    await setup.addEvent(grew(5, 6));
    expect(await begun()).toBe(1);
    await startRunning();
    await setup.addEvent(grew(6, 9));
    expect(await begun()).toBe(1);
    await setup.addEvent(grew(4, 7));
    expect(await begun()).toBe(2);
  });

  test('counts although Winnow has just written to its canonical issue', async () => {
    await waiting(null);
    expect(await setup.account.apply(await setup.account.submit({ resolution: 'close_b' }))).toBe('applied');
    const { updated_at: at } = await setup.account.reread(setup.account.second.key);
    await setup.addEvent({ ...grew(5, 6), occurred_at: at }, setup.account.second);
    expect(await begun()).toBe(1);
  });
});

describe('a burst', () => {
  test('is handled by one pending execution, and by another one when that is running', async () => {
    await setup.makeFlow();
    await setup.addEvent();
    await setup.addEvent();
    expect(await begun()).toBe(1);
    await setup.addEvent();
    expect(await begun()).toBe(1);
    expect(await setup.executions()).toMatchObject([{ trigger_event: { coalesced: 2 } }]);
    await startRunning();
    await setup.addEvent();
    expect(await begun()).toBe(2);
  });

  test('has one event type, one issue and one flow', async () => {
    await setup.makeFlow();
    await setup.makeFlow({ trigger_event_type: 'issue_closed' });
    await setup.makeFlow({ trigger_event_type: 'push' });
    await setup.addEvent();
    await setup.addEvent({}, setup.account.second);
    await setup.addEvent({ type: 'issue_closed' });
    for (const _ of [1, 2]) await setup.addEvent({ type: 'push', issue_external_id: null });
    expect(await begun()).toBe(5);
  });

  test('of comments is handled one by one, because each comment has its own text', async () => {
    await setup.makeFlow({ trigger_event_type: 'comment_created' });
    for (const comment of ['First', 'Second']) {
      await setup.addEvent({ type: 'comment_created', comment_external_id: comment, details: { comment } });
    }
    expect(await begun()).toBe(2);
    await setup.addEvent({
      type: 'comment_created',
      comment_external_id: 'Third',
      details: { comment: 'Third' },
    });
    expect(await begun()).toBe(3);
    const said = (await setup.executions()).map(({ trigger_event: { details } }) => details.comment);
    expect(said.toSorted()).toEqual(['First', 'Second', 'Third']);
  });

  test('does not join a manual run', async () => {
    const flowId = await setup.makeFlow();
    await setup.addEvent();
    await setup.match();
    await database.db.deleteFrom('flow_event').where('flow_id', '=', flowId).execute();
    await setup.addEvent();
    expect(await begun()).toBe(2);
  });

  test('of hundreds of events starts every flow', async () => {
    await setup.makeFlow({ trigger_event_type: 'push' });
    const ids = Array.from({ length: 500 }, () => setup.addEvent({ type: 'push', issue_external_id: null }));
    await Promise.all(ids);
    expect(await begun()).toBe(500);
  });
});

describe('a write by Winnow', () => {
  const events = ['issue_updated', 'issue_closed'] as const;

  beforeEach(async () => {
    for (const event of [...events, 'comment_created', 'issue_opened'] as const) {
      await setup.makeFlow({ name: event, trigger_event_type: event });
    }
  });

  /**
   * Closes the second issue as a duplicate of the first one. Returns the time that the tracker
   * assigned to the write.
   */
  async function closeSecond(): Promise<Date> {
    expect(await setup.account.apply(await setup.account.submit({ resolution: 'close_b' }))).toBe('applied');
    return (await setup.account.reread(setup.account.second.key)).updated_at;
  }

  test('starts nothing', async () => {
    const at = await closeSecond();
    for (const type of events) await setup.addEvent({ type, occurred_at: at }, setup.account.second);
    expect(await begun()).toBe(0);
    expect(await setup.unmatched()).toBe(0);
  });

  test('is distinguished from later changes and from changes to other issues', async () => {
    const at = await closeSecond();
    await setup.addEvent({ occurred_at: new Date(at.getTime() + 10_000) }, setup.account.second);
    await setup.addEvent({ occurred_at: at }, setup.account.third);
    expect(await begun()).toBe(2);
  });

  test('is distinguished from a later state of the issue', async () => {
    const at = await closeSecond();
    await setup.account.editElsewhere(setup.account.second, { title: 'Another thing' });
    await setup.account.syncNow();
    await setup.addEvent({ occurred_at: at }, setup.account.second);
    expect(await begun()).toBe(1);
  });

  test('delays matching while it is in progress', async () => {
    setup.account.trouble = {
      async before(method) {
        if (method === 'closeAsDuplicate') await setup.addEvent({}, setup.account.second);
      },
      after(method) {
        if (method === 'closeAsDuplicate') throw new Error('The process ends here.');
      },
    };
    const changeId = await setup.account.submit({ resolution: 'close_b' });
    await expect(setup.account.apply(changeId)).rejects.toThrow('ends here');
    expect(await begun()).toBe(0);
    expect(await setup.unmatched()).toBe(1);
    setup.account.trouble = {};
    expect(await setup.account.apply(changeId)).toBe('applied');
    expect(await begun()).toBe(0);
    expect(await setup.unmatched()).toBe(0);
  });

  test('that never ends delays matching only for a limited time', async () => {
    setup.account.trouble = {
      after(method) {
        if (method === 'closeAsDuplicate') throw new Error('The process ends here.');
      },
    };
    await expect(setup.account.apply(await setup.account.submit({ resolution: 'close_b' }))).rejects.toThrow(
      'ends here',
    );
    const minutesAgo = new Date(Date.now() - 2 * 60_000);
    const times = { occurred_at: minutesAgo, received_at: minutesAgo };
    await setup.addEvent(times, setup.account.second);
    expect(await begun()).toBe(1);
  });

  test('of a comment is recognized by its step until the comment’s id is known, then by the id', async () => {
    await setup.makeFlow({ name: 'Edited', trigger_event_type: 'comment_updated' });
    await setup.makeFlow({ name: 'Gone', trigger_event_type: 'comment_deleted' });
    const told = (type: NewEvent['type'], step_id: string | null, comment_external_id: string | null) =>
      setup.addEvent({ type, step_id, comment_external_id }, setup.account.second);
    await told('comment_created', UNKNOWN_ID, '6');
    expect(await begun()).toBe(0);
    await closeSecond();
    const { id: step, result } = await database.db
      .selectFrom('change_step')
      .select(['id', 'result'])
      .where('account_id', '=', setup.account.accountId)
      .where('action', '=', 'comment')
      .where('target_issue_id', '=', setup.account.second.id)
      .executeTakeFirstOrThrow();
    const posted = result.comment_external_id ?? '';
    expect(posted).not.toBe('');
    await told('comment_created', step, posted);
    expect(await begun()).toBe(0);
    // Anyone who reads a comment posted by Winnow can copy its marker.
    await told('comment_created', step, '7');
    expect(await begun()).toBe(1);
    await told('comment_created', null, '8');
    expect(await begun()).toBe(2);
    await told('comment_updated', step, posted);
    expect(await begun()).toBe(3);
    await told('comment_deleted', step, posted);
    expect(await begun()).toBe(4);
  });
});

test('an update without any change starts nothing', async () => {
  await setup.makeFlow();
  await setup.makeFlow({ trigger_event_type: 'change_request_updated' });
  const known_standing = stateHashOf(await setup.account.reread(setup.account.first.key));
  await setup.addEvent({ known_standing });
  expect(await begun()).toBe(0);
  await setup.addEvent({ known_standing: 'another' });
  expect(await begun()).toBe(1);
  await setup.addEvent({ known_standing, type: 'change_request_updated' });
  expect(await begun()).toBe(2);
});
