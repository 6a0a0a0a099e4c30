import * as account from '../../account.ts';
import * as activity from '../../account-activity.ts';
import * as key from '../../api-key.ts';
import { leadReceived, leadRequest } from '../../lead.ts';
import * as passkeys from '../../passkey.ts';
import * as plan from '../../plan.ts';
import * as factor from '../../second-factor.ts';
import { apiUsage } from '../../usage.ts';
import { EXAMPLE_TIME, example, IDS, LATER_EXAMPLE_TIME } from '../example.ts';

const ada = {
  id: IDS.user,
  username: 'ada',
  email: 'ada@acme.test',
  full_name: 'Ada Lovelace',
  email_verified: true,
};
const PASSWORD = 'a phrase that is hard to guess';
const tokens = {
  access_token: 'eyJhbGciOi…',
  refresh_token: 'q3Jv8…',
  token_type: 'bearer',
  expires_in: 900,
} as const;
const shownKey = {
  id: IDS.key,
  name: 'CI',
  prefix: 'wnw_4fQz',
  scopes: ['read' as const, 'propose' as const],
  created_at: EXAMPLE_TIME,
  expires_at: null,
  last_used_at: LATER_EXAMPLE_TIME,
  requests: 128,
};
const pro = {
  id: 'pro',
  name: 'Pro',
  price_monthly: 20,
  price_annually: 200,
  features: {
    api_calls_monthly: 10_000,
    ai_calls_monthly: 100,
    issues_ingested_monthly: 1_000,
    custom_ai_models_enabled: false,
    custom_compliance_metrics_enabled: false,
  },
};
const spent = {
  calls: 12,
  failed: 1,
  tokens: 18_400,
  input_tokens: 15_000,
  output_tokens: 3_400,
  cost: 0.12,
  unpriced_calls: 0,
};

const signedIn = {
  id: IDS.other,
  kind: 'api_key_created' as const,
  at: EXAMPLE_TIME,
  address: '192.0.2.7',
  device: 'Firefox on Linux',
  detail: 'CI',
};

const CHALLENGE = 'yYbBMSPgGnhaZ3gWvLcyrg';
const CREDENTIAL_ID = 'KEDetxZcUfinhVi6Za5nZQ';
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';

const passkey = {
  id: IDS.other,
  name: 'Work laptop',
  created_at: EXAMPLE_TIME,
  last_used_at: LATER_EXAMPLE_TIME,
  synced: false,
  password_required: false,
};

/** Examples of the schemas of accounts, keys, plans, usage and leads. */
export const PEOPLE_EXAMPLES = [
  example(account.registerRequest, { username: ada.username, email: ada.email, password: PASSWORD }),
  example(account.registeredUser, ada),
  example(account.loginRequest, { username: ada.username, password: PASSWORD }),
  example(factor.secondFactors, {
    authenticator_added_at: EXAMPLE_TIME,
    passkeys: [passkey],
    passkey_origin: 'https://winnow.example.org',
    recovery_codes_left: 9,
  }),
  example(factor.identityProof, { code: '492 039' }),
  example(factor.passkeyRename, { name: 'Work laptop', code: '492 039' }),
  example(factor.firstRecoveryCodes, { recovery_codes: ['8k2d-0qv7-m3xa-t9eh'] }),
  example(passkeys.passkeyRequestOptions, {
    challenge: CHALLENGE,
    timeout: passkeys.PASSKEY_TIMEOUT_MS,
    rpId: 'winnow.example.org',
    allowCredentials: [{ id: CREDENTIAL_ID, type: 'public-key', transports: ['internal'] }],
    userVerification: 'required',
  }),
  example(passkeys.passkeySetup, {
    options: {
      challenge: CHALLENGE,
      timeout: passkeys.PASSKEY_TIMEOUT_MS,
      rp: { id: 'winnow.example.org', name: 'Winnow' },
      user: { id: 'ZXhhbXBsZS11c2VyLWlkMQ', name: 'ada', displayName: 'Ada Lovelace' },
      pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    },
    suggested_name: 'Firefox on Linux',
  }),
  example(passkeys.passkeyAddition, {
    name: 'Work laptop',
    passkey: {
      id: CREDENTIAL_ID,
      rawId: CREDENTIAL_ID,
      type: 'public-key',
      response: {
        clientDataJSON: CLIENT_DATA,
        attestationObject: 'o2NmbXRkbm9uZQ',
        transports: ['internal'],
      },
    },
  }),
  example(passkeys.passkeySignIn, {
    passkey: {
      id: CREDENTIAL_ID,
      rawId: CREDENTIAL_ID,
      type: 'public-key',
      response: {
        clientDataJSON: CLIENT_DATA,
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
        signature: 'MEUCIQDx5cJ6aGVsbG8',
        userHandle: 'ZXhhbXBsZS11c2VyLWlkMQ',
      },
    },
  }),
  example(factor.authenticatorSetup, {
    secret: 'JBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Winnow:ada?secret=JBSWY3DPEHPK3PXP&issuer=Winnow',
  }),
  example(factor.codeRequest, { code: '492 039' }),
  example(factor.recoveryCodes, { recovery_codes: ['8k2d-0qv7-m3xa-t9eh'] }),
  example(account.tokenPair, tokens),
  example(account.refreshRequest, { refresh_token: tokens.refresh_token }),
  example(account.onboardingRequest, {
    username: ada.username,
    email: ada.email,
    password: PASSWORD,
    token: 'Yk7…',
  }),
  example(account.forgotPasswordRequest, { email: ada.email }),
  example(account.resetPasswordRequest, { token: 'Yk7…', new_password: PASSWORD }),
  example(account.verifyEmailRequest, { token: 'Yk7…' }),
  example(account.doneMessage, { message: 'Your email has been successfully verified. You can now log in.' }),
  example(account.currentUser, {
    ...ada,
    account_id: IDS.account,
    created_at: EXAMPLE_TIME,
    must_confirm_email: false,
  }),
  example(account.passwordResetDone, {
    message: 'Your password has been reset successfully. You can now log in.',
    ended: { sessions: 2, api_keys: ['CI'], flows: ['Flag duplicates'], default_model: false },
  }),
  example(activity.session, {
    id: IDS.other,
    device: 'Firefox on Linux',
    address: '192.0.2.7',
    created_at: EXAMPLE_TIME,
    last_used_at: LATER_EXAMPLE_TIME,
    expires_at: '2030-04-02T03:04:05.678Z',
    current: true,
  }),
  example(activity.accountEventPage, { events: [signedIn], total: 1 }),
  example(account.profileUpdate, { full_name: ada.full_name }),
  example(account.passwordChange, {
    current_password: PASSWORD,
    new_password: 'another phrase of four words',
    revoke_api_keys: true,
    switch_off_flows: false,
  }),
  example(account.accountDeletion, { username: ada.username, current_password: PASSWORD }),
  example(key.apiKey, shownKey),
  example(key.apiKeyCreate, { name: 'CI', expires_at: '2030-01-31', scopes: ['read', 'propose'] }),
  example(key.createdApiKey, { ...shownKey, key: 'wnw_4fQz…' }),
  example(leadRequest, {
    name: ada.full_name,
    email: ada.email,
    role: 'Engineering manager',
    org: 'Acme',
    headcount: '51-200',
    trackers: ['github', 'jira'],
    comments: 'We have three backlogs.',
    source: 'request-demo',
  }),
  example(leadReceived, { id: IDS.other }),
  example(plan.plan, pro),
  example(plan.checkoutRequest, { plan_id: 'pro', interval: 'month' }),
  example(plan.checkoutAnswer, { action: 'redirect', url: 'https://checkout.stripe.com/c/pay/cs_live_a1' }),
  example(plan.subscription, {
    id: 'sub_1',
    plan_id: 'pro',
    status: 'active',
    interval: 'month',
    current_period_start: EXAMPLE_TIME,
    current_period_end: LATER_EXAMPLE_TIME,
    cancel_at_period_end: false,
    pending_change: null,
    waiting_change: null,
  }),
  example(plan.portalRequest, { return_url: 'https://winnow.acme.test/console/subscription' }),
  example(plan.portalAnswer, { url: 'https://billing.stripe.com/p/session/live_1' }),
  example(plan.subscriptionSynced, { status: 'success' }),
  example(apiUsage, {
    from: '2030-01-01',
    to: '2030-01-31',
    total_requests: 128,
    requests_ever: 2_048,
    errors: 2,
    p50_ms: 11,
    p95_ms: 64,
    requests_by_endpoint: [
      { endpoint: '/api/v1/search', method: 'GET', count: 128, errors: 2, p50_ms: 11, p95_ms: 64 },
    ],
    requests_by_key: [{ key_id: IDS.key, name: 'CI', is_revoked: false, count: 128, errors: 2 }],
    ai: {
      ...spent,
      by_model: [{ model: 'GPT', provider: 'openai', identifier: 'gpt-4o', ...spent }],
      by_feature: [{ feature: 'verdict', ...spent }],
    },
    issues_ingested: 134,
    limits: {
      plan_id: 'pro',
      plan_name: 'Pro',
      is_enforced: true,
      period: { from: '2030-01-01', to: '2030-01-31' },
      api_calls_monthly: { used: 128, limit: 10_000 },
      ai_calls_monthly: { used: 12, limit: 100 },
      issues_ingested_monthly: { used: 134, limit: 1_000 },
    },
  }),
];
