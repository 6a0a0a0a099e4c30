import { tokenPair } from '@winnow/contract/account';
import {
  passkeyAddition,
  passkeyRequestOptions,
  passkeySetup,
  passkeySignIn,
} from '@winnow/contract/passkey';
import { id } from '@winnow/contract/primitives';
import {
  authenticatorSetup,
  codeRequest,
  firstRecoveryCodes,
  identityProof,
  passkeyRename,
  recoveryCodes,
  secondFactors,
} from '@winnow/contract/second-factor';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import { clientOf, sendDeviceCookie } from '../client.ts';
import type { Accounts } from '../service.ts';
import type { SecondFactors } from './service.ts';
import type { UserPasskeys } from './user-passkeys.ts';

const tags = ['Accounts'];
/** Options of routes that need no token. */
const open = { tags, security: [] };
/** Limit per IP address of sign-ins, which is that of sign-ins with a password. */
const signingIn = { rateLimit: { max: 120, timeWindow: 60_000 } };
const PATH = '/api/v1/auth/second-factors';

/** Registers the routes for second factors of the current user, and sign-in with a passkey. */
export function registerSecondFactorRoutes(
  app: App,
  options: {
    factors: SecondFactors;
    passkeys: UserPasskeys;
    accounts: Pick<Accounts, 'signInWithPasskey'>;
    auth: Authentication;
  },
): void {
  const { factors, passkeys, accounts, auth } = options;
  const onRequest = auth.authorize;

  app.post(
    '/api/v1/auth/passkeys/sign-in/options',
    { config: signingIn, schema: { ...open, response: { 200: passkeyRequestOptions } } },
    async () => passkeys.signInOptions(),
  );

  app.post(
    '/api/v1/auth/passkeys/sign-in',
    { config: signingIn, schema: { ...open, body: passkeySignIn, response: { 200: tokenPair } } },
    async (request, reply) => {
      const { passkey } = request.body;
      const { tokens, deviceToken } = await accounts.signInWithPasskey(passkey, clientOf(request));
      sendDeviceCookie(reply, deviceToken);
      return tokens;
    },
  );

  app.get(PATH, { onRequest, schema: { tags, response: { 200: secondFactors } } }, async (request) =>
    factors.list(userOf(request)),
  );

  app.post(
    `${PATH}/authenticator`,
    { onRequest, schema: { tags, body: identityProof, response: { 200: authenticatorSetup } } },
    async (request) => factors.start(userOf(request), request.body, clientOf(request)),
  );

  app.post(
    `${PATH}/authenticator/confirm`,
    { onRequest, schema: { tags, body: codeRequest, response: { 200: firstRecoveryCodes } } },
    async (request) => ({
      recovery_codes: await factors.confirm(userOf(request), request.body.code, clientOf(request)),
    }),
  );

  app.post(
    `${PATH}/authenticator/remove`,
    { onRequest, schema: { tags, body: identityProof, response: { 204: z.null() } } },
    async (request, reply) => {
      await factors.remove(userOf(request), request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${PATH}/recovery-codes`,
    { onRequest, schema: { tags, body: identityProof, response: { 200: recoveryCodes } } },
    async (request) => ({
      recovery_codes: await factors.renewCodes(userOf(request), request.body, clientOf(request)),
    }),
  );

  registerPasskeyRoutes(app, { passkeys, onRequest });
}

function registerPasskeyRoutes(
  app: App,
  { passkeys, onRequest }: { passkeys: UserPasskeys; onRequest: Authentication['authorize'] },
): void {
  const params = z.object({ passkey_id: id });

  app.post(
    `${PATH}/passkeys/proof`,
    { onRequest, schema: { tags, response: { 200: passkeyRequestOptions } } },
    async (request) => passkeys.proofOptions(userOf(request)),
  );

  app.post(
    `${PATH}/passkeys/options`,
    { onRequest, schema: { tags, body: identityProof, response: { 200: passkeySetup } } },
    async (request) => passkeys.start(userOf(request), request.body, clientOf(request)),
  );

  app.post(
    `${PATH}/passkeys`,
    { onRequest, schema: { tags, body: passkeyAddition, response: { 201: firstRecoveryCodes } } },
    async (request, reply) => {
      const codes = await passkeys.add(userOf(request), request.body, clientOf(request));
      return reply.code(201).send({ recovery_codes: codes });
    },
  );

  app.put(
    `${PATH}/passkeys/:passkey_id`,
    { onRequest, schema: { tags, params, body: passkeyRename, response: { 204: z.null() } } },
    async (request, reply) => {
      await passkeys.rename(userOf(request), request.params.passkey_id, request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${PATH}/passkeys/:passkey_id/remove`,
    { onRequest, schema: { tags, params, body: identityProof, response: { 204: z.null() } } },
    async (request, reply) => {
      await passkeys.remove(userOf(request), request.params.passkey_id, request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );
}
