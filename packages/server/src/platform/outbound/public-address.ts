import ipaddr from 'ipaddr.js';

/**
 * Reads an address as Node and `URL.hostname` write it: dotted quad, IPv6, or IPv6 in brackets. Other notations
 * (octal, one decimal number, missing parts) are not addresses here: `URL` has already turned them into a dotted quad.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (ipaddr.IPv6.isValid(bare)) return ipaddr.IPv6.parse(bare);
  return null;
}

/** Addresses inside public ranges at which a cloud answers its own machines (Azure's wire server). */
const CLOUD_SERVICES = new Set(['168.63.129.16']);

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Is this an address of the public internet? False for private, loopback, link-local (cloud metadata among it), carrier
 * NAT, multicast, documentation, benchmarking, reserved and unspecified ones, for every IPv6 form that wraps an IPv4
 * address (mapped, compatible, 6to4, Teredo), and for anything that is no address. NAT64 (RFC 6052, the well-known
 * prefix only) is what public hosts look like on an IPv6-only network, so there the wrapped address decides.
 * Ranges: the IANA special-purpose registries, as `ipaddr.js` keeps them.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null) return false;
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && !CLOUD_SERVICES.has(address.toString());
  }
  if (address.zoneId !== undefined) return false;
  if (address.match(NAT64)) {
    return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)).toString());
  }
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}
