import { isIP } from 'node:net';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True if a `Host` header names this server: its public host, localhost, or any IP address.
 * Prevents DNS rebinding, in which a web page uses its own host name for this server.
 */
export function isOurHost(host: string | undefined, publicUrl: string): boolean {
  const hostname = URL.parse(`http://${host ?? ''}`)?.hostname ?? '';
  return isOurName(hostname, publicUrl) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** True if a request comes from a page of this site, or not from a web page at all. */
export function isOurOrigin(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && isOurName(from.hostname, publicUrl);
}

function isOurName(hostname: string, publicUrl: string): boolean {
  return hostname !== '' && (hostname === new URL(publicUrl).hostname || LOCAL_NAMES.has(hostname));
}
