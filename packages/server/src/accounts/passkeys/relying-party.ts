import { isIP } from 'node:net';

/** The site that passkeys belong to (WebAuthn). */
export interface RelyingParty {
  /** Host name that browsers bind passkeys to. */
  id: string;
  /** Origin of the pages that may use them. */
  origin: string;
}

const LOOPBACK_ADDRESSES: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/**
 * Returns the relying party of an installation. Browsers offer passkeys only to encrypted pages
 * with a host name, and to `localhost`. A loopback address therefore counts as `localhost`. Returns
 * null for any other IP address, and for an address without https.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl);
  if (LOOPBACK_ADDRESSES.has(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin, protocol } = url;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : null;
}
