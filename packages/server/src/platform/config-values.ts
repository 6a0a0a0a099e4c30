import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseAllowedHosts } from './outbound/allowed-hosts.ts';

// Each parser takes the text of an environment variable and returns its value. It throws an Error
// for the operator that names the variable and says what to do.

/** Parses a TCP port. 0 lets the system choose. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`PORT is "${text}". Set it to a number from 0 to 65535; 0 lets the system choose.`);
  }
  return port;
}

/** Parses an address of this machine or a host name. Removes the brackets of an IPv6 address. */
export function parseHost(text: string): string {
  const host = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (!ipaddr.isValid(host) && !z.hostname().safeParse(host).success) {
    throw new Error(
      `HOST is "${text}". Set it to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all of them.`,
    );
  }
  return host;
}

/** Parses an origin (scheme, host and port) and removes a trailing slash. */
export function parsePublicUrl(text: string): string {
  const url = parseUrl(text, ['http:', 'https:']);
  if (url === null || url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Error(
      `PUBLIC_URL is "${withoutPassword(text)}". Set it to the address people type, such as https://winnow.example.org, without a path.`,
    );
  }
  return url.origin;
}

/** Parses a PostgreSQL address. The error does not quote it, as it may contain a password. */
export function parseDatabaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  // With a Unix socket, its folder is the parameter `host` and the host name of the URL is empty.
  if (!isPostgres || (url.hostname === '' && !url.searchParams.has('host'))) {
    throw new Error(
      'DATABASE_URL is not a PostgreSQL address. Set it to one like postgres://user:password@host:5432/winnow, or remove it to use the embedded PostgreSQL.',
    );
  }
  return text;
}

/** Parses a key of at least 32 characters that is not an obvious placeholder. */
export function parseSecretKey(text: string, name = 'SECRET_KEY'): string {
  // 32 characters encode at least 16 random bytes. A byte takes 2 characters in hexadecimal and
  // 1.33 in base64.
  if (text.length < 32 || new Set(text).size < 8) {
    throw new Error(
      `${name} is too short or too regular for a key. Create one of 32 random bytes with: openssl rand -base64 32`,
    );
  }
  return text;
}

/** Parses a number of requests per minute. */
export function parseApiKeyRateLimit(text: string): number {
  const requests = Number(text);
  if (!/^\d{1,9}$/.test(text) || requests === 0) {
    throw new Error(
      `API_KEY_RATE_LIMIT is "${text}". Set it to the number of requests that one API key may make in a minute, such as 1000.`,
    );
  }
  return requests;
}

/** Parses a retention period: a number of days within the allowed range. */
export function parseDays(
  name: string,
  text: string,
  { least, most }: { least: number; most: number },
): number {
  const days = Number(text);
  if (!/^\d{1,9}$/.test(text) || days < least || days > most) {
    throw new Error(`${name} is "${text}". Set it to a number of days from ${least} to ${most}.`);
  }
  return days;
}

/**
 * Parses which proxies to trust for the caller's address: none, a number of proxies, or addresses.
 */
export function parseTrustProxy(text: string): false | number | string[] {
  if (text === 'false' || text === '0') return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const entries = text.split(',').map((entry) => entry.trim());
  const named = new Set(['loopback', 'linklocal', 'uniquelocal']);
  const wrong = entries.find((entry) => !named.has(entry) && !ipaddr.isValid(entry) && !isRange(entry));
  if (wrong !== undefined) {
    throw new Error(
      `TRUST_PROXY has the entry "${wrong}". Set it to the proxy's addresses or CIDR ranges, to the number of proxies in front of Winnow, or to false.`,
    );
  }
  return entries;
}

function isRange(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

/** Parses a comma-separated list of hosts, host:port pairs, addresses and CIDR ranges. */
export function parseOutboundAllowedHosts(text: string): string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  parseAllowedHosts(entries);
  return entries;
}

/** Parses a mail server address. The error does not quote it, as it may contain a password. */
export function parseSmtpUrl(text: string): string {
  if (parseUrl(text, ['smtp:', 'smtps:']) === null) {
    throw new Error(
      'SMTP_URL is not a mail server address. Set it to one like smtp://user:password@host:587 or smtps://user:password@host:465.',
    );
  }
  return text;
}

/** Parses a sender: an email address with or without a name. */
export function parseMailFrom(text: string): string {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  if (!z.email().safeParse(address).success) {
    throw new Error(
      `MAIL_FROM is "${text}". Set it to an address like winnow@example.org or Winnow <winnow@example.org>.`,
    );
  }
  return text;
}

/** Parses an email address without a name. */
export function parseLeadsEmail(text: string): string {
  if (!z.email().safeParse(text).success) {
    throw new Error(`LEADS_EMAIL is "${text}". Set it to one address like sales@example.org, or remove it.`);
  }
  return text;
}

/** Parses a bearer token (RFC 6750, section 2.1) of at least 32 characters. */
export function parseMetricsToken(text: string): string {
  if (!/^[A-Za-z0-9._~+/-]{32,}=*$/.test(text)) {
    throw new Error(
      'METRICS_TOKEN is too short or contains characters not allowed in tokens. Create one with: openssl rand -hex 32',
    );
  }
  return text;
}

/** Parses one of the allowed choices, ignoring case. */
export function parseOneOf<const T extends string>(name: string, choices: readonly T[], text: string): T {
  const choice = choices.find((candidate) => candidate === text.toLowerCase());
  if (choice === undefined) throw new Error(`${name} is "${text}". Set it to one of ${choices.join(', ')}.`);
  return choice;
}

function parseUrl(text: string, protocols: readonly string[]): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.hostname !== '' ? url : null;
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//***@');
}

/**
 * Parses a Sentry DSN: an address with a public key as its user and a project number as its path.
 */
export function parseSentryDsn(text: string): string {
  const url = parseUrl(text, ['http:', 'https:']);
  if (url === null || url.username === '' || url.password !== '' || !/^\/(?:.+\/)?\d+$/.test(url.pathname)) {
    throw new Error(
      'SENTRY_DSN is not a DSN. Set it to the one that Sentry shows for the project, such as https://key@errors.example.com/42.',
    );
  }
  return text;
}

/** Parses a host name without scheme and port, such as `winnow.example.org`. */
export function parseProductionHost(text: string): string {
  if (!z.hostname().safeParse(text).success) {
    throw new Error(
      `PRODUCTION_HOST is "${text}". Set it to the host name of the production site only, such as winnow.example.org.`,
    );
  }
  return text.toLowerCase();
}

/** Parses a secret or restricted key of Stripe. The error does not quote it. */
export function parseStripeSecretKey(text: string): string {
  if (!/^(?:sk|rk)_(?:test|live)_\w+$/.test(text)) {
    throw new Error(
      'STRIPE_SECRET_KEY is not a secret key. Set it to the one that Stripe shows under Developers, which begins with sk_live_ or sk_test_.',
    );
  }
  return text;
}

/** Parses the signing secret of Stripe's webhooks. The error does not quote it. */
export function parseStripeWebhookSecret(text: string): string {
  if (!/^whsec_\S+$/.test(text)) {
    throw new Error(
      'STRIPE_WEBHOOK_SECRET is not a signing secret. Set it to the one that Stripe shows for the webhook, which begins with whsec_.',
    );
  }
  return text;
}

/** Parses the address of a Stripe emulator. */
export function parseStripeApiUrl(text: string): string {
  const url = parseUrl(text, ['http:', 'https:']);
  if (url === null || url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Error(
      `STRIPE_API_URL is "${withoutPassword(text)}". Remove it to use Stripe's own address. It is for tests only.`,
    );
  }
  return url.origin;
}
