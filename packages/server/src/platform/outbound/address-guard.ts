import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildConnector } from 'undici';
import type { AllowedHosts } from './allowed-hosts.ts';
import { type Network, refusedAddress, refusedName } from './outbound-errors.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';

/** An address of a host; `family` is 4 or 6. */
export type ResolvedAddress = { address: string; family: number };

/** Resolves a host name to all its addresses. Rejects with Node's DNS error codes. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>;

/** Resolves a host name like the operating system does, including its hosts file. */
export const resolveBySystem: ResolveHost = (hostname) => lookup(hostname, { all: true });

/**
 * Resolves a host name, and returns its addresses if Winnow may connect to them. If the operator
 * allows the host name itself, returns all its addresses.
 *
 * Throws an `OutboundError` if even one address is forbidden, because a mix of public and private
 * addresses is an attack or a mistake.
 */
export async function permittedAddresses(
  target: { hostname: string; port: number },
  allowed: AllowedHosts,
  resolveHost: ResolveHost,
): Promise<ResolvedAddress[]> {
  const { hostname, port } = target;
  const literal = parseAddress(hostname);
  if (literal !== null) {
    const address = literal.toString();
    const family = literal.kind() === 'ipv4' ? 4 : 6;
    if (allowed.allowsName(hostname, port) || allowed.allowsAddress(address, port))
      return [{ address, family }];
    throw refusedAddress(family === 6 ? `[${address}]:${port}` : `${address}:${port}`);
  }
  if (allowed.allowsName(hostname, port)) return resolveHost(hostname);
  const addresses = await resolveHost(hostname).catch((error: unknown) => {
    throw isUnknownName(error) ? refusedName(hostname, error) : error;
  });
  const refused = addresses.find(({ address }) => !allowed.allowsAddress(address, port));
  if (refused !== undefined) throw refusedName(hostname, refusedAddress(`${refused.address}:${port}`));
  return addresses;
}

/**
 * Returns `private` if the host has an address that is not public, else `public`. A name that
 * cannot be resolved in time counts as public.
 */
export async function networkOf(
  hostname: string,
  resolveHost: ResolveHost,
  timeoutMs: number,
): Promise<Network> {
  const literal = parseAddress(hostname);
  if (literal !== null) return isPublicAddress(hostname) ? 'public' : 'private';
  const found = resolveHost(hostname).catch((): ResolvedAddress[] => []);
  const addresses = await Promise.race([found, pause(timeoutMs, [], { ref: false })]);
  return addresses.every(({ address }) => isPublicAddress(address)) ? 'public' : 'private';
}

function isUnknownName(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
  );
}

/**
 * Opens the sockets for the HTTP client undici. Resolves the host name once, checks the addresses,
 * and connects to exactly those addresses. This prevents DNS rebinding, an attack in which a name
 * resolves to another address after the check.
 */
export function guardedConnector(
  allowed: AllowedHosts,
  resolveHost: ResolveHost,
  connectTimeoutMs: number,
): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    const resolved = permittedAddresses({ hostname: options.hostname, port }, allowed, resolveHost);
    const lookupChecked: LookupFunction = (_hostname, lookupOptions, done) => {
      resolved.then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined) done(new Error(`No address for ${options.hostname}`), '');
          else if (lookupOptions.all === true) done(null, addresses);
          else done(null, first.address, first.family);
        },
        (error: Error) => done(error, ''),
      );
    };
    const connect = buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      lookup: lookupChecked,
    });
    // Node resolves no name if the host is an IP address. Such a host is checked here, before
    // connecting.
    if (parseAddress(options.hostname) === null) connect(options, callback);
    else {
      resolved.then(
        () => connect(options, callback),
        (error: Error) => callback(error, null),
      );
    }
  };
}
