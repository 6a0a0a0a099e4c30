import { EXECUTION_STATUSES, type FlowRun, needsIssue } from '@winnow/contract/flow';
import { expectSignedIn, type SignedIn } from '../../accounts/index.ts';
import type { Ledger } from '../../changes/index.ts';
import type { Issues } from '../../issues/index.ts';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { actionBy } from '../actions-taken.ts';
import { missingSettingText } from '../definition-problems.ts';
import { labelOfRequest, requestNamePrefix } from '../request-name.ts';
import type { Flows } from '../service.ts';
import { lockFlows } from '../store.ts';
import { subjectOf } from '../subject.ts';
import type { Announcements } from './announcements.ts';
import { type ExecutionStart, startExecution } from './start-execution.ts';
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

/** Lists, starts and stops executions of flows. */
export class Executions {
  readonly #options: ExecutionsOptions;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
  }

  list(accountId: string, filter: store.ExecutionFilter, page: { limit: number; skip: number }) {
    return store.listExecutions(this.#options.db, accountId, filter, page);
  }

  /**
   * Returns an execution, with the current states of the changes that it saved.
   * @throws {AppError} `not_found`
   */
  async show(accountId: string, executionId: string): Promise<store.ExecutionView> {
    const { ledger } = this.#options;
    const execution = await this.get(accountId, executionId);
    if (execution.change_ids.length === 0) return execution;
    const requests = requestNamePrefix(executionId);
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

  /**
   * Returns an execution as stored.
   * @throws {AppError} `not_found` if the execution does not exist
   */
  async get(accountId: string, executionId: string): Promise<store.ExecutionView> {
    const execution = await store.findExecution(this.#options.db, accountId, executionId);
    if (!execution) throw notFound();
    return execution;
  }

  /**
   * Returns the log entries with numbers above `after`, and the total number of entries.
   * @throws {AppError} `not_found` if the execution does not exist
   */
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
   * Starts a flow manually: on an issue, on a past event, or without a subject. The flow may be
   * disabled.
   *
   * @throws {AppError} `not_found` for an unknown flow; `invalid` for an unknown issue or event, or
   * if the flow requires an issue or is incomplete
   */
  async run(user: SignedIn, flowId: string, run: FlowRun): Promise<store.ExecutionView> {
    const { accountId } = user;
    const definition = await this.#options.flows.definition(accountId, flowId);
    if (run.issue_key === undefined && run.event === undefined && needsIssue(definition)) {
      throw invalid([{ path: 'issue_key', message: 'All actions of this flow need an issue. Select one.' }]);
    }
    const lack = missingSettingText(definition);
    if (lack !== null) throw invalid([{ path: 'flow', message: lack }]);
    const event = await subjectOf(this.#options, accountId, run, definition);
    return this.#begin(user, { flowId, event, dryRun: run.dry_run, retryOf: null });
  }

  /**
   * Runs the flow of an execution again, as currently defined and with the same trigger.
   *
   * @throws {AppError} `not_found`; `conflict` if the execution has not ended
   */
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

  /**
   * Stops an execution. An execution that has not started ends immediately; a running one ends
   * shortly afterwards.
   *
   * @throws {AppError} `not_found`; `conflict` if the execution has ended
   */
  async stop(accountId: string, executionId: string): Promise<store.ExecutionView> {
    const { db, now, announcements } = this.#options;
    const isAsked = await store.requestStop(db, accountId, executionId, now());
    const execution = await this.get(accountId, executionId);
    if (!isAsked) throw conflict('ended', 'This execution has already ended.');
    await announcements.announceUpdate(accountId, executionId);
    return execution;
  }

  async #begin(user: SignedIn, start: Omit<ExecutionStart, 'definition'>): Promise<store.ExecutionView> {
    const { db, jobs, now, flows, announcements } = this.#options;
    const { accountId } = user;
    const executionId = await db.transaction().execute(async (transaction) => {
      await lockFlows(transaction, accountId);
      await expectSignedIn(transaction, user, 'write');
      const definition = await flows.definition(accountId, start.flowId, transaction);
      return startExecution(
        transaction,
        accountId,
        { ...start, definition, isManual: true, startedBy: user.userId },
        { jobs, at: now() },
      );
    });
    await announcements.announceUpdate(accountId, executionId);
    return this.get(accountId, executionId);
  }
}
