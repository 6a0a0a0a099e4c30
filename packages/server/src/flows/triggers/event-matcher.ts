import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { LiveEvent } from '@winnow/contract/live';
import { listWritesTo, writesInProgress } from '../../changes/index.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { markMatched, takeUnmatched, type UnmatchedEvent } from '../../tracker-events/index.ts';
import { CpuBudget } from '../cpu-budget.ts';
import { startExecutions } from '../executions/start-execution.ts';
import { factsOfEvents } from '../facts.ts';
import { FILTERS_MS, prepareFilters } from '../filters.ts';
import type { Plans } from '../flow-references.ts';
import { definitionOf } from '../store.ts';
import { type Burst, canJoinBurst, type FlowMatch, groupIntoBursts } from './bursts.ts';
import { matchEvents, matchEventsQueueKey } from './job.ts';
import { listensTo } from './listener.ts';
import { changedNothing, isCausedByWinnow, mayBeCausedByWinnow } from './own-events.ts';
import * as store from './store.ts';

export interface MatcherOptions {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  /** Tells whether an account may use custom models. */
  plans: Plans;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  /**
   * Maximum processor time in milliseconds for the filters of one event, and of one batch. When a
   * batch has used it up, its remaining events wait. Default: {@link DEFAULT_SEARCH_BUDGET_MS}.
   */
  searchesMs?: number;
}

/** Maximum number of events matched in one transaction. */
const EVENTS_PER_BATCH = 100;
/**
 * Maximum age in milliseconds of events that start flows. After an outage, events of several days
 * arrive at once. People have already handled most of them, and flows would use up their budget in
 * minutes.
 */
export const MAX_EVENT_AGE_MS = 24 * 60 * 60_000;
/**
 * Delay in milliseconds before an event is checked again, if a write in progress may have caused
 * it.
 */
const RECHECK_DELAY_MS = 500;
/**
 * Default of `searchesMs`. Filters usually take a millisecond. If the filters of an account take
 * longer, its remaining events wait, so that other accounts are served.
 */
const DEFAULT_SEARCH_BUDGET_MS = 500;
const SEARCH_PAUSE_MS = 3_000;
/** Maximum processor time in milliseconds before other requests are handled. */
const YIELD_AFTER_MS = 20;
/**
 * Maximum difference in milliseconds between Winnow's clock, which dates steps, and the tracker's
 * clock, which dates events.
 */
const MAX_CLOCK_SKEW_MS = 60 * 60_000;

interface Batch {
  /** Number of the last event that was read; null if there was none. */
  last: number | null;
  /** Delay in milliseconds before unmatched events are checked again; null if there are none. */
  waitMs: number | null;
  /** Ids of the executions that were started. */
  begun: readonly string[];
}

/**
 * Starts the flows that listen to tracker events. An event starts a flow at most once, even after
 * retries and interruptions.
 */
export class EventMatcher {
  readonly #options: MatcherOptions;

  constructor(options: MatcherOptions) {
    this.#options = options;
  }

  /**
   * Matches all events of an account that are ready. Must not run twice at the same time for an
   * account.
   */
  async run(accountId: string, signal: AbortSignal): Promise<void> {
    const { db, jobs, now, publish } = this.#options;
    let waitMs: number | null = null;
    let after: number | null = 0;
    while (after !== null) {
      signal.throwIfAborted();
      const from: number = after;
      const batch: Batch = await db
        .transaction()
        .execute((transaction) => this.#match(transaction, accountId, from));
      // One notification is enough, because browsers reload the whole list of executions.
      const newest = batch.begun.at(-1);
      if (newest !== undefined) await publish(accountId, { type: 'execution_updated', execution_id: newest });
      waitMs = batch.waitMs ?? waitMs;
      after = batch.last;
    }
    if (waitMs === null) return;
    const runAt = new Date(now().getTime() + waitMs);
    await jobs.enqueue(matchEvents, { account_id: accountId }, { ...matchEventsQueueKey(accountId), runAt });
  }

  async #match(db: Db, accountId: string, after: number): Promise<Batch> {
    const at = this.#options.now();
    const oldSince = new Date(at.getTime() - MAX_EVENT_AGE_MS);
    const taken = await takeUnmatched(db, accountId, { after, limit: EVENTS_PER_BATCH, oldSince });
    const last = taken.at(-1)?.id ?? null;
    // Reads the writes in progress after the events: a write that caused one of these events has
    // begun by then.
    const underWay = await writesInProgress(db, accountId);
    const ready = taken.filter((event) => !mayBeCausedByWinnow(event, underWay, at));
    const fresh = ready.filter((event) => happenedAt(event) >= oldSince);
    const { hits, missed, next } = await this.#flowMatches(
      db,
      accountId,
      await doneByOthers(db, accountId, fresh),
    );
    const begun = await this.#start(db, accountId, hits, at);
    await store.storeMissedStarts(db, accountId, [...missed.values()], at);
    const matched = ready.flatMap(({ id }) => (next === null || id < next ? [id] : []));
    await markMatched(db, accountId, matched, at);
    if (next !== null) return { last: null, waitMs: SEARCH_PAUSE_MS, begun };
    return { last, waitMs: ready.length < taken.length ? RECHECK_DELAY_MS : null, begun };
  }

  /**
   * Returns the events that start flows (`hits`). `missed` contains, for each flow, the first event
   * on which its filters took too long. `next` is the first event for which no processor time was
   * left.
   */
  async #flowMatches(
    db: Db,
    accountId: string,
    events: readonly UnmatchedEvent[],
  ): Promise<{ hits: FlowMatch[]; missed: Map<string, store.MissedStart>; next: number | null }> {
    const hits: FlowMatch[] = [];
    const missed = new Map<string, store.MissedStart>();
    if (events.length === 0) return { hits, missed, next: null };
    const flows = (await store.listeningFlows(db, accountId, this.#options.plans)).map((flow) => {
      return { flow, filters: prepareFilters(flow.definition.trigger_filters) };
    });
    const heard = events.filter((event) => flows.some(({ flow }) => listensTo(flow, event)));
    if (heard.length === 0) return { hits, missed, next: null };
    const ids = heard.map(({ id }) => id);
    const facts = await factsOfEvents(db, accountId, ids);
    const nameOf = (flowId: string, eventId: number) => `${flowId} ${eventId}`;
    const started = new Set(
      (await store.startedBy(db, accountId, ids)).map((row) => nameOf(row.flow_id, row.event_id)),
    );
    const { searchesMs = DEFAULT_SEARCH_BUDGET_MS } = this.#options;
    let spentMs = 0;
    let pieceMs = 0;
    for (const event of heard) {
      // Budgets are rounded down to milliseconds, so no filter can run with less than one.
      if (searchesMs - spentMs < 1) return { hits, missed, next: event.id };
      const endsAtMs = spentMs + searchesMs;
      const known = facts.get(event.id);
      if (known === undefined) continue;
      for (const { flow, filters } of flows) {
        if (!listensTo(flow, event) || started.has(nameOf(flow.id, event.id))) continue;
        const budget = new CpuBudget(Math.min(FILTERS_MS, endsAtMs - spentMs));
        const passes = filters.all(known, budget);
        if (passes) hits.push({ flow, eventId: event.id, event: known.event });
        if (passes === null && !missed.has(flow.id)) {
          missed.set(flow.id, { flow, subject: known.event.issue_key ?? known.event.project ?? '' });
        }
        spentMs += budget.spentMs;
        pieceMs += budget.spentMs;
        if (pieceMs < YIELD_AFTER_MS) continue;
        await yieldToEventLoop();
        pieceMs = 0;
      }
    }
    return { hits, missed, next: null };
  }

  /**
   * Starts an execution for each burst of events, or adds the burst to a pending execution. Returns
   * the ids of the started executions.
   */
  async #start(db: Db, accountId: string, hits: readonly FlowMatch[], at: Date): Promise<readonly string[]> {
    if (hits.length === 0) return [];
    const there = await store.lockExistingFlows(db, accountId, [...new Set(hits.map(({ flow }) => flow.id))]);
    const bursts = groupIntoBursts(hits.filter(({ flow }) => there.has(flow.id)));
    const issueIds = bursts.flatMap(({ event: { issue_id: id } }) => (id === null ? [] : [id]));
    const waiting = await store.lockPendingExecutions(db, accountId, [...there], [...new Set(issueIds)]);
    const nameOf = (flowId: string, type: string | null, issueId: string | null) =>
      `${flowId} ${type} ${issueId}`;
    const byName = new Map(
      waiting.map((execution) => [
        nameOf(execution.flow_id, execution.type, execution.issue_id),
        execution.id,
      ]),
    );
    const waitingFor = ({ flow, event }: Burst) =>
      canJoinBurst(event) ? byName.get(nameOf(flow.id, event.type, event.issue_id)) : undefined;
    const joining = bursts.flatMap((burst) => {
      const executionId = waitingFor(burst);
      return executionId === undefined ? [] : [{ ...burst, executionId }];
    });
    const beginning = bursts.filter((burst) => waitingFor(burst) === undefined);
    const begun = await startExecutions(
      db,
      accountId,
      beginning.map(({ flow, event, eventIds }) => ({
        flowId: flow.id,
        definition: definitionOf(flow),
        event: { ...event, coalesced: eventIds.length - 1 },
        eventIds,
      })),
      { jobs: this.#options.jobs, at },
    );
    await store.addCoalesced(db, accountId, joining);
    const answered = [
      ...joining.map(({ flow, eventIds, executionId }) => ({ flowId: flow.id, eventIds, executionId })),
      ...begun.map(({ start: { flowId, eventIds }, id }) => ({ flowId, eventIds, executionId: id })),
    ];
    await store.insertFlowEvents(
      db,
      accountId,
      answered.flatMap(({ flowId, eventIds, executionId }) =>
        eventIds.map((eventId) => ({ flowId, eventId, executionId })),
      ),
    );
    return begun.map(({ id }) => id);
  }
}

/**
 * Returns the time that determines whether an event is too old. For a push, this is the time of
 * arrival, because the last commit of a push may be old.
 */
function happenedAt({ issue_external_id: issue, occurred_at, received_at }: UnmatchedEvent): Date {
  return issue === null ? received_at : occurred_at;
}

/** Returns the events that changed something and were not caused by Winnow. */
async function doneByOthers(
  db: Db,
  accountId: string,
  events: readonly UnmatchedEvent[],
): Promise<UnmatchedEvent[]> {
  if (events.length === 0) return [];
  const issueIds = [...new Set(events.flatMap(({ issue_id: id }) => (id === null ? [] : [id])))];
  const earliest = Math.min(...events.map(({ occurred_at }) => occurred_at.getTime()));
  const writes = await listWritesTo(db, accountId, issueIds, {
    since: new Date(earliest - MAX_CLOCK_SKEW_MS),
    stepIds: events.flatMap(({ step_id: id }) => (id === null ? [] : [id])),
  });
  return events.filter((event) => !isCausedByWinnow(event, writes) && !changedNothing(event));
}
