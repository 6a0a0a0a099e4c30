import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAll, startBacklog } from '../../testing/backlog.ts';
import type { Caller } from '../../testing/caller.ts';
import type { RunningWinnow } from '../../testing/running-winnow.ts';
import { newFlow, newModel, runToEnd } from '../testing/flow-setup.ts';

let winnow: RunningWinnow;
let models: ModelsEmulator;
let github: GitHubEmulator;
let caller: Caller;
let modelId: string;

beforeAll(async () => {
  ({ winnow, models, github, caller } = await startBacklog());
  modelId = (await newModel(caller, models)).id;
  await failFirstEnd();
});
afterAll(() => closeAll(winnow, models, github));
beforeEach(async () => {
  await sql`alter sequence lost_ends restart`.execute(winnow.database.db);
});

/**
 * Makes the database fail once when the end of an execution is stored. The job of the execution is
 * then retried.
 */
async function failFirstEnd(): Promise<void> {
  const { db } = winnow.database;
  await sql`create sequence lost_ends`.execute(db);
  await sql`
    create function lose_end() returns trigger language plpgsql as $$ begin
      if new.status = 'FAILED' and old.status = 'RUNNING' and nextval('lost_ends') = 1 then
        raise exception 'terminating connection due to administrator command' using errcode = '57P01';
      end if;
      return new;
    end $$
  `.execute(db);
  await sql`
    create trigger lose_end before update on flow_execution for each row execute function lose_end()
  `.execute(db);
}

const comment = (number: number) => ({
  calls: [
    { name: 'winnow__comment_on_issue', arguments: { issue: `acme/app#${number}`, comment: 'Again.' } },
  ],
});
const commentsOn = (number: number) => github.issue('acme', 'app', number).comments.length;

async function execute(changes: Record<string, unknown>) {
  const { id } = await newFlow(caller, modelId, { write_mode: 'apply', ...changes });
  return runToEnd(caller, id);
}

/** True if the end of the execution was lost and the execution was restarted. */
async function wasBegunAgain(executionId: string): Promise<boolean> {
  const { attempts } = await winnow.database.db
    .selectFrom('flow_execution')
    .select('attempts')
    .where('id', '=', executionId)
    .executeTakeFirstOrThrow();
  return attempts === 2;
}

test('an execution over its budget writes nothing when restarted', async () => {
  models.next({ ...comment(1), tokens: { input: 1_000_000, output: 0 } });
  const execution = await execute({ max_budget: 0.5 });
  expect(await wasBegunAgain(execution.id)).toBe(true);
  expect(execution).toMatchObject({
    status: 'FAILED',
    error_message: 'The run cost $2.50, which is $2.00 more than its budget of $0.50.',
  });
  expect(commentsOn(1)).toBe(0);
});

test('an execution that failed for repeating a call does not make that call when restarted', async () => {
  models.answerAll(() => comment(2));
  const execution = await execute({});
  expect(await wasBegunAgain(execution.id)).toBe(true);
  expect(execution).toMatchObject({
    status: 'FAILED',
    tool_calls_count: 4,
    error_message:
      'The run repeated itself: winnow/comment_on_issue was called 4 times with the same arguments.',
  });
  expect(commentsOn(2)).toBe(3);
});
