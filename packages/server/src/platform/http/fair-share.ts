import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited } from '../errors.ts';
import { createLimiter } from '../limiter.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a slow or expensive call. Their number per account is limited. */
    isHeavy?: boolean;
  }
  interface FastifyInstance {
    /**
     * Waits until the account has a free slot for a heavy call, which the response releases. For
     * routes that know only after reading the body whether a call is heavy. Throws `rate_limited`
     * if too many wait. Does nothing if the call has a slot already.
     */
    takeFairShare: (accountId: string, reply: FastifyReply) => Promise<void>;
  }
}

export interface FairShareLimits {
  /** Maximum concurrent heavy calls per account. */
  perAccount: number;
  /** Maximum calls of the account that wait for a slot. Further calls get 429. */
  waiting: number;
  /** A call that has waited this long gets 429. */
  waitMs: number;
  /**
   * Bounds of the pause, in ms, before the slot of a finished call is free again. Within them, the
   * pause is as long as the call.
   */
  minBlockMs: number;
  maxBlockMs: number;
  /** A body of at least this size makes any call heavy, since each of its values is validated. */
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
 * until its account has a free slot. If too many wait, it gets 429 `rate_limited` with
 * `Retry-After`. Sequential calls rarely wait: while one slot is blocked, the other is free. They
 * wait only if both are blocked, as after several calls that were shorter than the minimum block.
 * Call before the routes are added.
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
   * Resolves when the call may proceed. Its slot is released after the response is closed and the
   * block is over.
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
