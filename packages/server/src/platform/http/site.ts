import { existsSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { sendPrecompressed } from './precompressed.ts';
import { addressOf, readSitePages, type SiteFacts, type SitePage, sitePage } from './site-pages.ts';

export type SiteOptions = {
  /** Absolute path of the built web. */
  root: string;
  /** Paths whose pages the client draws, such as `/login`; `/console/*` is `/console` and all that lies below it. */
  clientRoutes: readonly string[];
  /** The file that starts the client on those paths, such as `console.html`. */
  clientPage: string;
};

export type Site = {
  /** Answers a page navigation for which there is no file: the client's page on its own paths, else a real 404 page. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

/** The bundler puts a hash of the content into the name of every file in here, so a name never changes its content. */
const HASHED_FOLDER = 'assets';
const YEAR_SECONDS = 31_536_000;
const NOT_FOUND_PAGE = '404.html';
/** No file of the build has a longer path. */
const LONGEST_PAGE_PATH = 160;

/**
 * Serves the built web: hashed files as immutable, pages revalidated at each visit and with this site's address in them,
 * `.br` and `.gz` neighbours where they are, nothing outside the folder and no dot files. Without a build, `/` says how to
 * make one.
 */
export async function registerSite(app: App, options: SiteOptions, facts: SiteFacts): Promise<Site> {
  if (!existsSync(join(options.root, NOT_FOUND_PAGE))) return notBuilt(app);
  const pages = readSitePages(options.root, facts);
  const unknownPage = pageOf(pages, NOT_FOUND_PAGE);
  const clientPage = pageOf(pages, options.clientPage);

  await app.register(fastifyStatic, {
    root: options.root,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    logLevel: 'warn',
    allowedPath: (path) => !isApi(path) && extname(path) !== '.html',
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
    answerUnknown(request, reply) {
      const path = `${pathOf(request.url).replace(/\/+$/, '')}/`;
      const drawnByClient = options.clientRoutes.some((route) =>
        route.endsWith('/*') ? path.startsWith(route.slice(0, -1)) : path === `${route}/`,
      );
      return drawnByClient
        ? sendPage(request, reply, 200, clientPage)
        : sendPage(request, reply, 404, unknownPage);
    },
  };
}

/** Is this a path of the API, where every answer is JSON, rather than one of a page? */
export function isApi(url: string): boolean {
  return /^\/(?:api|mcp|healthz|readyz|metrics)(?:\/|$)/.test(pathOf(url));
}

/** Does a person's browser ask for a page here? */
export function wantsPage(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && !isApi(request.url) && (request.headers.accept ?? '').includes('text/html');
}

/**
 * Where a request is to be looked for: at its own address. Only a page's address that the router would not take (too
 * long, or with percent signs that stand for no text) is cut and read as it is written, so that it is a page like any
 * other, mostly an unknown one. An API call with such an address stays malformed.
 */
export function addressToServe(url: string): string {
  return isApi(url) || isReadable(url) ? url : url.slice(0, LONGEST_PAGE_PATH).replaceAll('%', '%25');
}

function isReadable(url: string): boolean {
  const path = pathOf(url);
  if (path.length > LONGEST_PAGE_PATH || url.includes('%00')) return false;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

function notBuilt(app: App): Site {
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
  return { answerUnknown: (request, reply) => sendPage(request, reply, 503, said) };
}

/** @throws Error when the build lacks the file. */
function pageOf(pages: ReadonlyMap<string, SitePage>, file: string): SitePage {
  const page = pages.get(file);
  if (page === undefined) throw new Error(`The built web has no ${file}. Build it again.`);
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
