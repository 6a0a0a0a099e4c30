import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { ERROR_REPORTING_PLACE, PRODUCTION_HOST_PLACE, SITE_ORIGIN } from '@winnow/contract/site';
import { type ErrorReporting, errorReportingTag } from './error-reporting.ts';
import { createOnce, type PrecompressedFile, precompress } from './precompressed.ts';

/** A page of the web build, held in memory. */
export interface SitePage {
  body: string;
  /** Returns the compressed page. Compresses it at the first request. */
  file: () => Promise<PrecompressedFile>;
}

/** Creates a page from its HTML or text. */
export function sitePage(body: string, type: string): SitePage {
  return { body, file: createOnce(() => precompress(body, type)) };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Settings of this site that are inserted into its pages. */
export interface SiteFacts {
  publicUrl: string;
  errorReporting: ErrorReporting | null;
  /** Host name that the console labels as production; null if there is none. */
  productionHost: string | null;
}

/**
 * Reads the pages of the web build, and the files for search engines, and inserts the settings of
 * this site. Returns them by path, such as `pricing/index.html`.
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

/**
 * Returns the HTML tag with the production host. A host name contains no characters that need
 * escaping.
 */
function productionHostTag(host: string | null): string {
  return host === null ? '' : `<meta name="production-host" content="${host}">`;
}

/**
 * Returns the hash of the inline script in the pages, for the content policy. That script sets the
 * color scheme before the page renders. Returns null without a web build.
 */
export function inlineScriptOf(root: string): string | null {
  const file = join(root, 'theme.js');
  if (!existsSync(file)) return null;
  return `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
}

/**
 * Returns the URL path of a file in the build: `/pricing` for `pricing/index.html`, and
 * `/robots.txt` for `robots.txt`.
 */
export function addressOf(file: string): string {
  return `/${file.replace(/(?:^|\/)index\.html$/, '')}`;
}
