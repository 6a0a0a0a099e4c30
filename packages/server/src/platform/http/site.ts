import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { sendPrecompressed } from './precompressed.ts';
import { addressOf, readSitePages, type SiteFacts, type SitePage, sitePage } from './site-pages.ts';

export type SiteOptions = {
  /** Absolute path of the web build. */
  root: string;
  /**
   * Paths of pages that the browser renders, such as `/login`. `/console/*` includes `/console` and
   * everything below it.
   */
  clientRoutes: readonly string[];
  /**
   * Page that is served for all paths in `clientRoutes`, such as `console.html`. It starts the
   * client application.
   */
  clientPage: string;
};

export type Site = {
  /**
   * True for a path that has no registered route, but is a file or a page rendered by the browser.
   */
  serves: (path: string) => boolean;
  /**
   * Responds to a request for a page that is not a file: with the client page for a client path,
   * else with the 404 page.
   */
  sendUnknownPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

/**
 * Folder whose file names contain a hash of their content. Browsers may cache these files forever.
 */
const HASHED_FOLDER = 'assets';
const YEAR_SECONDS = 31_536_000;
const NOT_FOUND_PAGE = '404.html';
/** Maximum length of a page path. Every path of the build is shorter. */
const MAX_PAGE_PATH_CHARS = 160;

/**
 * Serves the web build. Files with a hash in their name are cached forever. Pages contain the
 * settings of this site, and browsers revalidate them at each visit.
 *
 * Sends the `.br` or `.gz` variant of a file if it exists. Serves no dot files and no files outside
 * the folder. Without a build, every page explains how to create one.
 */
export async function registerSite(app: App, options: SiteOptions, facts: SiteFacts): Promise<Site> {
  if (!existsSync(join(options.root, NOT_FOUND_PAGE))) return notBuilt(app, options.clientRoutes);
  const pages = readSitePages(options.root, facts);
  const unknownPage = pageOf(pages, NOT_FOUND_PAGE);
  const clientPage = pageOf(pages, options.clientPage);
  const files = readFileAddresses(options.root);

  await app.register(fastifyStatic, {
    root: options.root,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    logLevel: 'warn',
    // Paths that are not in the build are not looked up on disk.
    allowedPath: (path) => files.has(decoded(path)),
    setHeaders: (reply, path) => {
      const [folder] = relative(options.root, path).split(sep);
      reply.header(
        'cache-control',
        folder === HASHED_FOLDER ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      );
    },
  });
  for (const [file, page] of pages) {
    if (page === unknownPage || page === clientPage) continue;
    app.get(addressOf(file), { schema: { hide: true } }, (request, reply) =>
      sendPage(request, reply, 200, page),
    );
  }
  return {
    serves: (path) => isClientRoute(path, options.clientRoutes) || files.has(decoded(path)),
    sendUnknownPage(request, reply) {
      return isClientRoute(pathOf(request.url), options.clientRoutes)
        ? sendPage(request, reply, 200, clientPage)
        : sendPage(request, reply, 404, unknownPage);
    },
  };
}

function isClientRoute(path: string, clientRoutes: readonly string[]): boolean {
  const folder = `${path.replace(/\/+$/, '')}/`;
  return clientRoutes.some((route) =>
    route.endsWith('/*') ? folder.startsWith(route.slice(0, -1)) : folder === `${route}/`,
  );
}

/**
 * Returns the URL paths of all files that are served unmodified: all files except pages and dot
 * files.
 */
function readFileAddresses(root: string): ReadonlySet<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) =>
    entry.isFile() ? [relative(root, join(entry.parentPath, entry.name)).split(sep)] : [],
  );
  return new Set(
    files
      .filter(
        (parts) => extname(parts.at(-1) ?? '') !== '.html' && !parts.some((part) => part.startsWith('.')),
      )
      .map((parts) => `/${parts.join('/')}`),
  );
}

/** Decodes a URL path. Returns a path with invalid percent sequences unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** True for a path of the API, health routes or metrics. Their responses are never pages. */
export function isApi(url: string): boolean {
  return /^\/(?:api|mcp|healthz|readyz|metrics)(?:\/|$)/.test(pathOf(url));
}

/** True if a browser requests a page, and not a file or data. */
export function wantsPage(request: FastifyRequest): boolean {
  const { method, url, headers } = request;
  return isRead(method) && !isApi(url) && (headers.accept ?? '').includes('text/html');
}

/** True for methods that only read: GET and HEAD. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns the address by which to route a request, usually unchanged.
 *
 * The router would reject a page address that is too long or malformed. Such an address is
 * truncated and escaped, so that its caller gets the usual 404 page. Malformed API addresses stay
 * unchanged.
 */
export function addressToServe(url: string): string {
  return isApi(url) || isReadable(url) ? url : url.slice(0, MAX_PAGE_PATH_CHARS).replaceAll('%', '%25');
}

function isReadable(url: string): boolean {
  const path = pathOf(url);
  if (path.length > MAX_PAGE_PATH_CHARS || url.includes('%00')) return false;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

function notBuilt(app: App, clientRoutes: readonly string[]): Site {
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not built yet · Winnow</title></head>
<body style="font-family: system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>The web pages are not built yet</h1>
<p>Start with <code>npm start</code>, which builds them first, and load this page again.</p>
<p>The API works meanwhile; <a href="/api/docs">its reference</a> is here.</p>
</body>
</html>
`;
  const said = sitePage(body, 'text/html; charset=utf-8');
  app.get('/', { schema: { hide: true } }, (request, reply) => sendPage(request, reply, 503, said));
  return {
    serves: (path) => isClientRoute(path, clientRoutes),
    sendUnknownPage: (request, reply) => sendPage(request, reply, 503, said),
  };
}

/** @throws {Error} if the build has no such file */
function pageOf(pages: ReadonlyMap<string, SitePage>, file: string): SitePage {
  const page = pages.get(file);
  if (page === undefined) throw new Error(`The web build has no ${file}. Build it again.`);
  return page;
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { file }: SitePage,
): Promise<FastifyReply> {
  return sendPrecompressed(request, reply, await file(), 'no-cache', status);
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
