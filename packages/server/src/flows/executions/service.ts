import { EXECUTION_STATUSES, type FlowRun, needsIssue } from '@winnow/contract/flow';
import { expectSignedIn, type SignedIn } from '../../accounts/signed-in.ts';
import type { Ledger } from '../../changes/ledger.ts';
import type { Issues } from '../../issues/service.ts';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { actionBy } from '../actions-taken.ts';
import { labelOfRequest, requestsOf } from '../request-name.ts';
import type { Flows } from '../service.ts';
import { lockFlows } from '../store.ts';
import { subjectOf } from '../subject.ts';
import type { Announcements } from './announce.ts';
import { beginExecution, type ExecutionStart } from './begin.ts';
import * as store from './store.ts';

export interface ExecutionsOptions {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  flows: Pick<Flows, 'definition'>;
  issues: Issues;
  ledger: Pick<Ledger, 'listRequested'>;
  announcements: Announcements;
}

/** What flows do, and have done. */
export class Executions {
  readonly #options: ExecutionsOptions;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
  }

  list(accountId: string, filter: store.ExecutionFilter, page: { limit: number; skip: number }) {
    return store.listExecutions(this.#options.db, accountId, filter, page);
  }

  /** An execution with what it did as that stands by now. 404 when there is none. */
  async show(accountId: string, executionId: string): Promise<store.ExecutionView> {
    const { ledger } = this.#options;
    const execution = await this.get(accountId, executionId);
    if (execution.change_ids.length === 0) return execution;
    const requests = requestsOf(executionId);
    const asked = await ledger.listRequested(accountId, { id: execution.flow_id }, requests);
    const present = new Map(
      asked.map(({ request, record }) => [record.change.id, actionBy(labelOfRequest(request), record)]),
    );
    const actions = execution.actions.map((action) => {
      const known = action.change_id === null ? undefined : present.get(action.change_id);
      return known === undefined ? action : { ...action, summary: known.summary };
    });
    return { ...execution, actions };
  }

  /** 404 when there is none. */
  async get(accountId: string, executionId: string): Promise<store.ExecutionView> {
    const execution = await store.findExecution(this.#options.db, accountId, executionId);
    if (!execution) throw notFound();
    return execution;
  }

  /** What an execution wrote down, from an entry on, and how many entries there are. 404 when there is no such execution. */
  async logs(
    accountId: string,
    executionId: string,
    { after, limit }: { after: number; limit: number },
  ): Promise<{ logs: store.LogRow[]; total: number }> {
    const { db } = this.#options;
    const { log_entries: total } = await this.get(accountId, executionId);
    return { logs: await store.listLogs(db, accountId, executionId, after, limit), total };
  }

  /**
   * Runs a flow by hand: on an issue, on an event that has been, or on nothing in particular. One that is switched off is
   * run all the same. 404 when there is no such flow, 422 for an issue or event that is not there, and where the flow has
   * nothing to do without one.
   */
  async run(user: SignedIn, flowId: string, run: FlowRun): Promise<store.ExecutionView> {
    const { accountId } = user;
    const definition = await this.#options.flows.definition(accountId, flowId);
    if (run.issue_key === undefined && run.event === undefined && needsIssue(definition)) {
      throw invalid([{ path: 'issue_key', message: 'All that this flow does is about an issue. Name one.' }]);
    }
    const event = await subjectOf(this.#options, accountId, run, definition);
    return this.#begin(user, { flowId, event, dryRun: run.dry_run, retryOf: null });
  }

  /** Runs an execution's flow, as it is now, on what that was started by. 404; 409 while it has not ended. */
  async retry(user: SignedIn, executionId: string): Promise<store.ExecutionView> {
    const {
      status,
      flow_id: flowId,
      trigger_event,
      dry_run: dryRun,
    } = await this.get(user.accountId, executionId);
    if (!EXECUTION_STATUSES[status].ended) {
      throw conflict('not_ended', 'This execution has not ended. Stop it first.');
    }
    const event = { ...trigger_event, coalesced: 0 };
    return this.#begin(user, { flowId, event, dryRun, retryOf: executionId });
  }

  /** Has an execution end: at once if it has not begun, else within moments. 404; 409 when it has ended. */
  async stop(accountId: string, executionId: string): Promise<store.ExecutionView> {
    const { db, now, announcements } = this.#options;
    const isAsked = await store.askToStop(db, accountId, executionId, now());
    const execution = await this.get(accountId, executionId);
    if (!isAsked) throw conflict('ended', 'This execution has ended already.');
    await announcements.updated(accountId, executionId);
    return execution;
  }

  async #begin(user: SignedIn, start: Omit<ExecutionStart, 'definition'>): Promise<store.ExecutionView> {
    const { db, jobs, now, flows, announcements } = this.#options;
    const { accountId } = user;
    const executionId = await db.transaction().execute(async (transaction) => {
      await lockFlows(transaction, accountId);
      await expectSignedIn(transaction, user);
      const definition = await flows.definition(accountId, start.flowId, transaction);
      return beginExecution(
        transaction,
        accountId,
        { ...start, definition, byHand: true },
        { jobs, at: now() },
      );
    });
    await announcements.updated(accountId, executionId);
    return this.get(accountId, executionId);
  }
}
