import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import type { ApiKeyPrincipal, TakeCall } from '../../platform/http/auth.ts';
import { Tallies } from '../../platform/tallies.ts';
import type { Db } from '../../schema/tables.ts';
import { dayOf } from '../day.ts';
import { isPlanLimit } from '../plans/refusals.ts';
import type { ApiCallBlocks } from '../quotas/api-call-blocks.ts';
import type { TakenUnit } from '../quotas/quotas.ts';
import { histogramOf, mergeHistograms } from './latency.ts';
import { type ApiCalls, addApiCalls } from './usage-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set by routes that serve several endpoints, such as MCP. Contains the endpoint to count, and
     * whether the call failed.
     */
    apiCall: { method: string; endpoint: string; hasFailed: boolean } | null;
    /**
     * Unit of the plan's quota that this call took. `none_left` if the quota was exhausted and the
     * route itself refuses the call.
     */
    quotaUnit: TakenUnit | 'none_left' | null;
  }
}

/** Status of requests refused by a rate limit or a quota. They are not counted. */
const UNCOUNTED_STATUS = 429;

/**
 * Counts requests made with an API key. A request is counted when its response ends, or as an error
 * when the caller disconnects. Requests refused by a rate limit or a quota are not counted.
 *
 * Calls `onCounted` for each counted request. Call this before registering routes.
 */
export function countApiCalls(
  app: App,
  meter: ApiCallMeter,
  onCounted: (principal: ApiKeyPrincipal) => void,
): void {
  const count = (request: FastifyRequest, { raw, statusCode, elapsedTime }: FastifyReply) => {
    const { principal, quotaUnit } = request;
    if (principal?.kind !== 'api_key') return;
    if (quotaUnit === 'none_left' || statusCode === UNCOUNTED_STATUS) return;
    const { hasFailed, ...call } = request.apiCall ?? callOf(request);
    const isError = hasFailed || statusCode >= 400 || !raw.writableFinished;
    meter.count(principal, { ...call, hasFailed: isError, durationMs: elapsedTime });
    onCounted(principal);
  };
  const cutBeforeKnown = new WeakSet<FastifyRequest>();
  app.decorateRequest('apiCall', null);
  app.decorateRequest('quotaUnit', null);
  app.addHook('onRequest', (request, reply, done) => {
    // `close` is also emitted if the connection breaks before the response ends.
    reply.raw.once('close', () => {
      if (request.principal === null) cutBeforeKnown.add(request);
      else count(request, reply);
    });
    done();
  });
  app.addHook('onSend', async ({ quotaUnit }, { statusCode }) => {
    // Returns the unit before the response is sent, so that the caller's next request can use it.
    if (quotaUnit !== null && quotaUnit !== 'none_left' && statusCode === UNCOUNTED_STATUS)
      await quotaUnit.refund();
  });
  app.addHook('preHandler', (request, reply, done) => {
    // The connection broke before the request was authenticated, so the `close` handler did not
    // count the request.
    if (cutBeforeKnown.delete(request)) count(request, reply);
    done();
  });
}

/**
 * Takes a unit of the plan's quota when an API key request begins. Throws 429 `plan_limit` if the
 * quota is exhausted. With `isRefusedAnyway`, it does not throw, because the route itself refuses
 * the call.
 */
export function takeApiCalls(blocks: ApiCallBlocks): TakeCall {
  return async (request, principal, { isRefusedAnyway }) => {
    try {
      request.quotaUnit = await blocks.take(principal.accountId);
    } catch (error) {
      if (!isRefusedAnyway || !isPlanLimit(error)) throw error;
      request.quotaUnit = 'none_left';
    }
  };
}

function callOf({ method, routeOptions }: FastifyRequest) {
  return { method, endpoint: routeOptions.url ?? '', hasFailed: false };
}

export interface ApiCallMeterOptions {
  db: Db;
  now: () => Date;
  /** Called with the ids of the accounts whose counts were just stored. */
  onWritten: (accountIds: ReadonlySet<string>) => void;
  onError: (error: unknown) => void;
  intervalMs?: number;
}

/** Counts API key requests in memory. {@link Tallies} decides when the counts are stored. */
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

  /** Counts a finished request on the day on which it began. */
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

  /** Stores all counts. Counts that cannot be stored are retained for the next attempt. */
  flush(): Promise<void> {
    return this.#tallies.flush();
  }

  /** Stores all remaining counts. Counts that cannot be stored are lost. */
  close(): Promise<void> {
    return this.#tallies.close();
  }
}
