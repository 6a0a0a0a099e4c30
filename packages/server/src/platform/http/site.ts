import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

export type SiteOptions = {
  /** Absolute path of the built web. */
  root: string;
  /** Paths whose pages the client draws, such as `/console` and `/login`; each covers what lies below it. */
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
  const ownPage = join(options.root, '404.html');
  const unknownPage = existsSync(ownPage)
    ? readFileSync(ownPage, 'utf8')
    : page('Not found', 'There is no page at this address.');
  return {
    answerUnknown(request, reply) {
      const path = pathOf(request.url);
      const drawnByClient = options.clientRoutes.some(
        (route) => path === route || path.startsWith(`${route}/`),
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

function notBuilt(app: App): Site {
  const said = page(
    'The web pages are not built yet',
    'Start with <code>npm start</code>, which builds them first, and load this page again. The API works meanwhile; <a href="/api/docs">its reference</a> is here.',
  );
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendPage(reply, 503, said));
  return { answerUnknown: (_request, reply) => sendPage(reply, 503, said) };
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Winnow</title></head>
<body style="font-family: system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>${title}</h1>
<p>${body}</p>
<p><a href="/">Winnow</a></p>
</body>
</html>
`;
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
