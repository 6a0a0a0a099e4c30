import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { ERROR_REPORTING_PLACE, PRODUCTION_HOST_PLACE, SITE_ORIGIN } from '@winnow/contract/site';
import { type ErrorReporting, errorReportingTag } from './error-reporting.ts';
import { once, type PrecompressedFile, precompress } from './precompressed.ts';

/** A text of the built site that is kept in memory, complete. */
export interface SitePage {
  body: string;
  /** The same, compressed when it is first asked for. */
  file: () => Promise<PrecompressedFile>;
}

/** A page of this text. */
export function sitePage(body: string, type: string): SitePage {
  return { body, file: once(() => precompress(body, type)) };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** What the pages of a site say of it. */
export interface SiteFacts {
  publicUrl: string;
  errorReporting: ErrorReporting | null;
  /** The host that the console calls production; null without one. */
  productionHost: string | null;
}

/**
 * The pages of the built site (and what search engines read) by their file, such as `pricing/index.html`, with the
 * facts of this site put in.
 */
export function readSitePages(
  root: string,
  { publicUrl, errorReporting, productionHost }: SiteFacts,
): Map<string, SitePage> {
  const { origin } = new URL(publicUrl);
  const pages = new Map<string, SitePage>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined || entry.name.startsWith('.')) continue;
    const path = join(entry.parentPath, entry.name);
    const body = readFileSync(path, 'utf8')
      .replaceAll(SITE_ORIGIN, origin)
      .replace(ERROR_REPORTING_PLACE, () => errorReportingTag(errorReporting))
      .replace(PRODUCTION_HOST_PLACE, () => productionHostTag(productionHost));
    pages.set(relative(root, path).split(sep).join('/'), sitePage(body, type));
  }
  return pages;
}

/** A host's name has no character that HTML would read as its own. */
function productionHostTag(host: string | null): string {
  return host === null ? '' : `<meta name="production-host" content="${host}">`;
}

/**
 * The hash of the script that stands in the pages themselves, as a policy names it: it sets the color scheme before
 * anything is drawn. Null without a build.
 */
export function inlineScriptOf(root: string): string | null {
  const file = join(root, 'theme.js');
  if (!existsSync(file)) return null;
  return `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
}

/** Where a page's file is asked for: `/pricing` for `pricing/index.html`, `/robots.txt` for itself. */
export function addressOf(file: string): string {
  return `/${file.replace(/(?:^|\/)index\.html$/, '')}`;
}
