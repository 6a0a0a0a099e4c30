import { ACCOUNT_EXPORT, accountDeletion } from '@winnow/contract/account';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, type UserPrincipal, userOf } from '../../platform/http/auth.ts';
import { type Client, clientOf } from '../client.ts';
import type { AccountExport } from './export.ts';
import type { AccountRemoval } from './service.ts';

const tags = ['Accounts'];

/** Registers the routes for exporting and deleting an account. Users only. */
export function registerDeletionRoutes(
  app: App,
  {
    exports,
    leaving,
    recordExport,
    auth,
  }: {
    exports: AccountExport;
    leaving: AccountRemoval;
    /** Records that an export of the account's data was requested. */
    recordExport: (user: UserPrincipal, client: Client) => Promise<void>;
    auth: Authentication;
  },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/auth/account/export',
    { config: { rateLimit: { max: 30, timeWindow: 60_000 } }, onRequest, schema: { tags } },
    async (request, reply) => {
      const user = userOf(request);
      // The event is recorded first, so that the export contains it.
      await recordExport(user, clientOf(request));
      const archive = await exports.start(user);
      return reply
        .header('content-type', 'application/gzip')
        .header('content-disposition', `attachment; filename="${ACCOUNT_EXPORT}"`)
        .send(archive);
    },
  );

  app.delete(
    '/api/v1/auth/account',
    {
      // Same limit as for signing in, because this also hashes a password.
      config: { rateLimit: { max: 120, timeWindow: 60_000 } },
      onRequest,
      schema: { tags, body: accountDeletion, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await leaving.requestRemoval(userOf(request), request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );
}
