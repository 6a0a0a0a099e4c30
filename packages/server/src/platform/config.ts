import { resolve } from 'node:path';
import { type PlanId, planId } from '@winnow/contract/plan';
import { MAX_USAGE_DAYS } from '@winnow/contract/usage';
import { type OfferedModel, parseAiModels } from './config-ai-models.ts';
import {
  parseApiKeyRateLimit,
  parseDatabaseUrl,
  parseDays,
  parseHost,
  parseLeadsEmail,
  parseMailFrom,
  parseMetricsToken,
  parseOneOf,
  parseOutboundAllowedHosts,
  parsePort,
  parseProductionHost,
  parsePublicUrl,
  parseSecretKey,
  parseSentryDsn,
  parseSmtpUrl,
  parseStripeApiUrl,
  parseStripeSecretKey,
  parseStripeWebhookSecret,
  parseTrustProxy,
} from './config-values.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Configuration by the operator, parsed and validated once. `docs/operations/configure.md`
 * describes each variable.
 */
export interface Config {
  /** TCP port to listen on; 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /**
   * Public address without a trailing slash. If null, {@link publicUrlOf} derives it from the
   * address that the server listens on.
   */
  readonly publicUrl: string | null;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Address of the PostgreSQL server. If null, the embedded PostgreSQL is used. */
  readonly databaseUrl: string | null;
  /** Master key, at least 32 characters. If undefined, the key file in the data folder is used. */
  readonly secretKey: string | undefined;
  /** Master key that the command "winnow rotate-key" replaces the current one with. */
  readonly newSecretKey: string | undefined;
  /**
   * Trusted proxies, whose forwarding headers give the caller's address: none (false), a number of
   * proxies, or their addresses.
   */
  readonly trustProxy: false | number | string[];
  /**
   * Hosts that may be called although they are private. Each entry is a host, host:port, address or
   * CIDR range.
   */
  readonly outboundAllowedHosts: readonly string[];
  /** Address of the mail server. If null, emails are written to the outbox in the data folder. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Email address that receives demo requests. If null, demo requests are only stored. */
  readonly leadsEmail: string | null;
  /** Bearer token for `/metrics`. If null, metrics are disabled. */
  readonly metricsToken: string | null;
  /** Sentry DSN for errors in browsers. If null, such errors are not reported. */
  readonly sentryDsn: string | null;
  /** Host name that the console labels as production. Null if there is none. */
  readonly productionHost: string | null;
  readonly logLevel: LogLevel;
  readonly selfHostedPlan: PlanId;
  /** Maximum requests per minute for each API key. */
  readonly apiKeyRateLimit: number;
  /** Language models offered to all accounts. */
  readonly aiModels: readonly OfferedModel[];
  /** Absolute path of the folder with the embedding model. If null, the included model is used. */
  readonly embeddingModelDir: string | null;
  readonly retention: Retention;
  /**
   * Null if this installation sells no plans. Every account then has the plan {@link
   * selfHostedPlan}.
   */
  readonly stripe: StripeConfig | null;
}

/**
 * Retention periods in days, per kind of data that grows without limit. Changes to trackers are
 * retained forever.
 */
interface Retention {
  readonly trackerEventsDays: number;
  readonly usageDays: number;
  /** Retention of flow executions and their logs. */
  readonly executionsDays: number;
  /**
   * Retention of account activity: sign-ins, password changes, changes to API keys and similar
   * events.
   */
  readonly accountEventsDays: number;
}

/** Settings for payments through Stripe. */
export interface StripeConfig {
  readonly secretKey: string;
  /** Signing secret of Stripe's webhooks. */
  readonly webhookSecret: string;
  /** Address of Stripe's API. If null, the official address is used. */
  readonly apiUrl: string | null;
}

/**
 * The configuration is invalid. Each sentence of `faults` describes one fault and says what to do.
 */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from the environment. An empty variable counts as unset. Variables of
 * other programs are ignored. A variable with the prefix `WINNOW_` is a fault, since our variables
 * have no prefix.
 *
 * @throws {ConfigError} with all faults, not only the first
 */
export function loadConfig(environment: Environment, workingDirectory = process.cwd()): Config {
  const faults: string[] = [];

  function read<T>(name: string, fallback: T, parse: (text: string) => T): T {
    const text = environment[name]?.trim() ?? '';
    if (text === '') return fallback;
    try {
      return parse(text);
    } catch (fault) {
      faults.push(fault instanceof Error ? fault.message : `${name} cannot be read.`);
      return fallback;
    }
  }

  function readStripe(): StripeConfig | null {
    const secretKey = read<string | null>('STRIPE_SECRET_KEY', null, parseStripeSecretKey);
    const webhookSecret = read<string | null>('STRIPE_WEBHOOK_SECRET', null, parseStripeWebhookSecret);
    const apiUrl = read('STRIPE_API_URL', null, parseStripeApiUrl);
    if (secretKey === null || webhookSecret === null) {
      if (secretKey !== null) faults.push(STRIPE_WEBHOOK_SECRET_REQUIRED);
      return null;
    }
    return { secretKey, webhookSecret, apiUrl };
  }

  const readDays = (name: string, fallback: number, bounds: { least: number; most: number }) =>
    read(name, fallback, (text) => parseDays(name, text, bounds));

  const smtpUrl = read('SMTP_URL', null, parseSmtpUrl);
  const config: Config = {
    port: read('PORT', 3000, parsePort),
    host: read('HOST', '127.0.0.1', parseHost),
    publicUrl: read('PUBLIC_URL', null, parsePublicUrl),
    dataDir: resolve(workingDirectory, read('DATA_DIR', '.data', String)),
    databaseUrl: read('DATABASE_URL', null, parseDatabaseUrl),
    secretKey: read<string | undefined>('SECRET_KEY', undefined, (text) => parseSecretKey(text)),
    newSecretKey: read<string | undefined>('NEW_SECRET_KEY', undefined, (text) =>
      parseSecretKey(text, 'NEW_SECRET_KEY'),
    ),
    trustProxy: read('TRUST_PROXY', false, parseTrustProxy),
    outboundAllowedHosts: read('OUTBOUND_ALLOWED_HOSTS', [], parseOutboundAllowedHosts),
    smtpUrl,
    mailFrom: read('MAIL_FROM', 'Winnow <winnow@localhost>', parseMailFrom),
    leadsEmail: read('LEADS_EMAIL', null, parseLeadsEmail),
    metricsToken: read('METRICS_TOKEN', null, parseMetricsToken),
    sentryDsn: read('SENTRY_DSN', null, parseSentryDsn),
    productionHost: read('PRODUCTION_HOST', null, parseProductionHost),
    logLevel: read('LOG_LEVEL', 'info', (text) => parseOneOf('LOG_LEVEL', logLevels, text)),
    selfHostedPlan: read('SELF_HOSTED_PLAN', 'enterprise', (text) =>
      parseOneOf('SELF_HOSTED_PLAN', planId.options, text),
    ),
    apiKeyRateLimit: read('API_KEY_RATE_LIMIT', 1_000, parseApiKeyRateLimit),
    aiModels: read<readonly OfferedModel[]>('AI_MODELS', [], (text) => parseAiModels(text, workingDirectory)),
    embeddingModelDir: read<string | null>('EMBEDDING_MODEL_DIR', null, (text) =>
      resolve(workingDirectory, text),
    ),
    retention: {
      trackerEventsDays: readDays('KEEP_EVENTS_DAYS', 30, { least: 7, most: 365 }),
      usageDays: readDays('KEEP_USAGE_DAYS', MAX_USAGE_DAYS, { least: 62, most: MAX_USAGE_DAYS }),
      accountEventsDays: readDays('KEEP_ACCOUNT_EVENTS_DAYS', 365, { least: 30, most: 3_650 }),
      executionsDays: readDays('KEEP_EXECUTIONS_DAYS', 90, { least: 7, most: 3_650 }),
    },
    stripe: readStripe(),
  };

  if (smtpUrl !== null && !environment.MAIL_FROM?.trim()) {
    faults.push(
      'SMTP_URL is set but MAIL_FROM is not. Set MAIL_FROM to the sender that your mail server accepts.',
    );
  }
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith('WINNOW_') && value !== undefined) faults.push(unknownVariable(name));
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/** Returns the public address of a server that listens on `port`, without a trailing slash. */
export function publicUrlOf(config: Pick<Config, 'publicUrl' | 'host'>, port: number): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const KNOWN_VARIABLES = new Set([
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'SECRET_KEY',
  'NEW_SECRET_KEY',
  'TRUST_PROXY',
  'OUTBOUND_ALLOWED_HOSTS',
  'SMTP_URL',
  'MAIL_FROM',
  'LEADS_EMAIL',
  'METRICS_TOKEN',
  'SENTRY_DSN',
  'PRODUCTION_HOST',
  'LOG_LEVEL',
  'SELF_HOSTED_PLAN',
  'API_KEY_RATE_LIMIT',
  'KEEP_EVENTS_DAYS',
  'KEEP_USAGE_DAYS',
  'KEEP_EXECUTIONS_DAYS',
  'KEEP_ACCOUNT_EVENTS_DAYS',
  'AI_MODELS',
  'EMBEDDING_MODEL_DIR',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_URL',
]);

const STRIPE_WEBHOOK_SECRET_REQUIRED =
  'STRIPE_SECRET_KEY is set but STRIPE_WEBHOOK_SECRET is not. Create a webhook in Stripe for PUBLIC_URL/api/v1/billing/webhook and set its signing secret.';

function unknownVariable(name: string): string {
  const meant = name.slice('WINNOW_'.length);
  return KNOWN_VARIABLES.has(meant)
    ? `${name} is unknown. Winnow's variables have no prefix: set ${meant} instead.`
    : `${name} is unknown. Remove it or correct its name. docs/operations/configure.md lists all variables.`;
}
