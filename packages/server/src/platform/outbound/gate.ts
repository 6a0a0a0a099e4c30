import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildConnector } from 'undici';
import type { AllowedHosts } from './allowed-hosts.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';
import { type Network, refusedAddress, refusedName } from './refusals.ts';

/** One address of a host, as a resolver gives it; `family` is 4 or 6. */
export type ResolvedAddress = { address: string; family: number };

/** Looks a name up; every address of it. Fails with Node's DNS error codes. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>;

/** Looks a name up as the operating system does, hosts file included. */
export const resolveBySystem: ResolveHost = (hostname) => lookup(hostname, { all: true });

/**
 * The addresses to which a connection for this host and port may be opened. Throws an `OutboundError` when the host leads
 * to even one address that may not be called: a name with a public and a private address is an attack or a mistake.
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

/** Where a host leads that may be called, as far as its name can be looked up within the time. */
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
 * How undici opens sockets here. The name is resolved once, the result is checked, and exactly that result is connected
 * to: a name that answers differently a moment later (DNS rebinding) gains nothing.
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
    // Node asks for no lookup of a literal address, so the check of one must come before the socket.
    if (parseAddress(options.hostname) === null) connect(options, callback);
    else {
      resolved.then(
        () => connect(options, callback),
        (error: Error) => callback(error, null),
      );
    }
  };
}
