import { parseFault } from './fault-input.ts';
import type { Faults } from './faults.ts';
import type { EmulatedHost, HostFaultAction } from './host.ts';
import type { RequestLog } from './request-log.ts';

export interface ControlReply {
  status: number;
  body: unknown;
}

/**
 * The emulator's own controls, for processes other than the one that started it:
 * `GET|POST|DELETE /_emulator/faults`, `GET|DELETE /_emulator/requests`, `GET /_emulator/state`.
 */
export function control<Own extends { kind: string }>(
  method: string,
  url: URL,
  body: string,
  parts: { host: EmulatedHost<Own>; faults: Faults<HostFaultAction<Own>>; requests: RequestLog },
): ControlReply {
  const { host, faults, requests } = parts;
  switch (`${method} ${url.pathname.slice('/_emulator/'.length)}`) {
    case 'GET faults':
      return { status: 200, body: faults.list() };
    case 'POST faults':
      return setFault(host, faults, body);
    case 'DELETE faults':
      faults.clear();
      return { status: 200, body: [] };
    case 'GET requests':
      return { status: 200, body: requests.all() };
    case 'DELETE requests':
      requests.clear();
      return { status: 200, body: [] };
    case 'GET state':
      return { status: 200, body: host.snapshot(url.searchParams) };
    default:
      return { status: 404, body: { message: 'The emulator has faults, requests and state here.' } };
  }
}

function setFault<Own extends { kind: string }>(
  host: EmulatedHost<Own>,
  faults: Faults<HostFaultAction<Own>>,
  body: string,
): ControlReply {
  try {
    faults.add(parseFault(JSON.parse(body), host.ownFaults));
    return { status: 201, body: faults.list() };
  } catch (error) {
    return { status: 400, body: { message: error instanceof Error ? error.message : String(error) } };
  }
}
