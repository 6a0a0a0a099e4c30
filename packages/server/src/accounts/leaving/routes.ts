import { ACCOUNT_EXPORT, accountDeletion } from '@winnow/contract/account';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import { networkOf } from '../../platform/http/rate-limit.ts';
import type { AccountExport } from './export.ts';
import type { Leaving } from './service.ts';

const tags = ['Accounts'];

/** Taking one's data along, and leaving. People only. */
export function registerLeavingRoutes(
  app: App,
  { exports, leaving, auth }: { exports: AccountExport; leaving: Leaving; auth: Authentication },
): void {
  const onRequest = auth.requireUser;

  app.get(
    '/api/v1/auth/account/export',
    { config: { rateLimit: { max: 30, timeWindow: 60_000 } }, onRequest, schema: { tags } },
    async (request, reply) => {
      const archive = await exports.start(userOf(request).accountId);
      return reply
        .header('content-type', 'application/gzip')
        .header('content-disposition', `attachment; filename="${ACCOUNT_EXPORT}"`)
        .send(archive);
    },
  );

  app.delete(
    '/api/v1/auth/account',
    {
      // It hashes a password, like signing in.
      config: { rateLimit: { max: 120, timeWindow: 60_000 } },
      onRequest,
      schema: { tags, body: accountDeletion, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await leaving.leave(userOf(request), request.body, networkOf(request));
      return reply.code(204).send(null);
    },
  );
}
