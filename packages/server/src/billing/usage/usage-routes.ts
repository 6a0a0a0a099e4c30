import { Readable } from 'node:stream';
import { apiUsage, usageExportQuery, usageQuery } from '@winnow/contract/usage';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import type { Usage } from './usage.ts';
import { usageCsv } from './usage-export.ts';
import { usageRange } from './usage-range.ts';

const tags = ['Usage'];

/** Registers the routes that report an account's usage. They are for signed-in users only. */
export function registerUsageRoutes(
  app: App,
  { usage, auth, now }: { usage: Usage; auth: Authentication; now: () => Date },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/auth/api-usage',
    { onRequest, schema: { tags, querystring: usageQuery, response: { 200: apiUsage } } },
    async (request) => {
      const { timeseries, ...asked } = request.query;
      return usage.read(userOf(request).accountId, usageRange(asked, now()), { daily: timeseries });
    },
  );

  app.get(
    '/api/v1/auth/api-usage/export',
    { config: { isHeavy: true }, onRequest, schema: { tags, querystring: usageExportQuery } },
    async (request, reply) => {
      const range = usageRange(request.query, now());
      const rows = usage.everyRow(userOf(request).accountId, range);
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="winnow-api-usage-${range.from}-${range.to}.csv"`,
        )
        .send(Readable.from(usageCsv(rows)));
    },
  );
}
