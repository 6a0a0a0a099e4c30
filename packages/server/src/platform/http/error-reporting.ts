import type { Config } from '../config.ts';

/** Where browsers report errors of the pages, and as which environment. */
export interface ErrorReporting {
  dsn: string;
  environment: 'production' | 'staging' | 'development';
}

/** How errors are reported on the site at `publicUrl`; null when no place for them is configured. */
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

/** What tells a page's script about it. */
export function errorReportingTag(reporting: ErrorReporting | null): string {
  if (reporting === null) return '';
  const dsn = reporting.dsn.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<meta name="error-reporting" content="${dsn}" data-environment="${reporting.environment}">`;
}
