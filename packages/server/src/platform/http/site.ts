import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

export type SiteOptions = {
  /** Absolute path of the built web. */
  root: string;
  /** Paths whose pages the client draws, such as `/login`; `/console/*` is `/console` and all that lies below it. */
  clientRoutes: readonly string[];
  /** The file that starts the client on those paths. Default `index.html`. */
  clientPage?: string | undefined;
};

export type Site = {
  /** Answers a page navigation for which there is no file: the client's page on its own paths, else a real 404 page. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): void;
};

/** The bundler puts a hash of the content into the name of every file in here, so a name never changes its content. */
const HASHED_FOLDER = 'assets';
const YEAR_SECONDS = 31_536_000;
/** No file of the build has a longer path. */
const LONGEST_PAGE_PATH = 160;

/**
 * Serves the built web: hashed files as immutable, pages revalidated at each visit, `.br` and `.gz` neighbours where they
 * are, nothing outside the folder and no dot files. Without a build, `/` says how to make one.
 */
export async function registerSite(app: App, options: SiteOptions): Promise<Site> {
  const clientPage = options.clientPage ?? 'index.html';
  if (!existsSync(join(options.root, clientPage))) return notBuilt(app);

  await app.register(fastifyStatic, {
    root: options.root,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    logLevel: 'warn',
    allowedPath: (path) => !isApi(path),
    setHeaders: (reply, path) => {
      const [folder] = relative(options.root, path).split(sep);
      reply.header(
        'cache-control',
        folder === HASHED_FOLDER ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      );
    },
  });
  const unknownPage = readFileSync(join(options.root, '404.html'), 'utf8');
  return {
    answerUnknown(request, reply) {
      const path = `${pathOf(request.url).replace(/\/+$/, '')}/`;
      const drawnByClient = options.clientRoutes.some((route) =>
        route.endsWith('/*') ? path.startsWith(route.slice(0, -1)) : path === `${route}/`,
      );
      if (drawnByClient) reply.sendFile(clientPage);
      else sendPage(reply, 404, unknownPage);
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
  const said = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not built yet · Winnow</title></head>
<body style="font-family: system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>The web pages are not built yet</h1>
<p>Start with <code>npm start</code>, which builds them first, and load this page again.</p>
<p>The API works meanwhile; <a href="/api/docs">its reference</a> is here.</p>
</body>
</html>
`;
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendPage(reply, 503, said));
  return { answerUnknown: (_request, reply) => sendPage(reply, 503, said) };
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html);
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
