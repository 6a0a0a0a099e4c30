import { Readable } from 'node:stream';
import { auditFilter, auditPage, auditQuery } from '@winnow/contract/audit';
import { skipOf } from '@winnow/contract/primitives';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import type { Db } from '../../schema/tables.ts';
import type { AuditLog } from './audit-log.ts';
import { presentAuditEvent } from './present.ts';

const tags = ['Workspaces'];

/** Registers the routes that list and export the audit log of a workspace. Users only. */
export function registerAuditRoutes(
  app: App,
  { db, audit, auth }: { db: Db; audit: AuditLog; auth: Authentication },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/audit-events',
    { onRequest, schema: { tags, querystring: auditQuery, response: { 200: auditPage } } },
    async (request) => {
      const page = { limit: request.query.limit, skip: skipOf(request.query) };
      const { events, total } = await audit.list(db, userOf(request).accountId, request.query, page);
      return { events: events.map(presentAuditEvent), total };
    },
  );

  app.get(
    '/api/v1/audit-events/export',
    {
      config: { rateLimit: { max: 30, timeWindow: 60_000 } },
      onRequest,
      schema: { tags, querystring: auditFilter },
    },
    async (request, reply) => {
      const { accountId } = userOf(request);
      const filter = request.query;
      async function* lines() {
        for await (const event of audit.read(db, accountId, filter)) {
          yield `${JSON.stringify(presentAuditEvent(event))}\n`;
        }
      }
      return reply
        .header('content-type', 'application/jsonl; charset=utf-8')
        .header('content-disposition', 'attachment; filename="winnow-audit.jsonl"')
        .send(Readable.from(lines()));
    },
  );
}
