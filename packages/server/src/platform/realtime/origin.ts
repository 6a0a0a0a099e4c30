const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * May a page of this `Origin` open the live channel of the server at `publicUrl`? Only one of the same origin; the names
 * of the own machine count as one, since people type any of them. A client that is no browser sends no origin and may.
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
