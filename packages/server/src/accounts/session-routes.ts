import { refreshRequest, tokenPair } from '@winnow/contract/account';
import { sessionList } from '@winnow/contract/account-activity';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { clientOf } from './client.ts';
import { presentSession } from './present.ts';
import type { Sessions } from './sessions.ts';

const tags = ['Accounts'];
/** Options of routes that need no token. */
const open = { tags, security: [] };
/** Limit for signing out, which is outside the API and its limits. */
const signingOut = { rateLimit: { max: 600, timeWindow: 60_000 } };
const params = z.object({ session_id: id });

/** Registers the routes for renewing, listing and ending sessions. */
export function registerSessionRoutes(
  app: App,
  { sessions, auth }: { sessions: Sessions; auth: Authentication },
): void {
  app.post(
    '/api/v1/auth/refresh',
    { schema: { ...open, body: refreshRequest, response: { 200: tokenPair } } },
    async (request) => sessions.refresh(request.body.refresh_token, clientOf(request)),
  );

  app.get(
    '/api/v1/auth/sessions',
    { onRequest: auth.authorize, schema: { tags, response: { 200: sessionList } } },
    async (request, reply) => {
      const user = userOf(request);
      const list = await sessions.list(user);
      reply.header('x-total-count', list.length);
      return list.map((session) => presentSession(session, user.sessionId));
    },
  );

  app.delete(
    '/api/v1/auth/sessions',
    { onRequest: auth.authorize, schema: { tags, response: { 204: z.null() } } },
    async (request, reply) => {
      await sessions.endOthers(userOf(request), clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/v1/auth/sessions/:session_id',
    { onRequest: auth.authorize, schema: { tags, params, response: { 204: z.null() } } },
    async (request, reply) => {
      await sessions.end(userOf(request), request.params.session_id, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/logout',
    {
      config: signingOut,
      schema: {
        ...open,
        headers: z.object({ 'x-refresh-token': z.string().optional() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const refreshToken = request.headers['x-refresh-token'];
      if (refreshToken !== undefined) await sessions.signOut(refreshToken, clientOf(request));
      return reply.code(204).send(null);
    },
  );
}
