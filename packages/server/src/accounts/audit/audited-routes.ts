import { AUDITED_ROUTES } from '@winnow/contract/audit';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import type { Principal } from '../../platform/http/auth.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../schema/tables.ts';
import type { AuditLog } from './audit-log.ts';
import * as store from './store.ts';

/** Fields of a body that name the object, in order of preference. */
const named = z.object({ name: z.string().optional(), title: z.string().optional() }).partial();

/**
 * Records each successful request to a route of {@link AUDITED_ROUTES} before its response is sent.
 * Call it before the routes are registered.
 */
export function auditRoutes(
  app: App,
  {
    db,
    audit,
    log,
    actorOf,
  }: {
    db: Db;
    audit: AuditLog;
    log: Log;
    actorOf: (principal: Principal) => Promise<{ type: string; id?: string; name: string }>;
  },
): void {
  const names = new WeakMap<FastifyRequest, string>();

  // The name is read before the object is deleted.
  app.addHook('preHandler', async (request) => {
    const { principal } = request;
    if (principal === null || AUDITED_ROUTES[routeOf(request)] === undefined) return;
    const params = z.record(z.string(), z.string()).safeParse(request.params).data ?? {};
    const name = await store.findNameOf(db, principal.accountId, params);
    if (name !== undefined) names.set(request, name);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const route = routeOf(request);
    const kind = AUDITED_ROUTES[route];
    const { principal } = request;
    if (kind === undefined || principal === null || reply.statusCode >= 400) return;
    try {
      const { type, id, name } = await actorOf(principal);
      await audit.record(db, principal.accountId, {
        kind,
        actor: { type: type === 'user' || type === 'api_key' ? type : 'system', id: id ?? null, name },
        client: { address: request.ip },
        subject: nameIn(parsed(payload)) ?? nameIn(request.body) ?? names.get(request) ?? null,
        details: { request: `${request.method} ${pathOf(request)}` },
      });
    } catch (error) {
      // The request has been carried out, so it must not be reported as failed.
      log.error({ error, route }, 'An audit event could not be stored.');
    }
  });
}

function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url}`;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0]?.replace('/api/v1', '') ?? '';
}

function nameIn(body: unknown): string | undefined {
  const found = named.safeParse(body).data;
  return found?.name ?? found?.title;
}

function parsed(payload: unknown): unknown {
  if (typeof payload !== 'string' || payload === '') return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
