import { accountEventPage, accountEventQuery } from '@winnow/contract/account-activity';
import { skipOf } from '@winnow/contract/primitives';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import type { AccountEventRow } from './activity-store.ts';
import { presentAccountEvent } from './present.ts';

type ListEvents = (
  accountId: string,
  page: { limit: number; skip: number },
) => Promise<{ events: AccountEventRow[]; total: number }>;

/** Lists the events of an account: sign-ins, password changes, API keys. */
export function registerActivityRoutes(
  app: App,
  { list, auth }: { list: ListEvents; auth: Authentication },
): void {
  app.get(
    '/api/v1/auth/activity',
    {
      onRequest: auth.authorize,
      schema: { tags: ['Accounts'], querystring: accountEventQuery, response: { 200: accountEventPage } },
    },
    async (request) => {
      const page = { limit: request.query.limit, skip: skipOf(request.query) };
      const { events, total } = await list(userOf(request).accountId, page);
      return { events: events.map(presentAccountEvent), total };
    },
  );
}
