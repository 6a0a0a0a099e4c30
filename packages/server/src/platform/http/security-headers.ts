import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { ErrorReporting } from './error-reporting.ts';

/** The only site whose frames the public pages may show: its player that sets no cookies. */
const VIDEO_ORIGIN = 'https://www.youtube-nocookie.com';

/**
 * The headers of every answer. Scripts run only from our own files, but for the one whose hash is given (such as
 * `sha256-…`); styles may stand inline, since the component library writes them there. Pages call this server, and the
 * one they report errors to.
 */
export function securityHeaders(
  publicUrl: string,
  reporting: ErrorReporting | null,
  inlineScript: string | null,
): FastifyHelmetOptions {
  const secure = publicUrl.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...(inlineScript === null ? [] : [`'${inlineScript}'`])],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: [
          "'self'",
          liveOriginOf(publicUrl),
          ...(reporting === null ? [] : [new URL(reporting.dsn).origin]),
        ],
        frameAncestors: ["'none'"],
        frameSrc: [VIDEO_ORIGIN],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  };
}

/** The API reference's own policy: nothing but its own files, and calls to this server. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `'self'` does not cover WebSocket in every browser still in use, so its origin is named. */
function liveOriginOf(publicUrl: string): string {
  const { protocol, host } = new URL(publicUrl);
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
}
