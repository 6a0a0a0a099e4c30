import { setImmediate as letOthersIn } from 'node:timers/promises';
import type { LiveEvent } from '@winnow/contract/live';
import { writesTo, writesUnderWay } from '../../changes/own-writes.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { markMatched, takeUnmatched, type UnmatchedEvent } from '../../tracker-events/service.ts';
import { beginExecutions } from '../executions/begin.ts';
import { factsOfEvents } from '../facts.ts';
import { FILTERS_MS, prepareFilters } from '../filters.ts';
import type { Plans } from '../places.ts';
import { SearchTime } from '../search-time.ts';
import { definitionOf } from '../store.ts';
import { type Burst, burstsOf, type Hit, joinsOthers } from './bursts.ts';
import { matchEvents, matchEventsPlace } from './job.ts';
import { listensTo } from './listening.ts';
import { changedNothing, isOurs, mayBeOurs } from './own-events.ts';
import * as store from './store.ts';

export interface MatcherOptions {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  /** Whether an account's own models may work for it. */
  plans: Plans;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  /** Time for the expressions of all flows on one event, and on all events that are matched at once; default half a second. */
  searchesMs?: number;
}

/** Events that are matched in one transaction. */
const AT_ONCE = 100;
/**
 * What happened longer ago starts nothing. After an outage, or once a tracker can be reached again, days of events come at
 * once: people have seen to most of it since, and answering it all would cost in minutes what is meant for those days.
 */
export const STALE_MS = 24 * 60 * 60_000;
/** How soon events are looked at again that may tell of a write under way. */
const LOOK_AGAIN_MS = 500;
/** Usual expressions take a millisecond. Of an account whose take longer the rest of the events waits: others are served. */
const SEARCHES_MS = 500;
const SEARCHED_ENOUGH_PAUSE_MS = 3_000;
/** So long nobody else is answered. */
const PIECE_MS = 20;
/** Our clock, by which a step is noted as done, and the tracker's, by which it happened, differ by less. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

interface Batch {
  /** The last event that was looked at; null when there was none. */
  last: number | null;
  /** So long events have to wait that are not matched yet; null where there are none. */
  waitMs: number | null;
  /** The executions that were begun. */
  begun: readonly string[];
}

/** Starts flows by what happened in trackers: each event at most once for each flow, whatever is repeated or cut off. */
export class EventMatcher {
  readonly #options: MatcherOptions;

  constructor(options: MatcherOptions) {
    this.#options = options;
  }

  /** Matches all events of an account that are ready. The caller sees to it that an account is matched once at a time. */
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
      // Who shows executions fetches the list anew: one of them is news enough.
      const newest = batch.begun.at(-1);
      if (newest !== undefined) await publish(accountId, { type: 'execution_updated', execution_id: newest });
      waitMs = batch.waitMs ?? waitMs;
      after = batch.last;
    }
    if (waitMs === null) return;
    const runAt = new Date(now().getTime() + waitMs);
    await jobs.enqueue(matchEvents, { account_id: accountId }, { ...matchEventsPlace(accountId), runAt });
  }

  async #match(db: Db, accountId: string, after: number): Promise<Batch> {
    const at = this.#options.now();
    const oldSince = new Date(at.getTime() - STALE_MS);
    const taken = await takeUnmatched(db, accountId, { after, limit: AT_ONCE, oldSince });
    const last = taken.at(-1)?.id ?? null;
    // Asked after the events are read: a write that one of them tells of has begun by then.
    const underWay = await writesUnderWay(db, accountId);
    const ready = taken.filter((event) => !mayBeOurs(event, underWay, at));
    const fresh = ready.filter((event) => happenedAt(event) >= oldSince);
    const { hits, missed, next } = await this.#hits(db, accountId, await doneByOthers(db, accountId, fresh));
    const begun = await this.#start(db, accountId, hits, at);
    await store.noteMissed(db, accountId, [...missed.values()], at);
    const matched = ready.flatMap(({ id }) => (next === null || id < next ? [id] : []));
    await markMatched(db, accountId, matched, at);
    if (next !== null) return { last: null, waitMs: SEARCHED_ENOUGH_PAUSE_MS, begun };
    return { last, waitMs: ready.length < taken.length ? LOOK_AGAIN_MS : null, begun };
  }

  /** Which flows these events start, and what each missed first; `next` is the first event that there was no time for. */
  async #hits(
    db: Db,
    accountId: string,
    events: readonly UnmatchedEvent[],
  ): Promise<{ hits: Hit[]; missed: Map<string, store.Missed>; next: number | null }> {
    const hits: Hit[] = [];
    const missed = new Map<string, store.Missed>();
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
    const { searchesMs = SEARCHES_MS } = this.#options;
    let spentMs = 0;
    let pieceMs = 0;
    for (const event of heard) {
      // Less than a millisecond is none.
      if (searchesMs - spentMs < 1) return { hits, missed, next: event.id };
      const endsAtMs = spentMs + searchesMs;
      const known = facts.get(event.id);
      if (known === undefined) continue;
      for (const { flow, filters } of flows) {
        if (!listensTo(flow, event) || started.has(nameOf(flow.id, event.id))) continue;
        const time = new SearchTime(Math.min(FILTERS_MS, endsAtMs - spentMs));
        const passes = filters.all(known, time);
        if (passes) hits.push({ flow, eventId: event.id, event: known.event });
        if (passes === null && !missed.has(flow.id)) {
          missed.set(flow.id, { flow, on: known.event.issue_key ?? known.event.project ?? '' });
        }
        spentMs += time.spentMs;
        pieceMs += time.spentMs;
        if (pieceMs < PIECE_MS) continue;
        await letOthersIn();
        pieceMs = 0;
      }
    }
    return { hits, missed, next: null };
  }

  /** Begins an execution for each burst, but where one waits that can answer it too. Answers those that were begun. */
  async #start(db: Db, accountId: string, hits: readonly Hit[], at: Date): Promise<readonly string[]> {
    if (hits.length === 0) return [];
    const there = await store.holdFlows(db, accountId, [...new Set(hits.map(({ flow }) => flow.id))]);
    const bursts = burstsOf(hits.filter(({ flow }) => there.has(flow.id)));
    const issueIds = bursts.flatMap(({ event: { issue_id: id } }) => (id === null ? [] : [id]));
    const waiting = await store.holdWaiting(db, accountId, [...there], [...new Set(issueIds)]);
    const nameOf = (flowId: string, type: string | null, issueId: string | null) =>
      `${flowId} ${type} ${issueId}`;
    const byName = new Map(
      waiting.map((execution) => [
        nameOf(execution.flow_id, execution.type, execution.issue_id),
        execution.id,
      ]),
    );
    const waitingFor = ({ flow, event }: Burst) =>
      joinsOthers(event) ? byName.get(nameOf(flow.id, event.type, event.issue_id)) : undefined;
    const joining = bursts.flatMap((burst) => {
      const executionId = waitingFor(burst);
      return executionId === undefined ? [] : [{ ...burst, executionId }];
    });
    const beginning = bursts.filter((burst) => waitingFor(burst) === undefined);
    const begun = await beginExecutions(
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

/** A push is told as it happens, with the time of its last commit, which may have been made long before. */
function happenedAt({ issue_external_id: issue, occurred_at, received_at }: UnmatchedEvent): Date {
  return issue === null ? received_at : occurred_at;
}

/** Those of these events that somebody else caused, and that changed something. */
async function doneByOthers(
  db: Db,
  accountId: string,
  events: readonly UnmatchedEvent[],
): Promise<UnmatchedEvent[]> {
  if (events.length === 0) return [];
  const issueIds = [...new Set(events.flatMap(({ issue_id: id }) => (id === null ? [] : [id])))];
  const earliest = Math.min(...events.map(({ occurred_at }) => occurred_at.getTime()));
  const writes = await writesTo(db, accountId, issueIds, {
    since: new Date(earliest - CLOCKS_DIFFER_MS),
    stepIds: events.flatMap(({ step_id: id }) => (id === null ? [] : [id])),
  });
  return events.filter((event) => !isOurs(event, writes) && !changedNothing(event));
}
