import {
  authenticatorSetup,
  authenticatorStart,
  codeRequest,
  recoveryCodes,
  secondFactors,
} from '@winnow/contract/second-factor';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import { clientOf } from '../client.ts';
import type { SecondFactors } from './service.ts';

const tags = ['Accounts'];

/** Registers the routes for the authenticator app and the recovery codes of the current user. */
export function registerSecondFactorRoutes(
  app: App,
  { factors, auth }: { factors: SecondFactors; auth: Authentication },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/auth/second-factors',
    { onRequest, schema: { tags, response: { 200: secondFactors } } },
    async (request) => factors.list(userOf(request)),
  );

  app.post(
    '/api/v1/auth/second-factors/authenticator',
    { onRequest, schema: { tags, body: authenticatorStart, response: { 200: authenticatorSetup } } },
    async (request) => factors.start(userOf(request), request.body.current_password, clientOf(request)),
  );

  app.post(
    '/api/v1/auth/second-factors/authenticator/confirm',
    { onRequest, schema: { tags, body: codeRequest, response: { 200: recoveryCodes } } },
    async (request) => ({
      recovery_codes: await factors.confirm(userOf(request), request.body.code, clientOf(request)),
    }),
  );

  app.post(
    '/api/v1/auth/second-factors/authenticator/remove',
    { onRequest, schema: { tags, body: codeRequest, response: { 204: z.null() } } },
    async (request, reply) => {
      await factors.remove(userOf(request), request.body.code, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/auth/second-factors/recovery-codes',
    { onRequest, schema: { tags, body: codeRequest, response: { 200: recoveryCodes } } },
    async (request) => ({
      recovery_codes: await factors.renewCodes(userOf(request), request.body.code, clientOf(request)),
    }),
  );
}
