import ipaddr from 'ipaddr.js';

/**
 * Parses an address as Node and `URL.hostname` write it: dotted quad, IPv6, or IPv6 in brackets.
 * Returns null for other notations (octal, a single number, missing parts), which `URL` never
 * produces.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (ipaddr.IPv6.isValid(bare)) return ipaddr.IPv6.parse(bare);
  return null;
}

/** Cloud metadata addresses inside public ranges (Azure's wire server). */
const CLOUD_SERVICES = new Set(['168.63.129.16']);

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * True for an address of the public internet.
 *
 * False for private, loopback, link-local (including cloud metadata), carrier NAT, multicast,
 * documentation, benchmarking, reserved and unspecified addresses. Also false for IPv6 forms that
 * wrap an IPv4 address (mapped, compatible, 6to4, Teredo), and for text that is not an address.
 * With NAT64 (RFC 6052, well-known prefix only), the wrapped address decides, since public hosts
 * look like that on an IPv6-only network. Ranges: IANA special-purpose registries, from
 * `ipaddr.js`.
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
