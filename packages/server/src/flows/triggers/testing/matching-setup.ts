import { randomUUID } from 'node:crypto';
import { type FlowDefinition, flowCreate } from '@winnow/contract/flow';
import type { Insertable } from 'kysely';
import { newSession } from '../../../accounts/testing/new-session.ts';
import { AccountPlans } from '../../../billing/plans/account-plans.ts';
import { type LedgerSetup, setUpLedger } from '../../../changes/testing/ledger-setup.ts';
import type { IssueView } from '../../../issues/index.ts';
import { Jobs } from '../../../platform/jobs/jobs.ts';
import { openLog } from '../../../platform/log.ts';
import type { TestDatabase } from '../../../platform/testing/database.ts';
import type { TrackerEventTable } from '../../../schema/tracker-tables.ts';
import { insertFlow } from '../../store.ts';
import { EventMatcher, type MatcherOptions } from '../event-matcher.ts';

export type MatchingSetup = Awaited<ReturnType<typeof setUpMatching>>;
type EventValues = Partial<Omit<Insertable<TrackerEventTable>, 'id' | 'details'>> & {
  details?: Record<string, string>;
};

const log = openLog({ level: 'silent' });
let events = 0;

/** Creates an account with the sample backlog. No worker runs, so executions stay pending. */
export async function setUpMatching(database: TestDatabase) {
  const { db } = database;
  const account: LedgerSetup = await setUpLedger(db);
  const { accountId, first } = account;
  const user = await newSession(db, accountId);
  const plans = new AccountPlans({ db, selfHosted: 'enterprise' });
  const jobs = new Jobs({ db, connection: database.connection, log, exclusive: true });
  const openMatcher = (changes: Partial<MatcherOptions> = {}) =>
    new EventMatcher({ db, jobs, now: () => new Date(), plans, publish: async () => undefined, ...changes });
  const matcher = openMatcher();

  return {
    account,
    user,
    plans,
    jobs,
    openMatcher,
    match: () => matcher.run(accountId, AbortSignal.timeout(60_000)),

    /** Creates a flow that runs the built-in analyst. Returns its id. */
    async makeFlow(changes: Partial<FlowDefinition> = {}, createdAt = new Date(0)): Promise<string> {
      const { is_preset: _, ...definition } = flowCreate.parse({
        name: 'Flag',
        builtin_actions: ['flag_duplicates'],
      });
      const flowId = randomUUID();
      await insertFlow(db, accountId, flowId, {
        definition: { ...definition, trigger_event_type: 'issue_updated', ...changes },
        ownerId: user.userId,
        now: createdAt,
      });
      return flowId;
    },

    /** Adds an event that was received and is not matched yet. Returns its number. */
    async addEvent({ details = {}, ...values }: EventValues = {}, issue: IssueView = first) {
      events += 1;
      const at = new Date();
      const { id } = await db
        .insertInto('tracker_event')
        .values({
          account_id: accountId,
          project_id: issue.project_id,
          type: 'issue_updated',
          issue_external_id: issue.external_id,
          comment_external_id: null,
          actor: 'ada',
          happened_after: null,
          occurred_at: at,
          received_at: at,
          source: 'webhook',
          step_id: null,
          known_standing: null,
          event_key: `event ${events}`,
          handled_at: at,
          ...values,
          details: JSON.stringify(details),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** Returns the executions of the account in order of creation. */
    async executions() {
      return db
        .selectFrom('flow_execution')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .execute();
    },

    /** Returns the number of unmatched events. */
    async unmatched(): Promise<number> {
      const rows = await db
        .selectFrom('tracker_event')
        .select('id')
        .where('account_id', '=', accountId)
        .where('matched_at', 'is', null)
        .execute();
      return rows.length;
    },

    /** Marks all events as unmatched again. */
    async forgetMatching(): Promise<void> {
      await db
        .updateTable('tracker_event')
        .set({ matched_at: null })
        .where('account_id', '=', accountId)
        .execute();
    },
  };
}
