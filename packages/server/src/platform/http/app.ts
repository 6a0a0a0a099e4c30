import type { IncomingMessage, ServerResponse } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { type FastifyBaseLogger, type FastifyInstance, fastify, type RawServerDefault } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { notFound } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { noteAllowedMethods } from './allowed-methods.ts';
import { registerApiDescription } from './api-description/register.ts';
import { answerClientError } from './client-error.ts';
import { createErrorAnswer, type IsConnectionError } from './error-answer.ts';
import type { ErrorReporting } from './error-reporting.ts';
import { stopGracefully } from './graceful-stop.ts';
import { readOnlyJson } from './json-body.ts';

import { type RateLimit, registerRateLimit } from './rate-limit.ts';
import { requestIdOf } from './request-id.ts';
import { RequestLog } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';
import { addressToServe, isApi, registerSite, type SiteOptions, wantsPage } from './site.ts';
import { inlineScriptOf } from './site-pages.ts';

/** The HTTP application; routes added to it are typed by their zod schemas. */
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
  /** Where people reach the server, such as `https://winnow.example.com`. */
  publicUrl: string;
  version: string;
  /**
   * Whose `X-Forwarded-For` counts: nobody's (false), that of so many proxies in front, or that of proxies at these
   * addresses and CIDR ranges.
   */
  trustProxy: false | number | string[];
  isConnectionError: IsConnectionError;
  /** The built web, when this process serves it. */
  site?: SiteOptions | undefined;
  /** How the pages report errors; default: not at all. */
  errorReporting?: ErrorReporting | null;
  /** The host that the console calls production. */
  productionHost?: string | null;
  /** Per address (IPv6: per /64 network), over the API's routes without a limit of their own. Default 3 000 a minute. */
  rateLimit?: RateLimit | undefined;
  /** Default 1 MB; a route overrides it with `bodyLimit`. */
  bodyLimitBytes?: number | undefined;
  /** How long requests that are being answered may go on once the server stops. Default 10 s. */
  closeGraceMs?: number | undefined;
};

/** What TCP sends before it waits for the other side (ten segments): less than that arrives no sooner when compressed. */
const FIRST_FLIGHT_BYTES = 14_600;
/** GitLab group paths are long, and an issue key begins with one. */
const LONGEST_PARAMETER = 500;
/** The comments of a request for a demo, each character as an escape, are half of it. */
const OPEN_BODY_LIMIT_BYTES = 64 * 1024;
const ROUTER = { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER };

/**
 * The application with everything that holds for all routes: ids, limits, headers, compression, validation both ways, the
 * error shape, the API description, a graceful stop. Await it before adding routes: its hooks see only later ones.
 * Routes are the same with and without a trailing slash, and a repeated query parameter is an array.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const answerError = createErrorAnswer(options.isConnectionError);
  const app: App = fastify({
    loggerInstance: options.log,
    logController: new RequestLog(),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: typeof options.trustProxy === 'number' ? hops(options.trustProxy) : options.trustProxy,
    bodyLimit: options.bodyLimitBytes ?? 1024 * 1024,
    requestTimeout: 60_000,
    return503OnClosing: false,
    routerOptions: ROUTER,
    rewriteUrl: (request) => addressToServe(request.url ?? '/'),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      answerError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerError);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  const { publicUrl, errorReporting = null, productionHost = null } = options;
  const inlineScript = options.site === undefined ? null : inlineScriptOf(options.site.root);
  await app.register(helmet, securityHeaders(publicUrl, errorReporting, inlineScript));
  limitOpenBodies(app);
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
  for (const path of options.site?.clientRoutes ?? []) {
    allowedMethods.add('GET', path);
    allowedMethods.add('HEAD', path);
  }
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    if (allowedMethods.refuse(request, reply)) return;
    if (site === null || !wantsPage(request)) throw notFound();
    return site.answerUnknown(request, reply);
  });
  return app;
}

/** A caller without a token may send what a form has, unless the route says more: reading JSON takes time. */
function limitOpenBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.schema?.security?.length === 0) route.bodyLimit ??= OPEN_BODY_LIMIT_BYTES;
  });
}

/** Trusts the last `count` addresses of the chain that ends at the connection. */
function hops(count: number) {
  return (_address: string, hop: number) => hop < count;
}
