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
     * Set by routes that serve several endpoints, such as MCP: the endpoint to count, and whether
     * the call failed.
     */
    apiCall: { method: string; endpoint: string; hasFailed: boolean } | null;
    /**
     * The unit of the plan's quota that this call took. `none_left` if no unit was left and the
     * route refuses the call itself.
     */
    quotaUnit: TakenUnit | 'none_left' | null;
  }
}

/** Status of requests refused by a rate limit or a quota. They are not counted. */
const UNCOUNTED_STATUS = 429;

/**
 * Counts every request with an API key once, unless a rate limit or quota refused it: when its
 * response ends, or as an error when the caller disconnects. Calls `onCounted` for each. Call this
 * before registering routes.
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
    // `close` is emitted even if the connection breaks before the response finishes.
    reply.raw.once('close', () => {
      if (request.principal === null) cutBeforeKnown.add(request);
      else count(request, reply);
    });
    done();
  });
  app.addHook('onSend', async ({ quotaUnit }, { statusCode }) => {
    // Return the unit before the response is sent, so that the caller's next request can use it.
    if (quotaUnit !== null && quotaUnit !== 'none_left' && statusCode === UNCOUNTED_STATUS)
      await quotaUnit.refund();
  });
  app.addHook('preHandler', (request, reply, done) => {
    // The connection broke before the request was authenticated, so it was not counted at that
    // time.
    if (cutBeforeKnown.delete(request)) count(request, reply);
    done();
  });
}

/**
 * Takes a unit of the plan's quota for each API key request as it begins: 429 `plan_limit` if none
 * is left. With `isRefusedAnyway`, does not throw: the route refuses the call itself.
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
  /** Called with the ids of accounts whose counts were stored. */
  onWritten: (accountIds: ReadonlySet<string>) => void;
  onError: (error: unknown) => void;
  intervalMs?: number;
}

/** Counts API key requests. {@link Tallies} decides when they are stored. */
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

  /** Stores all counts. Those that cannot be stored are retained. */
  flush(): Promise<void> {
    return this.#tallies.flush();
  }

  /** Stores all remaining counts. Those that cannot be stored are lost. */
  close(): Promise<void> {
    return this.#tallies.close();
  }
}
