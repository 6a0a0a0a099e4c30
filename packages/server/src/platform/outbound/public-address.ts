import ipaddr from 'ipaddr.js';

/**
 * Parses an IP address in the notations that Node and `URL.hostname` produce: dotted quad, IPv6, or
 * IPv6 in brackets. Returns null for other notations (octal, a single number, missing parts), which
 * `URL` never produces.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (ipaddr.IPv6.isValid(bare)) return ipaddr.IPv6.parse(bare);
  return null;
}

/** Addresses of cloud metadata services within public ranges (Azure's wire server). */
const CLOUD_SERVICES = new Set(['168.63.129.16']);

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * True for an address of the public internet. The ranges come from the IANA special-purpose
 * registries, through `ipaddr.js`.
 *
 * False for private, loopback, link-local (including cloud metadata), carrier NAT, multicast,
 * documentation, benchmarking, reserved and unspecified addresses. Also false for an IPv6 address
 * that contains an IPv4 address (mapped, compatible, 6to4, Teredo), and for text that is not an
 * address.
 *
 * Exception: for NAT64 (RFC 6052, well-known prefix only), the result is that of the contained IPv4
 * address. Public hosts have such addresses on an IPv6-only network.
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
