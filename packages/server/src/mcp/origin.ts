import { isIP } from 'node:net';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a `Host` header names us: the address of the site, this machine, or an address in digits. A page that has its own
 * name lead to us (DNS rebinding) sends that name.
 */
export function isOurHost(host: string | undefined, publicUrl: string): boolean {
  const hostname = URL.parse(`http://${host ?? ''}`)?.hostname ?? '';
  return isOurName(hostname, publicUrl) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** Whether a request comes from no page, or from one of ours. */
export function isOurOrigin(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && isOurName(from.hostname, publicUrl);
}

function isOurName(hostname: string, publicUrl: string): boolean {
  return hostname !== '' && (hostname === new URL(publicUrl).hostname || LOCAL_NAMES.has(hostname));
}
