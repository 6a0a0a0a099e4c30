import { AppError } from '../errors.ts';

/**
 * A call to another system failed. `detail` is a sentence for users. The only part of the URL that
 * it contains is the host.
 */
export class OutboundError extends AppError {
  readonly host: string;

  constructor(code: string, host: string, detail: string, cause?: unknown) {
    super({ code, category: 'upstream_failed', detail, cause });
    this.host = host;
  }
}

/** Thrown if the guard forbids calling the address. Nothing was sent. */
export class OutboundRefused extends OutboundError {
  constructor(host: string, detail: string) {
    super('outbound_refused', host, detail);
  }
}

/**
 * Creates the error for a private address. Its text names the setting that would allow the address.
 */
export function refusedAddress(hostAndPort: string): OutboundRefused {
  return new OutboundRefused(
    hostAndPort,
    `${hostAndPort} leads into a private or reserved network and is blocked unless the administrator allows it: add it to OUTBOUND_ALLOWED_HOSTS (host, host:port or a CIDR range) and restart.`,
  );
}

/**
 * Creates the error for a host name without a public address. Users must not learn whether the name
 * exists in a private network, so only the log contains that (`cause`).
 */
export function refusedName(host: string, cause: unknown): OutboundUnreachable {
  return new OutboundUnreachable(
    host,
    `No public host named ${host} was found. Check the spelling of the address. A host in a private network is only called if the administrator has added it to OUTBOUND_ALLOWED_HOSTS (host, host:port or a CIDR range) and restarted.`,
    cause,
  );
}

/** Thrown if the host did not respond in time. */
export class OutboundTimeout extends OutboundError {
  constructor(host: string, detail: string, cause?: unknown) {
    super('outbound_timeout', host, detail, cause);
  }
}

/**
 * Thrown if the host could not be reached: unknown name, closed port, untrusted certificate or
 * broken connection.
 */
export class OutboundUnreachable extends OutboundError {
  constructor(host: string, detail: string, cause?: unknown) {
    super('outbound_unreachable', host, detail, cause);
  }
}

/** Thrown if the response exceeds the size limit. */
export class OutboundTooLarge extends OutboundError {
  constructor(host: string, limitBytes: number) {
    super(
      'outbound_too_large',
      host,
      `${host} responded with more than ${Math.floor(limitBytes / 1024 / 1024) || 1} MB, which exceeds the limit.`,
    );
  }
}

const UNTRUSTED_CERTIFICATE = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/**
 * Error codes that do not reveal whether a port is open: the name is unknown, or a web server
 * responded.
 */
const PORT_NEUTRAL_CODES = new Set([
  'ENOTFOUND',
  'ENODATA',
  'EAI_AGAIN',
  'UND_ERR_BODY_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  ...UNTRUSTED_CERTIFICATE,
]);

/**
 * Network of a host: the public internet, or a private network that the operator allows Winnow to
 * call.
 */
export type Network = 'public' | 'private';

/**
 * Explains why a call failed, by the error codes of Node and undici among the causes. If a cause is
 * an {@link OutboundError}, returns it unchanged.
 *
 * In a private network, closed, filtered and silent ports get the same explanation. Otherwise users
 * could scan ports there.
 */
export function explainFailure(host: string, error: unknown, network: Network = 'public'): OutboundError {
  const explained = outboundErrorIn(error);
  if (explained !== null) return explained;
  const codes: string[] = [];
  for (const link of causesOf(error)) {
    if (link instanceof Error && 'code' in link && typeof link.code === 'string') codes.push(link.code);
    if (link instanceof Error && link.name === 'HTTPParserError') codes.push('HPE_ANY');
  }
  if (network === 'private' && !codes.some((code) => PORT_NEUTRAL_CODES.has(code))) {
    return new OutboundUnreachable(
      host,
      `Nothing responds at ${host}. Check the address, http or https, the port and firewalls, and that the service is running.`,
      error,
    );
  }
  for (const code of codes) {
    const known = explainCode(host, code, error);
    if (known !== null) return known;
  }
  return new OutboundUnreachable(host, `The connection to ${host} failed. Try again later.`, error);
}

function explainCode(host: string, code: string, cause: unknown): OutboundError | null {
  const unreachable = (detail: string) => new OutboundUnreachable(host, detail, cause);
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return new OutboundTimeout(
        host,
        `${host} did not accept a connection in time. Check the address and any firewall between.`,
        cause,
      );
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new OutboundTimeout(host, `${host} did not respond in time. Try again later.`, cause);
    case 'UND_ERR_BODY_TIMEOUT':
      return new OutboundTimeout(host, `${host} stopped in the middle of its response. Try again.`, cause);
    case 'ENOTFOUND':
    case 'ENODATA':
      return unreachable(`No host named ${host} was found. Check the spelling of the address.`);
    case 'EAI_AGAIN':
      return unreachable(`The name ${host} could not be resolved. Check the network and try again.`);
    case 'ECONNREFUSED':
      return unreachable(
        `Nothing responds at ${host}. Check the address and port, and that the service is running.`,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return unreachable(`There is no network route to ${host}.`);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return unreachable(`${host} closed the connection in the middle of the call. Try again.`);
    case 'CERT_HAS_EXPIRED':
      return unreachable(`The certificate of ${host} has expired.`);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return unreachable(`The certificate of ${host} is for another name.`);
    case 'EPROTO':
      return unreachable(`${host} does not speak HTTPS at that port. Check the address and port.`);
    default:
      if (UNTRUSTED_CERTIFICATE.has(code)) {
        return unreachable(
          `The certificate of ${host} is not trusted. If your organization signs its own certificates, start Winnow with NODE_EXTRA_CA_CERTS set to the file of its authority.`,
        );
      }
      if (code.startsWith('ERR_SSL_')) {
        return unreachable(`${host} does not speak HTTPS at that port. Check the address and port.`);
      }
      if (code.startsWith('HPE_')) return unreachable(`${host} did not respond in HTTP. Check the address.`);
      return null;
  }
}

/**
 * Returns the error itself or the first of its causes that is an {@link OutboundError}. Returns
 * null if there is none.
 */
export function outboundErrorIn(error: unknown): OutboundError | null {
  for (const link of causesOf(error)) if (link instanceof OutboundError) return link;
  return null;
}

function* causesOf(error: unknown): Generator<unknown> {
  let link = error;
  for (let depth = 0; depth < 8 && link !== undefined && link !== null; depth += 1) {
    yield link;
    if (link instanceof AggregateError) yield* link.errors;
    link = link instanceof Error ? link.cause : undefined;
  }
}
