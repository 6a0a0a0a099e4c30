import type { BuiltinAction } from '@winnow/contract/flow';
import { INTERNAL_ERROR_TEXT, type ToolServices } from '../../agent-tools/index.ts';
import { type AiModels, type LanguageModels, type QuestionCost, visible } from '../../ai/index.ts';
import { type ExternalTools, McpServerError } from '../../mcp-servers/index.ts';
import { isConnectionError } from '../../platform/database-unavailable.ts';
import { AppError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events.ts';
import { type JobContext, JobPostponed } from '../../platform/jobs/job.ts';
import type { Log } from '../../platform/log.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';
import type { Db } from '../../schema/tables.ts';
import type { Action } from '../built-in/action.ts';
import { MODEL_GONE } from '../definition-problems.ts';
import type { Announcements } from '../executions/announcements.ts';
import { addSpent, type Progress } from '../executions/progress-store.ts';
import { type ExecutionRow, findModelWait, markRunning, shouldStop } from '../executions/store.ts';
import { factsOfTrigger } from '../facts.ts';
import { findArea } from '../flow-references.ts';
import type { Flows } from '../service.ts';
import { findOwner } from '../store.ts';
import { withoutWrites } from '../write-permission.ts';
import { type AgentCalls, AgentRun, type AgentState } from './agent-run.ts';
import { Budget } from './budget.ts';
import { ExecutionFailed } from './execution-failed.ts';
import { ExecutionGone, Journal } from './journal.ts';
import { canWaitLonger, ModelTemporarilyDown } from './model-turns.ts';
import { offeredTools } from './offered-tools.ts';
import { type BuiltInState, runActions } from './run-actions.ts';
import { StopRequested, watchExecution } from './stop-watch.ts';
import { Toolbox } from './toolbox.ts';

export interface FlowRunnerOptions {
  db: Db;
  now: () => Date;
  log: Log;
  flows: Pick<Flows, 'definition' | 'problemOf'>;
  aiModels: Pick<AiModels, 'open'>;
  languageModels: Pick<LanguageModels, 'takeTurn' | 'isClosed' | 'wake' | 'waitMs'>;
  services: ToolServices;
  outside: ExternalTools;
  actions: Readonly<Record<BuiltinAction, Action>>;
  announcements: Announcements;
  events: Pick<Events<AccountEvent>, 'subscribe' | 'listening'>;
}

/** Runs executions of flows from their stored progress to their end. */
export class FlowRunner {
  readonly #options: FlowRunnerOptions;

  constructor(options: FlowRunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs an execution. Does nothing if it has ended. If the run fails, stores the failure as the
   * execution's outcome. If a user started the execution, a model in cooldown is tried again.
   *
   * @throws {JobPostponed} if the model is temporarily down
   * @throws on shutdown, and if the database connection is lost; another attempt then continues
   */
  async run(
    accountId: string,
    executionId: string,
    { signal, isManual }: Pick<JobContext, 'signal'> & { isManual: boolean },
  ): Promise<void> {
    const { db, now, log, announcements, events, languageModels } = this.#options;
    await this.#expectModelBack(accountId, executionId);
    const row = await markRunning(db, accountId, executionId, now());
    if (!row) return;
    const { ai_model_id: modelId } = row.definition;
    if (isManual && row.attempts === 1 && modelId !== null) languageModels.wake(modelId, row.created_at);
    await announcements.announceUpdate(accountId, executionId);
    const journal = new Journal({ db, now, announcements }, row);
    const watch = watchExecution(
      { accountId, executionId, startedAt: row.start_time ?? now() },
      {
        events,
        now,
        shouldStop: () => shouldStop(db, accountId, executionId),
        onError: (error) => log.warn({ error }, 'The stop state of an execution could not be read.'),
      },
    );
    const ending = AbortSignal.any([signal, watch.signal]);
    try {
      if (await shouldStop(db, accountId, executionId)) throw new StopRequested();
      const budget = this.#budgetOf(row);
      const result = await this.#carryOut(row, budget, journal, ending);
      for (const notice of budget.notices) await journal.log('status', { notice });
      await journal.write(endOf('SUCCEEDED', { result: result === '' ? null : result }));
    } catch (thrown) {
      const error: unknown = watch.signal.aborted ? watch.signal.reason : thrown;
      if (error instanceof ModelTemporarilyDown) await this.#wait(row, error, journal, signal);
      else await this.#end(error, journal, signal);
    } finally {
      watch.close();
    }
  }

  /**
   * Postpones an execution again if the model that it waits for is still down.
   * @throws {JobPostponed}
   */
  async #expectModelBack(accountId: string, executionId: string): Promise<void> {
    const { db, now, languageModels } = this.#options;
    const wait = await findModelWait(db, accountId, executionId);
    if (!wait || !canWaitLonger(wait.since, now())) return;
    const waitMs = languageModels.waitMs(wait.modelId);
    if (waitMs > 0) throw new JobPostponed(waitMs);
  }

  /**
   * Suspends an execution until its model may be available again. Other executions can then use its
   * slot.
   * @throws {JobPostponed} unless a user stopped the execution
   */
  async #wait(
    row: ExecutionRow,
    away: ModelTemporarilyDown,
    journal: Journal,
    stopping: AbortSignal,
  ): Promise<void> {
    const entry = { type: 'status' as const, payload: { notice: away.notice } };
    try {
      await journal.write({ modelWaitSince: away.since, entries: [entry] });
    } catch (error) {
      const isStopped =
        error instanceof ExecutionGone && (await shouldStop(this.#options.db, row.account_id, row.id));
      return this.#end(isStopped ? new StopRequested() : error, journal, stopping);
    }
    throw new JobPostponed(away.waitMs);
  }

  #budgetOf(row: ExecutionRow): Budget {
    const { account_id: accountId, id, definition, budget_used: used, input_tokens, output_tokens } = row;
    const { db, announcements } = this.#options;
    const keep = async (spent: Pick<QuestionCost, 'cost' | 'tokens'>) => {
      await addSpent(db, accountId, id, spent);
      await announcements.announceLog(accountId, id);
    };
    const { max_budget: most, max_tokens: mostTokens } = definition;
    return new Budget({ most, mostTokens, used, usedTokens: input_tokens + output_tokens, keep });
  }

  async #carryOut(row: ExecutionRow, budget: Budget, journal: Journal, signal: AbortSignal): Promise<string> {
    const { db, now, log, aiModels, languageModels, services, outside, actions } = this.#options;
    const { account_id: accountId, dry_run: dryRun } = row;
    const owner = await findOwner(db, accountId, row.flow_id);
    const definition = owner.mayWrite ? row.definition : withoutWrites(row.definition);
    await this.#expectRunnable(row);
    if (row.log_entries === 0) {
      await journal.log('event', { ...row.trigger_event, dry_run: dryRun });
    }
    const facts = await factsOfTrigger(db, accountId, row.trigger_event);
    const area = await findArea(db, accountId, definition);
    const bound = {
      accountId,
      executionId: row.id,
      flowId: row.flow_id,
      personId: row.started_by ?? owner.id,
      definition,
      projectId: row.project_id,
      trackerId: facts.project?.tracker_id ?? area.trackerId,
      issue: facts.issue,
      dryRun,
    };
    const calls = row.calls as AgentCalls | null;
    const hasReadElsewhere = calls?.hasReadElsewhere ?? false;
    const toolbox = new Toolbox(bound, { services, budget, outside, hasReadElsewhere, signal });
    if (row.attempts > 1)
      for (const action of await toolbox.listEarlierActions()) await journal.recordFoundAction(action);
    if (definition.ai_model_id === null) {
      const state = row.state as BuiltInState | null;
      return runActions({
        actions,
        toolbox,
        journal,
        facts,
        area,
        state,
        services,
        budget,
        db,
        now,
        log,
        signal,
      });
    }
    const model = await aiModels.open(accountId, definition.ai_model_id).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.category !== 'not_found') throw error;
      throw new ExecutionFailed(MODEL_GONE);
    });
    const listed = await outside.list(accountId, definition.allowed_mcp_servers).catch((error: unknown) => {
      if (!(error instanceof McpServerError)) throw error;
      throw new ExecutionFailed(`Some MCP servers of this flow are unavailable. ${error.detail}`);
    });
    const tools = offeredTools(definition, listed);
    const before = {
      state: row.state as AgentState | null,
      calls,
      iterations: row.iterations,
      toolCalls: row.tool_calls_count,
      modelWaitSince: row.model_wait_since,
    };
    const work = {
      languageModels,
      model: { ...model, budget },
      toolbox,
      tools,
      journal,
      facts,
      area,
      before,
    };
    return new AgentRun({ ...work, budget, log, now, signal }).run();
  }

  /**
   * Throws if the execution cannot run: its flow was disabled before the start, or is incomplete.
   * @throws {ExecutionFailed}
   */
  async #expectRunnable(row: ExecutionRow): Promise<void> {
    const { account_id: accountId, flow_id: flowId, definition, attempts } = row;
    const { flows } = this.#options;
    if (attempts === 1 && definition.is_enabled && !(await flows.definition(accountId, flowId)).is_enabled) {
      throw new ExecutionFailed('The flow was turned off before this run started.');
    }
    const problem = await flows.problemOf(accountId, definition);
    if (problem !== null) throw new ExecutionFailed(problem);
  }

  /**
   * Stores the reason for the end of an execution. Rethrows shutdowns and lost database
   * connections, after which another attempt continues.
   */
  async #end(error: unknown, journal: Journal, stopping: AbortSignal): Promise<void> {
    if (error instanceof ExecutionGone) return;
    if (error instanceof StopRequested) {
      await ended(journal, endOf('STOPPED', {}));
      return;
    }
    const isOurEnd = stopping.aborted && !(error instanceof ExecutionFailed);
    if (isOurEnd || isConnectionError(error)) throw error;
    await ended(journal, endOf('FAILED', { error: this.#errorTextOf(error) }));
  }

  #errorTextOf(error: unknown): string {
    if (error instanceof ExecutionFailed) return visible(error.sentence);
    if (error instanceof AppError) return visible(error.detail);
    this.#options.log.error({ error }, 'An execution failed.');
    return INTERNAL_ERROR_TEXT;
  }
}

/** Stores the outcome of an execution, unless the execution was removed in the meantime. */
async function ended(journal: Journal, progress: Progress): Promise<void> {
  await journal.write(progress).catch((error: unknown) => {
    if (!(error instanceof ExecutionGone)) throw error;
  });
}

function endOf(
  status: 'SUCCEEDED' | 'FAILED' | 'STOPPED',
  { result = null, error = null }: { result?: string | null; error?: string | null },
): Progress {
  const entry = error === null ? { status } : { status, reason: error };
  return {
    end: { status, result, error },
    entries: [{ type: error === null ? 'status' : 'error', payload: entry }],
  };
}
