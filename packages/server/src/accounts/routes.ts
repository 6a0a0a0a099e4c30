import {
  currentUser,
  doneMessage,
  forgotPasswordRequest,
  loginRequest,
  onboardingRequest,
  passwordChange,
  passwordResetDone,
  profileUpdate,
  registeredUser,
  registerRequest,
  resetPasswordRequest,
  tokenPair,
  verifyEmailRequest,
} from '@winnow/contract/account';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { clientOf, sendDeviceCookie } from './client.ts';
import type { PasswordChanges } from './password-changes.ts';
import { presentCurrentUser, presentRegisteredUser } from './present.ts';
import type { Registration } from './registration.ts';
import type { Accounts } from './service.ts';
import type { User } from './store.ts';

const tags = ['Accounts'];
/** Options of routes that need no token. */
const open = { tags, security: [] };

/** Limit per IP address for routes that hash a password, because hashing is expensive. */
const hashing = { rateLimit: { max: 120, timeWindow: 60_000 } };
/** Limit for routes that send mail to any address that the caller enters. */
const mailing = { rateLimit: { max: 30, timeWindow: 60_000 } };

/** Registers the routes for registration, sign-in, the current user, and mailed links. */
export function registerAccountRoutes(
  app: App,
  options: {
    registration: Registration;
    accounts: Accounts;
    passwordChanges: PasswordChanges;
    auth: Authentication;
    /** True if emails leave this installation. Otherwise they are written to its outbox. */
    mailsGoOut: boolean;
  },
): void {
  const { registration, accounts, passwordChanges, auth, mailsGoOut } = options;
  const present = (user: User) => presentCurrentUser(user, { requiresConfirmedEmail: mailsGoOut });

  app.post(
    '/api/v1/auth/register',
    {
      config: mailsGoOut ? mailing : hashing,
      schema: { ...open, body: registerRequest, response: { 201: registeredUser } },
    },
    async (request, reply) => {
      const { user, deviceToken } = await registration.register(request.body, clientOf(request));
      sendDeviceCookie(reply, deviceToken);
      return reply.code(201).send(presentRegisteredUser(user));
    },
  );

  app.post(
    '/api/v1/auth/token/json',
    { config: hashing, schema: { ...open, body: loginRequest, response: { 200: tokenPair } } },
    async (request, reply) => {
      const { tokens, deviceToken } = await accounts.signIn(request.body, clientOf(request));
      sendDeviceCookie(reply, deviceToken);
      return tokens;
    },
  );

  app.post(
    '/api/v1/auth/complete-onboarding',
    { config: hashing, schema: { ...open, body: onboardingRequest, response: { 200: tokenPair } } },
    async (request, reply) => {
      const { tokens, deviceToken } = await accounts.completeOnboarding(request.body, clientOf(request));
      sendDeviceCookie(reply, deviceToken);
      return tokens;
    },
  );

  app.post(
    '/api/v1/auth/forgot-password',
    { config: mailing, schema: { ...open, body: forgotPasswordRequest, response: { 200: doneMessage } } },
    async (request) => {
      await passwordChanges.forgotPassword(request.body.email);
      return { message: 'If an account with that email exists, a password reset link has been sent.' };
    },
  );

  app.post(
    '/api/v1/auth/reset-password',
    {
      config: hashing,
      schema: { ...open, body: resetPasswordRequest, response: { 200: passwordResetDone } },
    },
    async (request, reply) => {
      const { ended, deviceToken } = await passwordChanges.resetPassword(request.body, clientOf(request));
      sendDeviceCookie(reply, deviceToken);
      return { message: 'Your password has been reset successfully. You can now log in.', ended };
    },
  );

  app.post(
    '/api/v1/auth/verify-email',
    { schema: { ...open, body: verifyEmailRequest, response: { 200: doneMessage } } },
    async (request) => {
      await accounts.verifyEmail(request.body.token, clientOf(request));
      return { message: 'Your email has been successfully verified. You can now log in.' };
    },
  );

  app.post(
    '/api/v1/auth/resend-verification',
    { config: mailing, onRequest: auth.authorize, schema: { tags, response: { 200: doneMessage } } },
    async (request) => {
      const { accountId, userId } = userOf(request);
      const isMailed = await accounts.resendVerification(accountId, userId);
      return {
        message: isMailed
          ? mailsGoOut
            ? 'An email with a new link is on its way.'
            : 'No mail server is set up here: the email with a new link is in the outbox of this installation.'
          : 'Your email address is already verified.',
      };
    },
  );

  app.get(
    '/api/v1/auth/users/me',
    { onRequest: auth.authorize, schema: { tags, response: { 200: currentUser } } },
    async (request) => {
      const { accountId, userId } = userOf(request);
      return present(await accounts.user(accountId, userId));
    },
  );

  app.put(
    '/api/v1/auth/users/me',
    { onRequest: auth.authorize, schema: { tags, body: profileUpdate, response: { 200: currentUser } } },
    async (request) => {
      const { accountId, userId } = userOf(request);
      return present(await accounts.rename(accountId, userId, request.body.full_name));
    },
  );

  app.put(
    '/api/v1/auth/users/me/password',
    {
      config: hashing,
      onRequest: auth.authorize,
      schema: { tags, body: passwordChange, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await passwordChanges.changePassword(userOf(request), request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );
}
