import type { ErrorCode } from '../error-codes.ts';
import type { ErrorWithStatus, Operations } from '../operation.ts';

/** Returns the errors of a second factor with the status of the operation. */
function factorErrors(status: 400 | 401): ErrorWithStatus[] {
  const codes: ErrorCode[] = [
    'wrong_code',
    'wrong_passkey',
    'passkey_copied',
    'second_factor_required',
    'passkey_required',
  ];
  return codes.map((code) => ({ code, status }));
}

/** Errors of a request that carries a proof of the signed-in user. */
const PROOF_ERRORS = [
  ...factorErrors(400),
  { code: 'password_required', status: 400 },
  'wrong_password',
  'passkeys_unavailable',
] as const;

export const accountOperations: Operations = {
  'POST /api/v1/auth/register': {
    id: 'register',
    summary: 'Create an account',
    description:
      'Creates an account with one user and mails a link that verifies the address. The user can sign in immediately. A password that is easy to guess gets 422. A taken address gets the same response, and its owner is mailed.',
    errors: ['username_taken'],
  },
  'POST /api/v1/auth/token/json': {
    id: 'signIn',
    summary: 'Sign in',
    description:
      'Exchanges a username or email address and a password for an access token (15 minutes) and a refresh token (30 days). If emails are sent here, an address must be confirmed first. Failures are limited by user and by address; beyond a limit attempts get 429. A user with a second factor also sends `code` (of the authenticator app, or a recovery code) or `passkey`. Without it, the response is 401 `second_factor_required`, or `passkey_required` for a user with passkeys only.',
    errors: ['unauthorized', ...factorErrors(401), 'passkeys_unavailable'],
  },
  'POST /api/v1/auth/passkeys/sign-in/options': {
    id: 'startPasskeySignIn',
    summary: 'Start a sign-in with a passkey',
    description:
      'Returns options for `navigator.credentials.get()`, for a sign-in with a passkey alone or in addition to the password. Their challenge works once, for five minutes.',
    errors: ['passkeys_unavailable'],
  },
  'POST /api/v1/auth/passkeys/sign-in': {
    id: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'Exchanges a signature of a passkey for an access token and a refresh token. The passkey must have verified its user, such as by a fingerprint. After a password change, a passkey is accepted only with the password first: the response is then 401 `password_required`.',
    errors: [
      'unauthorized',
      { code: 'wrong_passkey', status: 401 },
      { code: 'passkey_copied', status: 401 },
      { code: 'password_required', status: 401 },
      'passkeys_unavailable',
    ],
  },
  'POST /api/v1/auth/refresh': {
    id: 'refreshSession',
    summary: 'Renew a session',
    description:
      'Exchanges a refresh token for a new pair of tokens. Each refresh token works once. Using one again ends the session.',
    errors: ['unauthorized'],
  },
  'POST /api/v1/auth/complete-onboarding': {
    id: 'completeOnboarding',
    summary: 'Finish an invitation',
    description:
      'Sets the username and password of an invited account with the token of the mailed link, and signs in.',
    errors: ['invalid_onboarding_link', 'username_taken', 'email_taken'],
  },
  'POST /api/v1/auth/forgot-password': {
    id: 'requestPasswordReset',
    summary: 'Request a password reset',
    description:
      'Mails a link for a new password if an account has this address. The response is the same if none has.',
  },
  'POST /api/v1/auth/reset-password': {
    id: 'resetPassword',
    summary: 'Reset a password',
    description:
      'Sets a new password with the token of the mailed link. Ends all sessions, revokes all API keys and switches off flows that write or use custom models or MCP servers. Returns what was ended.',
    errors: ['invalid_reset_token'],
  },
  'POST /api/v1/auth/verify-email': {
    id: 'verifyEmail',
    summary: 'Verify an email address',
    description: 'Verifies the address of a user with the token of the mailed link.',
    errors: ['invalid_verification_token'],
  },
  'POST /api/v1/auth/resend-verification': {
    id: 'resendVerification',
    summary: 'Send the verification link again',
    description: 'Mails a new verification link to the address of the signed-in user.',
  },
  'GET /api/v1/auth/sessions': {
    id: 'listSessions',
    summary: 'List sessions',
    description: 'Returns the sessions of the signed-in user, with device, address and last use.',
  },
  'DELETE /api/v1/auth/sessions': {
    id: 'endOtherSessions',
    summary: 'End all other sessions',
    description: 'Ends all sessions of the signed-in user except that of this request.',
  },
  'DELETE /api/v1/auth/sessions/:session_id': {
    id: 'endSession',
    summary: 'End a session',
    description: 'Ends one session of the signed-in user. Its tokens are refused from then on.',
  },
  'GET /api/v1/auth/second-factors': {
    id: 'getSecondFactors',
    summary: 'Read the second factors',
    description:
      'Returns the authenticator app and the passkeys of the signed-in user, and how many recovery codes are left.',
  },
  'POST /api/v1/auth/second-factors/authenticator': {
    id: 'startAuthenticator',
    summary: 'Start adding an authenticator app',
    description:
      'Returns a new secret (TOTP, 6 digits, 30 seconds, SHA-1) for an authenticator app. Sign-ins require it only after its first code was sent. A later call replaces the secret. Requires the password, or a second factor if the user has passkeys.',
    errors: [...PROOF_ERRORS, 'authenticator_exists', 'email_unconfirmed'],
  },
  'POST /api/v1/auth/second-factors/authenticator/confirm': {
    id: 'confirmAuthenticator',
    summary: 'Add the authenticator app',
    description:
      'Adds the authenticator app with its first code, and ends the other sessions of the user. From now on, sign-ins with the password require a second factor. Returns ten recovery codes, which are shown once, unless the user has passkeys and therefore has codes.',
    errors: [{ code: 'wrong_code', status: 400 }, 'authenticator_exists', 'not_found'],
  },
  'POST /api/v1/auth/second-factors/authenticator/remove': {
    id: 'removeAuthenticator',
    summary: 'Remove the authenticator app',
    description:
      'Removes the authenticator app. Without passkeys, also removes the recovery codes. Requires a code of the app, a recovery code or a passkey.',
    errors: [...PROOF_ERRORS, 'not_found'],
  },
  'POST /api/v1/auth/second-factors/recovery-codes': {
    id: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description:
      'Returns ten new recovery codes, which are shown once. The previous ones stop working. Requires a code of the app, a recovery code or a passkey.',
    errors: [...PROOF_ERRORS, 'not_found'],
  },
  'POST /api/v1/auth/second-factors/passkeys/proof': {
    id: 'startPasskeyProof',
    summary: 'Start a proof with a passkey',
    description:
      'Returns options for `navigator.credentials.get()`. The result is sent as `passkey` with a request that requires a proof. Their challenge works once, for five minutes, in this session.',
    errors: ['passkeys_unavailable'],
  },
  'POST /api/v1/auth/second-factors/passkeys/options': {
    id: 'startPasskey',
    summary: 'Start adding a passkey',
    description:
      'Returns options for `navigator.credentials.create()`, and a name for the passkey. Requires a second factor if the user has one, otherwise the password.',
    errors: [...PROOF_ERRORS, 'too_many_passkeys', 'email_unconfirmed'],
  },
  'POST /api/v1/auth/second-factors/passkeys': {
    id: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Adds a passkey that the browser created. From now on, it signs in without the password, and sign-ins with the password require a second factor. If it is the first second factor, returns ten recovery codes and ends the other sessions of the user.',
    errors: [
      { code: 'wrong_passkey', status: 400 },
      'passkey_exists',
      'too_many_passkeys',
      'passkeys_unavailable',
    ],
  },
  'PUT /api/v1/auth/second-factors/passkeys/:passkey_id': {
    id: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Changes the name of a passkey. Requires a second factor.',
    errors: PROOF_ERRORS,
  },
  'POST /api/v1/auth/second-factors/passkeys/:passkey_id/remove': {
    id: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'Removes a passkey. Removing the last second factor also removes the recovery codes. Requires a second factor.',
    errors: PROOF_ERRORS,
  },
  'GET /api/v1/auth/activity': {
    id: 'listActivity',
    summary: 'List recent activity',
    description:
      'Returns the security events of the account, newest first: sign-ins, failures, passwords, API keys and exports.',
  },
  'GET /api/v1/auth/users/me': {
    id: 'getCurrentUser',
    summary: 'Get the signed-in user',
    description: 'Returns the user whose access token is sent, with the id of the account.',
  },
  'PUT /api/v1/auth/users/me': {
    id: 'updateCurrentUser',
    summary: 'Change the full name',
    description: 'Changes the full name of the signed-in user and returns the user.',
  },
  'PUT /api/v1/auth/users/me/password': {
    id: 'changePassword',
    summary: 'Change the password',
    description:
      'Changes the password of the signed-in user and ends all other sessions. On request it also revokes all API keys and switches off flows that write or use custom models or MCP servers. Requires a second factor too, if the user has one.',
    errors: ['wrong_password', ...factorErrors(400), 'passkeys_unavailable'],
  },
  'DELETE /api/v1/auth/account': {
    id: 'deleteAccount',
    summary: 'Delete the account',
    description:
      'Deletes the account and everything stored for it. Requires the username and the password, and a second factor if the user has one. This cannot be undone.',
    errors: ['wrong_password', ...factorErrors(400), 'passkeys_unavailable', 'upstream_failed', 'last_owner'],
  },
  'GET /api/v1/auth/account/export': {
    id: 'exportAccount',
    summary: 'Export the account',
    description: 'Returns everything stored for the account as a compressed archive, without secrets.',
    errors: ['export_running'],
    produces: ['application/gzip'],
  },
  'GET /logout': {
    id: 'signOut',
    summary: 'Sign out',
    description:
      'Ends the session of the refresh token in the header `X-Refresh-Token`. The response is the same if the header is missing.',
  },
  'GET /api/v1/auth/api-keys': {
    id: 'listApiKeys',
    summary: 'List API keys',
    description:
      'Returns the API keys of the account by their prefixes. A key itself is never returned again.',
  },
  'POST /api/v1/auth/api-keys': {
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates an API key and returns it. This is the only response that contains the key. Without `scopes` it has all of them.',
    errors: ['too_many_api_keys', 'email_unconfirmed'],
  },
  'DELETE /api/v1/auth/api-keys/:key_id': {
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Revokes an API key. Requests that use it are refused from then on.',
  },
};
