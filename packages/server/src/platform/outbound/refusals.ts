import { AppError } from '../errors.ts';

/** A call out that did not succeed. `detail` is a sentence for a person; it never holds more of the URL than its host. */
export class OutboundError extends AppError {
  readonly host: string;

  constructor(code: string, host: string, detail: string, cause?: unknown) {
    super({ code, status: 502, detail, cause });
    this.host = host;
  }
}

/** We do not call that address. Nothing was sent. */
export class OutboundRefused extends OutboundError {
  constructor(host: string, detail: string) {
    super('outbound_refused', host, detail);
  }
}

/** Refusal of an address that is not public; names the variable that allows it. */
export function refusedAddress(hostAndPort: string): OutboundRefused {
  return new OutboundRefused(
    hostAndPort,
    `${hostAndPort} leads into a private or reserved network, which is not called unless the operator allows it: add it to OUTBOUND_ALLOWED_HOSTS (host, host:port or a CIDR range) and restart.`,
  );
}

/**
 * Refusal of a name that is not public. Whether it leads into a private network or nowhere is for the log alone (`cause`):
 * who may enter addresses is not to learn which names a private network has.
 */
export function refusedName(host: string, cause: unknown): OutboundUnreachable {
  return new OutboundUnreachable(
    host,
    `There is no public host named ${host}. Check the spelling of the address. A host in a private network is called only when the operator has added it to OUTBOUND_ALLOWED_HOSTS (host, host:port or a CIDR range) and restarted.`,
    cause,
  );
}

/** The other side was too slow. */
export class OutboundTimeout extends OutboundError {
  constructor(host: string, detail: string, cause?: unknown) {
    super('outbound_timeout', host, detail, cause);
  }
}

/** The other side could not be spoken to: no such name, nothing listening, no trust, or a broken conversation. */
export class OutboundUnreachable extends OutboundError {
  constructor(host: string, detail: string, cause?: unknown) {
    super('outbound_unreachable', host, detail, cause);
  }
}

/** The answer is larger than the caller is ready to take. */
export class OutboundTooLarge extends OutboundError {
  constructor(host: string, limitBytes: number) {
    super(
      'outbound_too_large',
      host,
      `${host} answered with more than ${Math.floor(limitBytes / 1024 / 1024) || 1} MB, which is more than is accepted.`,
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

/** Failures that tell nothing of what listens where: the name leads nowhere, or a web server did answer. */
const TELLS_NO_PORT = new Set([
  'ENOTFOUND',
  'ENODATA',
  'EAI_AGAIN',
  'UND_ERR_BODY_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  ...UNTRUSTED_CERTIFICATE,
]);

/** Where a host leads: to the public internet, or, since the operator allows it, into a private network. */
export type Network = 'public' | 'private';

/**
 * What to tell about a failed call, from the error codes of Node and undici found along its causes.
 * An {@link OutboundError} among the causes is given back as it is. In a private network a port that is closed, filtered,
 * silent or speaks something else is all the same, so that its ports cannot be told apart by asking for each.
 */
export function explainFailure(host: string, error: unknown, network: Network = 'public'): OutboundError {
  const explained = outboundErrorIn(error);
  if (explained !== null) return explained;
  const codes: string[] = [];
  for (const link of causesOf(error)) {
    if (link instanceof Error && 'code' in link && typeof link.code === 'string') codes.push(link.code);
    if (link instanceof Error && link.name === 'HTTPParserError') codes.push('HPE_ANY');
  }
  if (network === 'private' && !codes.some((code) => TELLS_NO_PORT.has(code))) {
    return new OutboundUnreachable(
      host,
      `Nothing answers at ${host}. Check the address, whether it is http or https, the port and any firewall between, and that it is running.`,
      error,
    );
  }
  for (const code of codes) {
    const known = explainCode(host, code, error);
    if (known !== null) return known;
  }
  return new OutboundUnreachable(host, `The connection to ${host} failed. Try again in a while.`, error);
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
      return new OutboundTimeout(host, `${host} did not answer in time. Try again in a while.`, cause);
    case 'UND_ERR_BODY_TIMEOUT':
      return new OutboundTimeout(host, `${host} stopped in the middle of its answer. Try again.`, cause);
    case 'ENOTFOUND':
    case 'ENODATA':
      return unreachable(`There is no host named ${host}. Check the spelling of the address.`);
    case 'EAI_AGAIN':
      return unreachable(
        `The name ${host} could not be looked up just now. Check the network and try again.`,
      );
    case 'ECONNREFUSED':
      return unreachable(`Nothing answers at ${host}. Check the address and port, and that it is running.`);
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
          `The certificate of ${host} is not trusted. If your organization signs its own, start Winnow with NODE_EXTRA_CA_CERTS naming its file.`,
        );
      }
      if (code.startsWith('ERR_SSL_')) {
        return unreachable(`${host} does not speak HTTPS at that port. Check the address and port.`);
      }
      if (code.startsWith('HPE_')) return unreachable(`${host} did not answer in HTTP. Check the address.`);
      return null;
  }
}

/** The {@link OutboundError} that an error is, or has among its causes. */
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
