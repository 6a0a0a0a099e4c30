import { aiModel } from '@winnow/contract/ai-model';
import { flow } from '@winnow/contract/flow';
import { mcpServer } from '@winnow/contract/mcp-server';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../schema/tables.ts';
import type { Answer, Caller, Method } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { updateServerReferences } from './server-references.ts';
import { newFlow, runToEnd } from './testing/flow-setup.ts';

const MODEL = {
  name: 'Theirs',
  provider_name: 'custom',
  model_identifier: 'theirs',
  api_url: 'https://models.example.org/v1',
};
const SERVER = { name: 'Notes', url: 'https://notes.example.com/mcp' };
const FLOW = { name: 'Flag', builtin_actions: ['report_backlog'] };

let winnow: RunningWinnow;
let caller: Caller;
let accountId: string;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
beforeEach(async () => {
  caller = await winnow.newCaller();
  ({ account_id: accountId } = await newFlow(caller, null, FLOW));
});

/**
 * Sends a request while `work` holds the lock of the account. The request then waits and sees the
 * result of `work`.
 */
async function requestBehindLock(
  request: () => Promise<Answer>,
  work: (transaction: Db) => Promise<unknown>,
): Promise<Answer> {
  const { db } = winnow.database;
  const { answer } = await db.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .execute();
    const asked = request();
    await eventually(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%"account"%'
        `.execute(db);
        return rows.length > 0;
      },
      { what: 'the request that waits' },
    );
    await work(transaction);
    return { answer: asked };
  });
  return answer;
}

test('refuses requests of a user who was signed out while they waited', async () => {
  const made = await newFlow(caller, null, { ...FLOW, is_enabled: false });
  const model = await caller.send('POST', '/ai-models', { ...MODEL, is_default: false }, aiModel);
  const server = await caller.send('POST', '/mcp-servers', SERVER, mcpServer);
  const { id: executionId } = await runToEnd(caller, made.id, {});
  const requests: [Method, string, unknown][] = [
    ['POST', '/flows', FLOW],
    ['PUT', `/flows/${made.id}`, { is_enabled: true }],
    ['POST', '/flows/presets/flag-duplicates/clone', undefined],
    ['POST', `/flows/${made.id}/run`, {}],
    ['POST', `/flows/executions/${executionId}/retry`, undefined],
    ['POST', '/ai-models', { ...MODEL, name: 'Another' }],
    ['PUT', `/ai-models/${model.id}`, { is_default: true }],
    ['POST', '/mcp-servers', { ...SERVER, name: 'Another' }],
    ['PUT', `/mcp-servers/${server.id}`, { ...SERVER, url: 'https://elsewhere.example.com/mcp' }],
  ];
  for (const [method, path, body] of requests) {
    const ending = (at: Date | null) => (db: Db) =>
      db.updateTable('session').set({ revoked_at: at }).where('account_id', '=', accountId).execute();
    const answer = await requestBehindLock(() => caller.call(method, path, body), ending(new Date()));
    expect([method, path, answer.status]).toEqual([method, path, 401]);
    await ending(null)(winnow.database.db);
  }
  expect(await caller.get(`/flows/${made.id}`, flow)).toEqual({ ...made, last_execution: expect.anything() });
});

test('updating a flow does not restore permissions that were removed from it meanwhile', async () => {
  const { id } = await caller.send('POST', '/mcp-servers', SERVER, mcpServer);
  const made = await newFlow(caller, null, {
    ...FLOW,
    allowed_mcp_servers: ['Notes'],
    tool_policies: { 'Notes/write': 'allow' },
  });
  const answer = await requestBehindLock(
    () => caller.call('PUT', `/flows/${made.id}`, { description: 'Said later.' }),
    (transaction) => updateServerReferences(transaction, accountId, { name: 'Notes', became: 'moved' }),
  );
  expect(flow.parse(answer.body)).toMatchObject({ description: 'Said later.', tool_policies: {} });
  await caller.do('DELETE', `/mcp-servers/${id}`);
});
