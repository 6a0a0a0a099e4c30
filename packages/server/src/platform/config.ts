import { resolve } from 'node:path';
import { type PlanId, planId } from '@winnow/contract/plan';
import {
  parseDatabaseUrl,
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
  parseTrustProxy,
} from './config-values.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Everything the operator decides, read once and checked. `docs/operations.md` describes each variable. */
export interface Config {
  /** TCP port to listen on; 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Where people reach Winnow, without a trailing slash; null: where it listens, see {@link publicUrlOf}. */
  readonly publicUrl: string | null;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** The PostgreSQL to use; null: the embedded one. */
  readonly databaseUrl: string | null;
  /** At least 32 characters; undefined: the key file in the data folder. */
  readonly secretKey: string | undefined;
  /** Whom to believe about the caller's address: nobody, so many proxies in front, or proxies at these addresses. */
  readonly trustProxy: false | number | string[];
  /** Entries of the form host, host:port, address or CIDR range, each checked. */
  readonly outboundAllowedHosts: readonly string[];
  /** null: mails are written to the outbox in the data folder. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Who is told when somebody asks for a demo; null: nobody. */
  readonly leadsEmail: string | null;
  /** What a reader of `/metrics` has to show; null: nobody reads them. */
  readonly metricsToken: string | null;
  /** Where browsers report errors of the pages; null: nowhere. */
  readonly sentryDsn: string | null;
  /** The host name that is the production site, if any is. */
  readonly productionHost: string | null;
  readonly logLevel: LogLevel;
  readonly selfHostedPlan: PlanId;
}

/** The configuration does not hold. `faults` has one sentence per fault that says what to do. */
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
 * Reads the configuration. An empty variable counts as unset. Variables of other programs are ignored; one that begins
 * with `WINNOW_` is a fault, since ours have no prefix.
 * Throws {@link ConfigError} with every fault found, not only the first.
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

  const smtpUrl = read('SMTP_URL', null, parseSmtpUrl);
  const config: Config = {
    port: read('PORT', 3000, parsePort),
    host: read('HOST', '127.0.0.1', parseHost),
    publicUrl: read('PUBLIC_URL', null, parsePublicUrl),
    dataDir: resolve(workingDirectory, read('DATA_DIR', '.data', String)),
    databaseUrl: read('DATABASE_URL', null, parseDatabaseUrl),
    secretKey: read<string | undefined>('SECRET_KEY', undefined, parseSecretKey),
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

/** The address people reach Winnow at when it listens on `port`, without a trailing slash. */
export function publicUrlOf(config: Pick<Config, 'publicUrl' | 'host'>, port: number): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const KNOWN = new Set([
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'SECRET_KEY',
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
]);

function unknownVariable(name: string): string {
  const meant = name.slice('WINNOW_'.length);
  return KNOWN.has(meant)
    ? `${name} is unknown. Winnow's variables have no prefix: set ${meant} instead.`
    : `${name} is unknown. Remove it, or correct its name; docs/operations.md lists every variable.`;
}
