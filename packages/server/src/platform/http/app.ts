import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RawServerDefault,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { notFound } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { noteAllowedMethods } from './allowed-methods.ts';
import { registerApiDescription } from './api-description/register.ts';
import { BODY_LIMIT_BYTES } from './body-limits.ts';
import { respondToClientError } from './client-error.ts';
import type { ErrorReporting } from './error-reporting.ts';
import { createErrorHandler, type IsConnectionError } from './error-response.ts';
import { hasLargeBody } from './failure-limit.ts';
import { stopGracefully } from './graceful-stop.ts';
import { readOnlyJson } from './json-body.ts';
import { type RateLimit, registerRateLimit } from './rate-limit.ts';
import { RequestLog } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';
import { addressToServe, isApi, registerSite, type SiteOptions, wantsPage } from './site.ts';
import { inlineScriptOf } from './site-pages.ts';

/** The HTTP application. Its routes are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type AppOptions = {
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** Public address of the server, such as `https://winnow.example.com`. */
  publicUrl: string;
  version: string;
  /**
   * Proxies whose `X-Forwarded-For` header is trusted: none (false), a number of proxies, or a list
   * of addresses and CIDR ranges.
   */
  trustProxy: false | number | string[];
  isConnectionError: IsConnectionError;
  /** The web build, if this process serves it. */
  site?: SiteOptions | undefined;
  /** Error reporting of the pages. Default: pages do not report errors. */
  errorReporting?: ErrorReporting | null;
  /** Host name that the console labels as production. */
  productionHost?: string | null;
  /**
   * Limit per address (IPv6: per /64 network). Counts requests to all API routes without a separate
   * limit. Default: 3,000 per minute.
   */
  rateLimit?: RateLimit | undefined;
  /** Time that pending requests get to finish when the server stops. Default 10 s. */
  closeGraceMs?: number | undefined;
};

/**
 * Minimum size of a response that is compressed. TCP sends up to ten segments before the first
 * acknowledgement, so compressing a smaller response saves no time.
 */
const FIRST_FLIGHT_BYTES = 14_600;
/**
 * Maximum length of a URL parameter. In GitLab, an issue key begins with the path of its group,
 * which can be long.
 */
const MAX_PARAMETER_CHARS = 500;
const ROUTER = { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARS };

/**
 * Creates the application with everything that applies to all routes: ids, limits, headers,
 * compression, validation, errors, API description and graceful stop. Await it before adding
 * routes, since its hooks apply only to routes added later.
 *
 * Trailing slashes of paths are ignored. A repeated query parameter becomes an array.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const handleError = createErrorHandler(options.isConnectionError);
  const app: App = fastify({
    loggerInstance: options.log,
    logController: new RequestLog(),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: typeof options.trustProxy === 'number' ? hops(options.trustProxy) : options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES.anonymous,
    requestTimeout: 60_000,
    return503OnClosing: false,
    routerOptions: ROUTER,
    rewriteUrl: (request) => addressToServe(request.url ?? '/'),
    clientErrorHandler: respondToClientError,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      handleError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  const { publicUrl, errorReporting = null, productionHost = null } = options;
  const inlineScript = options.site === undefined ? null : inlineScriptOf(options.site.root);
  await app.register(helmet, securityHeaders(publicUrl, errorReporting, inlineScript));
  stopGracefully(app, options.closeGraceMs ?? 10_000);
  readOnlyJson(app);
  app.addHook('onSend', async (request, reply) => {
    if (isApi(request.url) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    options.metrics.requestDuration.observe(labels, reply.elapsedTime / 1000);
  });
  await registerRateLimit(app, options.rateLimit ?? { max: 3_000, windowMs: 60_000 });
  await app.register(cookie);
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: FIRST_FLIGHT_BYTES,
  });
  const allowedMethods = noteAllowedMethods(app, ROUTER);
  registerApiDescription(app, options);
  const site =
    options.site === undefined
      ? null
      : await registerSite(app, options.site, { publicUrl, errorReporting, productionHost });
  if (site !== null) allowedMethods.addReads(site.serves);
  function respondWithoutRoute(request: FastifyRequest, reply: FastifyReply) {
    if (allowedMethods.refuse(request, reply)) return reply;
    if (site === null || !wantsPage(request)) throw notFound();
    return site.sendUnknownPage(request, reply);
  }
  const limit = app.rateLimit();
  // Responds in a hook because the framework calls the handler for unknown paths only after parsing
  // the body.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    // Closes the connection after refusing a large body. Reading 1 MB just to discard it would take
    // 3 ms.
    if (hasLargeBody(request)) reply.header('connection', 'close');
    await limit.call(app, request, reply);
    return respondWithoutRoute(request, reply);
  });
  // The wildcard route of static files matches every path. It calls this handler only for missing
  // files.
  app.setNotFoundHandler(respondWithoutRoute);
  return app;
}

/** Trusts `count` proxies: the last `count` addresses in the forwarding header. */
function hops(count: number) {
  return (_address: string, hop: number) => hop < count;
}

const PLAIN_ID = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * Returns the `x-request-id` that the caller or a proxy sent if it is short and plain, else a new
 * id.
 */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && PLAIN_ID.test(given) ? given : randomUUID();
}
