import type { LiveEvent } from '@winnow/contract/live';
import { findProject } from '../../issues/service.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { beginExecution } from '../executions/begin.ts';
import { triggerEventWithoutIssue } from '../facts.ts';
import { problemOf } from '../faults.ts';
import { type Plans, placesOf } from '../places.ts';
import { definitionOf, type FlowRow } from '../store.ts';
import { SCHEDULE_PLACE, startScheduled } from './job.ts';
import { STALE_MS } from './match.ts';
import { CLOCK_EVENTS, type ClockEvent, lastSlot, nextSlot } from './slots.ts';
import * as store from './store.ts';

export interface ScheduleOptions {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  /** Whether an account's own models may work for it. */
  plans: Plans;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
}

/** Flows that are started in one transaction. */
const AT_ONCE = 50;

/** Starts the flows that the clock starts: each once for its day or week, however often it is asked to. */
export class Schedule {
  readonly #options: ScheduleOptions;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Starts what is due, and has itself asked again at the next time. What was missed for more than a day is left out. */
  async run(signal: AbortSignal): Promise<void> {
    const { jobs, now } = this.#options;
    for (const event of CLOCK_EVENTS) {
      const at = now();
      const slot = lastSlot(event, at);
      if (at.getTime() - slot.getTime() > STALE_MS) continue;
      for (let claimed = AT_ONCE; claimed === AT_ONCE; ) {
        signal.throwIfAborted();
        claimed = await this.#startSome(event, slot);
      }
    }
    await jobs.enqueue(startScheduled, {}, { ...SCHEDULE_PLACE, runAt: nextSlot(now()) });
  }

  /** Answers how many flows were claimed. */
  async #startSome(event: ClockEvent, slot: Date): Promise<number> {
    const { db, publish } = this.#options;
    const { claimed, begun } = await db.transaction().execute(async (transaction) => {
      const flows = await store.claimScheduled(transaction, event, slot, AT_ONCE);
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

  /** Null for a flow that would fail at once, as its list says. */
  async #start(db: Db, flow: FlowRow, slot: Date): Promise<string | null> {
    const { jobs, now, plans } = this.#options;
    const { account_id: accountId, event_type: type, project_id: projectId } = flow;
    const definition = definitionOf(flow);
    if (problemOf(definition, await placesOf(db, accountId, definition, plans)) !== null) return null;
    const project = projectId === null ? undefined : await findProject(db, accountId, projectId);
    const event = triggerEventWithoutIssue(type, project ?? null, slot);
    const start = { flowId: flow.id, definition, event };
    return beginExecution(db, accountId, start, { jobs, at: now() });
  }
}

/** Sees to it that the clock is going to start flows. */
export async function resumeSchedule(jobs: Jobs, now: () => Date): Promise<void> {
  await jobs.enqueue(startScheduled, {}, { ...SCHEDULE_PLACE, runAt: now() });
}
