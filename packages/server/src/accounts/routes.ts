import {
  currentUser,
  doneMessage,
  forgotPasswordRequest,
  loginRequest,
  onboardingRequest,
  passwordChange,
  profileUpdate,
  refreshRequest,
  registeredUser,
  registerRequest,
  resetPasswordRequest,
  tokenPair,
  verifyEmailRequest,
} from '@winnow/contract/account';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { networkOf } from '../platform/http/rate-limit.ts';
import { presentCurrentUser, presentRegisteredUser } from './present.ts';
import type { Registration } from './registration.ts';
import type { Accounts } from './service.ts';
import type { Sessions } from './sessions.ts';

const tags = ['Accounts'];
/** Of calls that are made without a token. */
const open = { tags, security: [] };

/** Calls that hash a password, by one address: each costs the server what it costs whoever guesses. */
const hashing = { rateLimit: { max: 120, timeWindow: 60_000 } };
/** Calls that have a mail sent to an address that anybody can enter. */
const mailing = { rateLimit: { max: 30, timeWindow: 60_000 } };

/** Registering, signing in and out, the user one is, and what mailed links are for. */
export function registerAccountRoutes(
  app: App,
  options: {
    registration: Registration;
    accounts: Accounts;
    sessions: Sessions;
    auth: Authentication;
    /** Mails leave this installation; else they are written to its outbox. */
    mailsGoOut: boolean;
  },
): void {
  const { registration, accounts, sessions, auth, mailsGoOut } = options;

  app.post(
    '/api/v1/auth/register',
    { config: hashing, schema: { ...open, body: registerRequest, response: { 201: registeredUser } } },
    async (request, reply) => {
      const user = await registration.register(request.body);
      return reply.code(201).send(presentRegisteredUser(user));
    },
  );

  app.post(
    '/api/v1/auth/token/json',
    { config: hashing, schema: { ...open, body: loginRequest, response: { 200: tokenPair } } },
    async (request) => accounts.signIn(request.body, networkOf(request)),
  );

  app.post(
    '/api/v1/auth/refresh',
    { schema: { ...open, body: refreshRequest, response: { 200: tokenPair } } },
    async (request) => sessions.refresh(request.body.refresh_token),
  );

  app.post(
    '/api/v1/auth/complete-onboarding',
    { config: hashing, schema: { ...open, body: onboardingRequest, response: { 200: tokenPair } } },
    async (request) => accounts.completeOnboarding(request.body),
  );

  app.post(
    '/api/v1/auth/forgot-password',
    { config: mailing, schema: { ...open, body: forgotPasswordRequest, response: { 200: doneMessage } } },
    async (request) => {
      await accounts.forgotPassword(request.body.email);
      return { message: 'If an account with that email exists, a password reset link has been sent.' };
    },
  );

  app.post(
    '/api/v1/auth/reset-password',
    { config: hashing, schema: { ...open, body: resetPasswordRequest, response: { 200: doneMessage } } },
    async (request) => {
      await accounts.resetPassword(request.body, networkOf(request));
      return { message: 'Your password has been reset successfully. You can now log in.' };
    },
  );

  app.post(
    '/api/v1/auth/verify-email',
    { schema: { ...open, body: verifyEmailRequest, response: { 200: doneMessage } } },
    async (request) => {
      await accounts.verifyEmail(request.body.token);
      return { message: 'Your email has been successfully verified. You can now log in.' };
    },
  );

  app.post(
    '/api/v1/auth/resend-verification',
    { config: mailing, onRequest: auth.requireUser, schema: { tags, response: { 200: doneMessage } } },
    async (request) => {
      const { accountId, userId } = userOf(request);
      const isMailed = await accounts.resendVerification(accountId, userId);
      return {
        message: isMailed
          ? mailsGoOut
            ? 'A mail with a new link is on its way.'
            : 'No mail server is set up here: the mail with a new link is in the outbox of this installation.'
          : 'Your e-mail address is verified already.',
      };
    },
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

  app.put(
    '/api/v1/auth/users/me/password',
    {
      config: hashing,
      onRequest: auth.requireUser,
      schema: { tags, body: passwordChange, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await accounts.changePassword(userOf(request), request.body, networkOf(request));
      return reply.code(204).send(null);
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
      if (refreshToken !== undefined) await sessions.signOut(refreshToken);
      return reply.code(204).send(null);
    },
  );
}
