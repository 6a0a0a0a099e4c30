const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True if a page with this `Origin` header may open the live channel of the server at `publicUrl`.
 * Only the server's own origin may. All names of the local machine count as the same origin. A
 * client without the header is not a browser, and is allowed.
 */
export function isOwnOrigin(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const own = new URL(publicUrl);
  if (from.origin === own.origin) return true;
  return (
    LOOPBACK.has(from.hostname) &&
    LOOPBACK.has(own.hostname) &&
    from.protocol === own.protocol &&
    from.port === own.port
  );
}
