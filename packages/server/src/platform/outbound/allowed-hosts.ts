import ipaddr from 'ipaddr.js';
import { isPublicAddress, parseAddress } from './public-address.ts';

/** Hosts and addresses that Winnow may call although they are private. */
export type AllowedHosts = {
  /**
   * True if the operator allows this host name at this port, regardless of its addresses. `host`
   * has the form of `URL.hostname`.
   */
  allowsName(host: string, port: number): boolean;
  /**
   * True if a connection to this address and port is allowed: the address is public, or an entry of
   * the operator allows it.
   */
  allowsAddress(address: string, port: number): boolean;
};

type Entry =
  | { kind: 'name'; name: string; port: number | null }
  | { kind: 'range'; range: [ipaddr.IPv4 | ipaddr.IPv6, number]; port: number | null };

/**
 * A host name in ASCII, or an IPv6 address in brackets. Patterns such as `*.example.org` are not
 * hosts.
 */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Parses the entries of `OUTBOUND_ALLOWED_HOSTS`. An entry is `host`, `host:port`, an address,
 * `address:port`, `[v6]:port`, or a CIDR range.
 *
 * A host name allows any address that the name resolves to. An address or range allows connections
 * to these addresses. Throws an Error for the operator if an entry is malformed.
 */
export function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  const parsed = entries
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
  return {
    allowsName(host, port) {
      const name = withoutTrailingDot(host.toLowerCase());
      return parsed.some((entry) => entry.kind === 'name' && entry.name === name && fits(entry, port));
    },
    allowsAddress(address, port) {
      if (isPublicAddress(address)) return true;
      const wanted = parseAddress(address);
      if (wanted === null) return false;
      return parsed.some(
        (entry) =>
          entry.kind === 'range' &&
          fits(entry, port) &&
          entry.range[0].kind() === wanted.kind() &&
          wanted.match(entry.range),
      );
    },
  };
}

function fits(entry: Entry, port: number): boolean {
  return entry.port === null || entry.port === port;
}

function parseEntry(text: string): Entry {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) {
    return { kind: 'range', range: ipaddr.parseCIDR(text), port: null };
  }
  const bare = parseAddress(text);
  if (bare !== null) return { kind: 'range', range: wholeAddress(bare), port: null };

  // The URL parser normalizes a host for comparison: lower case, punycode, standard notation of
  // addresses.
  const probe = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null;
  const beyondHost = probe === null ? null : `${probe.pathname}${probe.search}${probe.hash}${probe.username}`;
  if (probe === null || beyondHost !== '/' || !HOST.test(probe.hostname)) {
    throw new Error(
      `OUTBOUND_ALLOWED_HOSTS has the entry "${text}", which is not a host, host:port, address or CIDR range. Correct or remove it.`,
    );
  }
  const port = portOf(text);
  const address = parseAddress(probe.hostname);
  if (address !== null) return { kind: 'range', range: wholeAddress(address), port };
  return { kind: 'name', name: withoutTrailingDot(probe.hostname), port };
}

function portOf(text: string): number | null {
  const written = /:(\d+)$/.exec(text)?.[1];
  return written === undefined ? null : Number(written);
}

function wholeAddress(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function withoutTrailingDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
