import { parseFault } from './fault-input.ts';
import type { Faults } from './faults.ts';
import type { EmulatedHost, HostFaultAction } from './host.ts';
import type { RequestLog } from './request-log.ts';
import { UserActionInput } from './user-actions.ts';

export interface ControlReply {
  status: number;
  body: unknown;
}

/**
 * Handles the control endpoints of the emulator, which other processes can call. They are
 * `GET|POST|DELETE /_emulator/faults`, `GET|DELETE /_emulator/requests`, `GET /_emulator/state`,
 * and a `POST` for each user action.
 */
export function control<Own extends { kind: string }>(
  method: string,
  url: URL,
  body: string,
  parts: { host: EmulatedHost<Own>; faults: Faults<HostFaultAction<Own>>; requests: RequestLog },
): ControlReply {
  const { host, faults, requests } = parts;
  const name = url.pathname.slice('/_emulator/'.length);
  const action = method === 'POST' ? host.userActions?.[name] : undefined;
  if (action !== undefined) return attempt(() => action(new UserActionInput(body)));
  switch (`${method} ${name}`) {
    case 'GET faults':
      return { status: 200, body: faults.list() };
    case 'POST faults':
      return attempt(() => {
        faults.add(parseFault(JSON.parse(body), host.ownFaults));
        return faults.list();
      });
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
      return {
        status: 404,
        body: { message: `Unknown endpoint. The endpoints below /_emulator/ are: ${has(host)}.` },
      };
  }
}

function has<Own extends { kind: string }>({ userActions = {} }: EmulatedHost<Own>): string {
  return ['faults', 'requests', 'state', ...Object.keys(userActions)].join(', ');
}

/** Runs an action. Returns its result with status 201, or its error message with status 400. */
function attempt(action: () => unknown): ControlReply {
  try {
    return { status: 201, body: action() };
  } catch (error) {
    return { status: 400, body: { message: error instanceof Error ? error.message : String(error) } };
  }
}
