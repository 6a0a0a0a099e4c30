import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig, publicUrlOf } from './config.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment, '/srv');
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('an invalid value stops startup with a sentence that names the variable and says what to do', () => {
  test.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'winnow.example.org'],
    ['PUBLIC_URL', 'https://winnow.example.org/console'],
    ['DATABASE_URL', 'mysql://localhost/winnow'],
    ['DATABASE_URL', 'postgres:///winnow'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', 'x'.repeat(64)],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', 'my-proxy'],
    ['TRUST_PROXY', 'true'],
    ['OUTBOUND_ALLOWED_HOSTS', 'gitlab.internal, *.example.org'],
    ['SMTP_URL', 'http://mail.example.org'],
    ['MAIL_FROM', 'nobody'],
    ['LEADS_EMAIL', 'Sales <sales@example.org>'],
    ['LEADS_EMAIL', 'a@example.org, b@example.org'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'a token with spaces that is long enough'],
    ['SENTRY_DSN', 'https://errors.example.com/42'],
    ['SENTRY_DSN', 'https://key@errors.example.com/'],
    ['PRODUCTION_HOST', 'https://winnow.example.org'],
    ['LOG_LEVEL', 'loud'],
    ['SELF_HOSTED_PLAN', 'gold'],
    ['API_KEY_RATE_LIMIT', '0'],
    ['API_KEY_RATE_LIMIT', '10/s'],
    ['NEW_SECRET_KEY', 'short'],
    ['KEEP_EVENTS_DAYS', '6'],
    ['KEEP_USAGE_DAYS', '401'],
    ['KEEP_EXECUTIONS_DAYS', 'for ever'],
  ])('%s=%s', (name, value) => {
    const faults = faultsOf({ [name]: value, MAIL_FROM: name === 'MAIL_FROM' ? value : 'a@example.org' });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(name);
    expect(faults[0]).toMatch(/\b(Set|Create|Correct|Remove)\b.*[^!]$/s);
  });

  test('all faults are reported together', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'x', SELF_HOSTED_PLAN: 'x' })).toHaveLength(3);
  });

  test('a password in a refused value is not repeated', () => {
    const faults = faultsOf({
      DATABASE_URL: 'mysql://u:hunter2@db/x',
      SMTP_URL: 'http://u:hunter2@mail',
      PUBLIC_URL: 'https://u:hunter2@host/',
      MAIL_FROM: 'a@example.org',
    });
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('hunter2');
  });

  test('a mail server without a sender is refused', () => {
    expect(faultsOf({ SMTP_URL: 'smtp://mail.example.org' })[0]).toContain('MAIL_FROM');
  });

  test('payment settings that are incomplete or malformed are refused without repeating them', () => {
    const key = 'sk_live_hunter2';
    expect(faultsOf({ STRIPE_SECRET_KEY: key })).toEqual([expect.stringContaining('STRIPE_WEBHOOK_SECRET')]);
    const faults = faultsOf({
      STRIPE_SECRET_KEY: 'pk_live_hunter2',
      STRIPE_WEBHOOK_SECRET: 'hunter2',
      STRIPE_API_URL: 'https://user:hunter2@stripe.example.com/v1',
    });
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('hunter2');
  });

  test("a variable with our prefix is refused and the right name given; other programs' variables are ignored", () => {
    expect(faultsOf({ WINNOW_PORT: '80', PATH: '/bin', SOME_OTHER: 'x' })).toEqual([
      expect.stringContaining('set PORT instead'),
    ]);
    expect(faultsOf({ WINNOW_COLOR: 'red' })[0]).toContain('WINNOW_COLOR is unknown');
  });
});

describe('the configuration', () => {
  test('has the documented defaults, and treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' }, '/srv')).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      dataDir: '/srv/.data',
      databaseUrl: null,
      secretKey: undefined,
      trustProxy: false,
      outboundAllowedHosts: [],
      smtpUrl: null,
      mailFrom: 'Winnow <winnow@localhost>',
      leadsEmail: null,
      metricsToken: null,
      sentryDsn: null,
      embeddingModelDir: null,
      productionHost: null,
      logLevel: 'info',
      selfHostedPlan: 'enterprise',
      apiKeyRateLimit: 1_000,
      aiModels: [],
      newSecretKey: undefined,
      retention: { trackerEventsDays: 30, usageDays: 400, executionsDays: 90, accountEventsDays: 365 },
      stripe: null,
    });
  });

  test('accepts every documented variable', () => {
    const key = 'q8Zr3vN1xYk5T0bWfLh7Jd2sPgU4cAeM=';
    expect(
      loadConfig(
        {
          PORT: '0',
          HOST: '::1',
          PUBLIC_URL: 'https://winnow.example.org/',
          DATA_DIR: '/var/winnow',
          DATABASE_URL: 'postgresql:///winnow?host=/run/postgresql',
          SECRET_KEY: key,
          NEW_SECRET_KEY: `${key}2`,
          TRUST_PROXY: 'loopback, 10.0.0.0/8',
          OUTBOUND_ALLOWED_HOSTS: 'gitlab.internal:8443, 10.1.0.0/16,,127.0.0.1:4010',
          SMTP_URL: 'smtps://user:pass@mail.example.org:465',
          MAIL_FROM: 'Winnow <winnow@example.org>',
          LEADS_EMAIL: 'sales@example.org',
          METRICS_TOKEN: '0123456789abcdef0123456789abcdef',
          SENTRY_DSN: 'https://key@errors.example.com/42',
          PRODUCTION_HOST: 'Winnow.example.org',
          LOG_LEVEL: 'Debug',
          EMBEDDING_MODEL_DIR: 'models/e5',
          SELF_HOSTED_PLAN: 'pro',
          API_KEY_RATE_LIMIT: '60',
          KEEP_EVENTS_DAYS: '60',
          KEEP_USAGE_DAYS: '62',
          KEEP_EXECUTIONS_DAYS: '3650',
          AI_MODELS:
            '[{"name": "House", "provider": "anthropic", "model": "claude-3-opus", "api_key": "sk-1"}]',
          STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
          STRIPE_WEBHOOK_SECRET: 'whsec_6b1d',
          STRIPE_API_URL: 'http://127.0.0.1:12111',
        },
        '/srv',
      ),
    ).toEqual({
      port: 0,
      host: '::1',
      publicUrl: 'https://winnow.example.org',
      dataDir: '/var/winnow',
      databaseUrl: 'postgresql:///winnow?host=/run/postgresql',
      secretKey: key,
      newSecretKey: `${key}2`,
      trustProxy: ['loopback', '10.0.0.0/8'],
      outboundAllowedHosts: ['gitlab.internal:8443', '10.1.0.0/16', '127.0.0.1:4010'],
      smtpUrl: 'smtps://user:pass@mail.example.org:465',
      mailFrom: 'Winnow <winnow@example.org>',
      leadsEmail: 'sales@example.org',
      metricsToken: '0123456789abcdef0123456789abcdef',
      sentryDsn: 'https://key@errors.example.com/42',
      productionHost: 'winnow.example.org',
      logLevel: 'debug',
      embeddingModelDir: '/srv/models/e5',
      selfHostedPlan: 'pro',
      apiKeyRateLimit: 60,
      retention: { trackerEventsDays: 60, usageDays: 62, executionsDays: 3_650, accountEventsDays: 365 },
      aiModels: [
        {
          name: 'House',
          provider: 'anthropic',
          identifier: 'claude-3-opus',
          apiUrl: 'https://api.anthropic.com/v1',
          apiKey: 'sk-1',
        },
      ],
      stripe: {
        secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
        webhookSecret: 'whsec_6b1d',
        apiUrl: 'http://127.0.0.1:12111',
      },
    });
  });

  test.each([
    ['false', false],
    ['0', false],
    ['2', 2],
    ['192.0.2.7', ['192.0.2.7']],
  ])('TRUST_PROXY=%s', (text, value) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  test('is immutable', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true);
  });

  test('contains an address that a browser can open if none is set', () => {
    expect(publicUrlOf({ publicUrl: null, host: '0.0.0.0' }, 4000)).toBe('http://127.0.0.1:4000');
    expect(publicUrlOf({ publicUrl: null, host: '::1' }, 4000)).toBe('http://[::1]:4000');
    expect(publicUrlOf({ publicUrl: 'https://winnow.example.org', host: '::1' }, 4000)).toBe(
      'https://winnow.example.org',
    );
  });
});
