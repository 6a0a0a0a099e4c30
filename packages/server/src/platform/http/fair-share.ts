import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited } from '../errors.ts';
import { createLimiter } from '../limiter.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True for a slow or expensive route. Concurrent calls of such routes are limited per account.
     */
    isHeavy?: boolean;
  }
  interface FastifyInstance {
    /**
     * Waits for a free slot of the account for a heavy call. The slot is released when the response
     * closes. Use it on routes that know only after reading the body whether the call is heavy.
     *
     * Throws `rate_limited` if too many calls wait. Does nothing if the call already has a slot.
     */
    takeFairShare: (accountId: string, reply: FastifyReply) => Promise<void>;
  }
}

export interface FairShareLimits {
  /** Maximum concurrent heavy calls per account. */
  perAccount: number;
  /** Maximum calls per account that wait for a slot. Further calls get 429. */
  waiting: number;
  /** Maximum wait for a slot. A call that waits longer gets 429. */
  waitMs: number;
  /**
   * After a heavy call ends, its slot stays blocked for the duration of the call. These are the
   * minimum and maximum of that block.
   */
  minBlockMs: number;
  maxBlockMs: number;
  /** Minimum size at which a body makes any call heavy, because validating many values is slow. */
  largeBodyBytes: number;
}

const DEFAULT_LIMITS: FairShareLimits = {
  perAccount: 2,
  waiting: 20,
  waitMs: 20_000,
  minBlockMs: 50,
  maxBlockMs: 1_000,
  largeBodyBytes: 16 * 1024,
};
const RETRY_AFTER_SECONDS = 5;

/**
 * Gives each account a fair share of the process. A heavy call waits, before its body is read,
 * until its account has a free slot. If too many calls wait, it gets 429 `rate_limited` with
 * `Retry-After`.
 *
 * After each call, its slot stays blocked for a while. Sequential calls rarely wait, because the
 * second slot is free meanwhile. They wait only after several very short calls, when both slots are
 * blocked for the minimum time.
 *
 * Call this before the routes are added.
 */
export function shareFairly(app: App, given: Partial<FairShareLimits> = {}): void {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const slots = createLimiter({ concurrency: limits.perAccount });
  const waiting = new Map<string, number>();
  const holders = new WeakSet<FastifyReply>();

  app.addHook('preParsing', async (request, reply) => {
    const { principal } = request;
    if (principal === null || !isHeavy(request, limits.largeBodyBytes)) return;
    await app.takeFairShare(principal.accountId, reply);
  });

  app.decorate('takeFairShare', async (accountId, reply) => {
    if (holders.has(reply)) return;
    const before = waiting.get(accountId) ?? 0;
    if (before >= limits.waiting) throw rateLimited(RETRY_AFTER_SECONDS);
    waiting.set(accountId, before + 1);
    try {
      await acquireSlot(accountId, reply.raw);
      holders.add(reply);
    } finally {
      const left = (waiting.get(accountId) ?? 1) - 1;
      if (left === 0) waiting.delete(accountId);
      else waiting.set(accountId, left);
    }
  });

  /**
   * Resolves when the call gets a slot. The slot is released after the response has closed and the
   * block has ended.
   */
  function acquireSlot(accountId: string, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => {
      const end = () => {
        gone.abort();
        resolve();
      };
      if (response.closed) end();
      response.once('finish', end).once('close', end);
    });
    const late = AbortSignal.timeout(limits.waitMs);
    return new Promise((resolve, reject) => {
      const work = async () => {
        const startMs = performance.now();
        resolve();
        await closed;
        const blockMs = Math.max(limits.minBlockMs, performance.now() - startMs);
        await pause(Math.min(blockMs, limits.maxBlockMs), undefined, { ref: false });
      };
      const signal = AbortSignal.any([gone.signal, late]);
      slots.run(accountId, work, { signal }).catch((error: unknown) => {
        reject(signal.aborted ? rateLimited(RETRY_AFTER_SECONDS) : error);
      });
    });
  }
}

function isHeavy({ routeOptions, headers }: FastifyRequest, largeBodyBytes: number): boolean {
  if (routeOptions.config.isHeavy === true) return true;
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) >= largeBodyBytes;
}
