import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import type { ApiKeyPrincipal, TakeCall } from '../../platform/http/auth.ts';
import { Tallies } from '../../platform/tallies.ts';
import type { Db } from '../../schema/tables.ts';
import type { Taken } from '../amounts/amounts.ts';
import type { ApiCallBlocks } from '../amounts/api-call-blocks.ts';
import { isPlanLimit } from '../plans/refusals.ts';
import { dayOf } from './day.ts';
import { histogramOf, mergeHistograms } from './latency.ts';
import { type ApiCalls, addApiCalls } from './usage-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a route that answers more than one thing: what this call was for, in words of ours, and how it ended. */
    apiCall: { method: string; endpoint: string; hasFailed: boolean } | null;
    /** What this call took of its account's plan; `none_left` for one that was let through to be refused. */
    takenCall: Taken | 'none_left' | null;
  }
}

/** What limits refuse is not used, nor is what an endpoint does not offer: clients of MCP ask whether there is a stream. */
const NOT_USED = new Set([405, 429]);

/**
 * Has every request that was made with an API key counted once: when it is answered, or when its caller hangs up before, which
 * counts as an error. `onCounted` hears of each. To be called before the routes.
 */
export function countApiCalls(
  app: App,
  meter: ApiCallMeter,
  onCounted: (principal: ApiKeyPrincipal) => void,
): void {
  const count = (request: FastifyRequest, { raw, statusCode, elapsedTime }: FastifyReply) => {
    const { principal, takenCall } = request;
    if (principal?.kind !== 'api_key') return;
    if (takenCall === 'none_left' || NOT_USED.has(statusCode)) return;
    const { hasFailed, ...call } = request.apiCall ?? callOf(request);
    const isError = hasFailed || statusCode >= 400 || !raw.writableFinished;
    meter.count(principal, { ...call, hasFailed: isError, durationMs: elapsedTime });
    onCounted(principal);
  };
  const cutBeforeKnown = new WeakSet<FastifyRequest>();
  app.decorateRequest('apiCall', null);
  app.decorateRequest('takenCall', null);
  app.addHook('onRequest', (request, reply, done) => {
    // Where a connection is cut no answer is finished, but every answer is closed.
    reply.raw.once('close', () => {
      if (request.principal === null) cutBeforeKnown.add(request);
      else count(request, reply);
    });
    done();
  });
  app.addHook('onSend', async ({ takenCall }, { statusCode }) => {
    // Before the answer, so that the next call of the same caller finds it.
    if (takenCall !== null && takenCall !== 'none_left' && NOT_USED.has(statusCode))
      await takenCall.giveBack();
  });
  app.addHook('preHandler', (request, reply, done) => {
    // What is cut before it is known who asks is carried out all the same.
    if (cutBeforeKnown.delete(request)) count(request, reply);
    done();
  });
}

/**
 * Takes calls of API keys of what their plans allow, as they begin: 429 `plan_limit` beyond it. One that `isRefusedAnyway`,
 * since it is of what no key may touch, takes what there is, and does not count when there is none.
 */
export function takeApiCalls(blocks: ApiCallBlocks): TakeCall {
  return async (request, principal, { isRefusedAnyway }) => {
    try {
      request.takenCall = await blocks.take(principal.accountId);
    } catch (error) {
      if (!isRefusedAnyway || !isPlanLimit(error)) throw error;
      request.takenCall = 'none_left';
    }
  };
}

function callOf({ method, routeOptions }: FastifyRequest) {
  return { method, endpoint: routeOptions.url ?? '', hasFailed: false };
}

export interface ApiCallMeterOptions {
  db: Db;
  now: () => Date;
  /** Told of the accounts whose counts were written. */
  onWritten: (accountIds: ReadonlySet<string>) => void;
  onError: (error: unknown) => void;
  intervalMs?: number;
}

/** Counts what API keys ask for: see {@link Tallies} for when it is written. */
export class ApiCallMeter {
  readonly #tallies: Tallies<ApiCalls>;
  readonly #now: () => Date;

  constructor({ db, now, onWritten, onError, intervalMs = 1000 }: ApiCallMeterOptions) {
    this.#now = now;
    this.#tallies = new Tallies({
      keyOf: ({ keyId, day, method, endpoint }) => `${keyId} ${day} ${method} ${endpoint}`,
      merge: (left, right) => ({
        ...left,
        count: left.count + right.count,
        errors: left.errors + right.errors,
        latency: mergeHistograms(left.latency, right.latency),
      }),
      write: async (tallies) => {
        await addApiCalls(db, tallies);
        onWritten(new Set(tallies.map(({ accountId }) => accountId)));
      },
      onError,
      intervalMs,
    });
  }

  /** Counts a call that has ended just now, on the day on which it began. */
  count(
    { accountId, keyId }: Pick<ApiKeyPrincipal, 'accountId' | 'keyId'>,
    call: { method: string; endpoint: string; hasFailed: boolean; durationMs: number },
  ): void {
    this.#tallies.add({
      accountId,
      keyId,
      day: dayOf(new Date(this.#now().getTime() - call.durationMs)),
      method: call.method,
      endpoint: call.endpoint,
      count: 1,
      errors: call.hasFailed ? 1 : 0,
      latency: histogramOf(call.durationMs),
    });
  }

  /** Writes everything counted so far. What could not be written is kept for the next time. */
  flush(): Promise<void> {
    return this.#tallies.flush();
  }

  /** Writes everything a last time. */
  close(): Promise<void> {
    return this.#tallies.close();
  }
}
