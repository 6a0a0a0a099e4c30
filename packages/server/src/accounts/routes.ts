import {
  currentUser,
  loginRequest,
  profileUpdate,
  refreshRequest,
  registeredUser,
  registerRequest,
  tokenPair,
} from '@winnow/contract/account';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { presentCurrentUser, presentRegisteredUser } from './present.ts';
import type { Accounts } from './service.ts';

const tags = ['Accounts'];
/** Of calls that are made without a token. */
const open = { tags, security: [] };

/** Calls that hash a password, by one address: each costs the server what it costs whoever guesses. */
const hashing = { rateLimit: { max: 120, timeWindow: 60_000 } };

/** Registering, signing in and out, and the user one is. */
export function registerAccountRoutes(app: App, accounts: Accounts, auth: Authentication): void {
  app.post(
    '/api/v1/auth/register',
    { config: hashing, schema: { ...open, body: registerRequest, response: { 201: registeredUser } } },
    async (request, reply) => {
      const user = await accounts.register(request.body);
      return reply.code(201).send(presentRegisteredUser(user));
    },
  );

  app.post(
    '/api/v1/auth/token/json',
    { config: hashing, schema: { ...open, body: loginRequest, response: { 200: tokenPair } } },
    async (request) => accounts.signIn(request.body, request.ip),
  );

  app.post(
    '/api/v1/auth/refresh',
    { schema: { ...open, body: refreshRequest, response: { 200: tokenPair } } },
    async (request) => accounts.refresh(request.body.refresh_token),
  );

  app.post(
    '/api/v1/auth/complete-onboarding',
    {
      config: hashing,
      schema: {
        ...open,
        body: registerRequest.extend({ token: z.string().min(1).max(200) }),
        response: { 200: tokenPair },
      },
    },
    async (request) => accounts.completeOnboarding(request.body),
  );

  app.get(
    '/api/v1/auth/users/me',
    { onRequest: auth.requireUser, schema: { tags, response: { 200: currentUser } } },
    async (request) => {
      const { accountId, userId } = userOf(request);
      return presentCurrentUser(await accounts.user(accountId, userId));
    },
  );

  app.put(
    '/api/v1/auth/users/me',
    { onRequest: auth.requireUser, schema: { tags, body: profileUpdate, response: { 200: currentUser } } },
    async (request) => {
      const { accountId, userId } = userOf(request);
      return presentCurrentUser(await accounts.rename(accountId, userId, request.body.full_name));
    },
  );

  app.get(
    '/logout',
    {
      schema: {
        ...open,
        headers: z.object({ 'x-refresh-token': z.string().optional() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const refreshToken = request.headers['x-refresh-token'];
      if (refreshToken !== undefined) await accounts.signOut(refreshToken);
      return reply.code(204).send(null);
    },
  );
}
