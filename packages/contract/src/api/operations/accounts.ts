import type { Operations } from '../operation.ts';

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
      'Exchanges a username or email address and a password for an access token (15 minutes) and a refresh token (30 days). If emails are sent here, an address must be confirmed first. Failures are limited by user and by address; beyond a limit attempts get 429. A user with an authenticator app also sends `code`: a code of the app, or a recovery code. Without it, the response is 401 `second_factor_required`.',
    errors: ['unauthorized', 'second_factor_required', 'wrong_code'],
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
      'Returns when the signed-in user added an authenticator app, and how many recovery codes are left.',
  },
  'POST /api/v1/auth/second-factors/authenticator': {
    id: 'startAuthenticator',
    summary: 'Start adding an authenticator app',
    description:
      'Returns a new secret (TOTP, 6 digits, 30 seconds, SHA-1) for an authenticator app. Sign-ins require it only after its first code was sent. A later call replaces the secret.',
    errors: ['wrong_password', 'authenticator_exists'],
  },
  'POST /api/v1/auth/second-factors/authenticator/confirm': {
    id: 'confirmAuthenticator',
    summary: 'Add the authenticator app',
    description:
      'Adds the authenticator app with its first code. Returns ten recovery codes, which are shown once, and ends the other sessions of the user. From now on, sign-ins require a code.',
    errors: ['wrong_code', 'authenticator_exists', 'not_found'],
  },
  'POST /api/v1/auth/second-factors/authenticator/remove': {
    id: 'removeAuthenticator',
    summary: 'Remove the authenticator app',
    description:
      'Removes the authenticator app and the recovery codes. Requires a code of the app, or a recovery code.',
    errors: ['wrong_code', 'not_found'],
  },
  'POST /api/v1/auth/second-factors/recovery-codes': {
    id: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description:
      'Returns ten new recovery codes, which are shown once. The previous ones stop working. Requires a code of the app, or a recovery code.',
    errors: ['wrong_code', 'not_found'],
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
      'Changes the password of the signed-in user and ends all other sessions. On request it also revokes all API keys and switches off flows that write or use custom models or MCP servers.',
    errors: ['wrong_password'],
  },
  'DELETE /api/v1/auth/account': {
    id: 'deleteAccount',
    summary: 'Delete the account',
    description:
      'Deletes the account and everything stored for it. Requires the username and the password. This cannot be undone.',
    errors: ['wrong_password', 'upstream_failed', 'last_owner'],
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
