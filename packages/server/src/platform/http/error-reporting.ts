import type { Config } from '../config.ts';

/** Sentry DSN and environment for errors in browsers. */
export interface ErrorReporting {
  dsn: string;
  environment: 'production' | 'staging' | 'development';
}

/**
 * Returns the error reporting settings for the site at `publicUrl`; null if no DSN is configured.
 */
export function errorReportingOf(
  { sentryDsn, productionHost }: Pick<Config, 'sentryDsn' | 'productionHost'>,
  publicUrl: string,
): ErrorReporting | null {
  if (sentryDsn === null) return null;
  const { hostname } = new URL(publicUrl);
  if (hostname === productionHost) return { dsn: sentryDsn, environment: 'production' };
  const isStaging = hostname.split('.').some((label) => /^staging\b|\bstaging$/.test(label));
  return { dsn: sentryDsn, environment: isStaging ? 'staging' : 'development' };
}

/** Returns the HTML tag that passes these settings to a page's scripts. */
export function errorReportingTag(reporting: ErrorReporting | null): string {
  if (reporting === null) return '';
  const dsn = reporting.dsn.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<meta name="error-reporting" content="${dsn}" data-environment="${reporting.environment}">`;
}
