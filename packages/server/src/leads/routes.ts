import { leadReceived, leadRequest } from '@winnow/contract/lead';
import type { App } from '../platform/http/app.ts';
import type { Leads } from './service.ts';

/** Maximum demo requests per minute and IP address. A visitor needs only one. */
const rateLimit = { max: 5, timeWindow: 60_000 };

/** Registers the route for demo requests. It requires no token. */
export function registerLeadRoutes(app: App, leads: Leads): void {
  app.post(
    '/api/v1/leads',
    {
      config: { rateLimit },
      schema: { tags: ['Leads'], security: [], body: leadRequest, response: { 201: leadReceived } },
    },
    async (request, reply) => reply.code(201).send({ id: await leads.add(request.body) }),
  );
}
