import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { ErrorReporting } from './error-reporting.ts';

/** The only other site that public pages may embed: YouTube's player without cookies. */
const VIDEO_ORIGIN = 'https://www.youtube-nocookie.com';

/**
 * Returns the headers of every response. Scripts must be our own files or have the given hash
 * (`sha256-…`). Inline styles are allowed, because the component library needs them. Pages may
 * connect only to this server and to the error reporting server.
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

/**
 * Content policy for the API reference. It may load only its own files and call only this server.
 */
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

/**
 * Returns the WebSocket origin of this server for the content policy, because `'self'` does not
 * include it in some browsers.
 */
function liveOriginOf(publicUrl: string): string {
  const { protocol, host } = new URL(publicUrl);
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
}
