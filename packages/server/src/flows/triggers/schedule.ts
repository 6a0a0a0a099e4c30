import type { LiveEvent } from '@winnow/contract/live';
import { findProject } from '../../issues/index.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { problemOf } from '../definition-problems.ts';
import { startExecution } from '../executions/start-execution.ts';
import { triggerEventWithoutIssue } from '../facts.ts';
import { type Plans, referencesOf } from '../flow-references.ts';
import { definitionOf, type FlowRow } from '../store.ts';
import { MAX_EVENT_AGE_MS } from './event-matcher.ts';
import { SCHEDULE_QUEUE_KEY, startScheduled } from './job.ts';
import { CLOCK_EVENTS, type ClockEvent, lastSlot, nextSlot } from './slots.ts';
import * as store from './store.ts';

export interface ScheduleOptions {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  /** Tells whether an account may use custom models. */
  plans: Plans;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** Maximum number of flows that one transaction starts. */
const FLOWS_PER_BATCH = 50;

/**
 * Starts scheduled flows. A flow starts once per day or week, even if this is called repeatedly.
 */
export class Schedule {
  readonly #options: ScheduleOptions;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /**
   * Starts due flows and enqueues itself for the next scheduled time. Skips start times that were
   * missed by more than a day.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { jobs, now } = this.#options;
    for (const event of CLOCK_EVENTS) {
      const at = now();
      const slot = lastSlot(event, at);
      if (at.getTime() - slot.getTime() > MAX_EVENT_AGE_MS) continue;
      for (let claimed = FLOWS_PER_BATCH; claimed === FLOWS_PER_BATCH; ) {
        signal.throwIfAborted();
        claimed = await this.#startSome(event, slot);
      }
    }
    await jobs.enqueue(startScheduled, {}, { ...SCHEDULE_QUEUE_KEY, runAt: nextSlot(now()) });
  }

  /** Starts up to {@link FLOWS_PER_BATCH} due flows. Returns the number of flows claimed. */
  async #startSome(event: ClockEvent, slot: Date): Promise<number> {
    const { db, publish } = this.#options;
    const { claimed, begun } = await db.transaction().execute(async (transaction) => {
      const flows = await store.claimScheduled(transaction, event, slot, FLOWS_PER_BATCH);
      const executions: { accountId: string; id: string }[] = [];
      for (const flow of flows) {
        const id = await this.#start(transaction, flow, slot);
        if (id !== null) executions.push({ accountId: flow.account_id, id });
      }
      return { claimed: flows.length, begun: executions };
    });
    for (const { accountId, id } of begun) {
      await publish(accountId, { type: 'execution_updated', execution_id: id });
    }
    return claimed;
  }

  /**
   * Starts a flow and returns the id of its execution. Returns null if the flow has a known
   * problem.
   */
  async #start(db: Db, flow: FlowRow, slot: Date): Promise<string | null> {
    const { jobs, now, plans } = this.#options;
    const { account_id: accountId, event_type: type, project_id: projectId } = flow;
    const definition = definitionOf(flow);
    if (problemOf(definition, await referencesOf(db, accountId, definition, plans)) !== null) return null;
    const project = projectId === null ? undefined : await findProject(db, accountId, projectId);
    const event = triggerEventWithoutIssue(type, project ?? null, slot);
    const start = { flowId: flow.id, definition, event };
    return startExecution(db, accountId, start, { jobs, at: now() });
  }
}

/** Enqueues the schedule's job to run immediately. */
export async function resumeSchedule(jobs: Jobs, now: () => Date): Promise<void> {
  await jobs.enqueue(startScheduled, {}, { ...SCHEDULE_QUEUE_KEY, runAt: now() });
}
