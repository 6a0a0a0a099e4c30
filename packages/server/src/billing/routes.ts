import { apiUsage } from '@winnow/contract/usage';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';

/** What an account has used. */
export function registerUsageRoutes(
  app: App,
  auth: Authentication,
  totalRequests: (accountId: string) => Promise<number>,
): void {
  app.get(
    '/api/v1/auth/api-usage',
    { onRequest: auth.requireUser, schema: { tags: ['Usage'], response: { 200: apiUsage } } },
    async (request) => ({ total_requests: await totalRequests(userOf(request).accountId) }),
  );
}
