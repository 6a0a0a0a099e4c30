import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import { loadSchemaCheck } from '@winnow/emulators/gitlab/schema-check';
import type { Exchange } from '@winnow/emulators/http/host';
import { loadSpecCheck, type SpecCheck } from '@winnow/emulators/spec-check';

/** A tracker's published API description, for checking an emulator and its clients. */
export interface Description {
  /** Pass this to the emulator. */
  onExchange: (exchange: Exchange) => void;
  /** @throws {Error} if a request or response violated the description */
  expectHeld(): void;
}

const NAMES = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira' };

/**
 * Loads the description of a tracker. Without the file beside the checkout nothing is checked.
 */
export async function descriptionOf(type: ConnectableTrackerType): Promise<Description> {
  const faultsOf = await checkOf(type);
  const faults: string[] = [];
  return {
    onExchange: (exchange) => faults.push(...faultsOf(exchange)),
    expectHeld() {
      if (faults.length === 0) return;
      throw new Error(`Not as ${NAMES[type]} describes it: ${faults.slice(0, 5).join('; ')}`);
    },
  };
}

type FaultsOf = (exchange: Exchange) => string[];
const nothing: FaultsOf = () => [];

/** Loaded once per type, because loading takes as long as a test. */
const checks = new Map<ConnectableTrackerType, Promise<FaultsOf>>();

function checkOf(type: ConnectableTrackerType): Promise<FaultsOf> {
  const check = checks.get(type) ?? CHECKS[type]();
  checks.set(type, check);
  return check;
}

const CHECKS: Readonly<Record<ConnectableTrackerType, () => Promise<FaultsOf>>> = {
  async github() {
    const spec = await loadSpecCheck('github');
    return spec === null ? nothing : (exchange) => faultsBy(spec, exchange);
  },

  async gitlab() {
    return (await loadSchemaCheck()) ?? nothing;
  },

  /** Only Cloud's description is published. Data Center is checked where the two agree. */
  async jira() {
    const spec = await loadSpecCheck('jira');
    if (spec === null) return nothing;
    return (exchange) => {
      const { path, status, responseBody } = exchange;
      const isCloud = !path.startsWith('/rest/api/2/');
      const known = { ...exchange, path: path.replace(/^\/rest\/api\/2\//, '/rest/api/3/') };
      const isAnswered = status < 300 && responseBody !== null;
      return faultsBy(spec, isAnswered ? known : { ...known, fault: 'no answer' }, isCloud).filter(
        (fault) => !isForgotten(fault),
      );
    };
  },
};

/** The description omits that values of a change may be null. */
function isForgotten(fault: string): boolean {
  return /\/changelog\/.*\/(?:from|to)(?:String)? must be string/.test(fault);
}

function faultsBy(spec: SpecCheck, exchange: Exchange, isAll = true): string[] {
  const { method, path, query, requestHeaders, requestBody, status, responseBody } = exchange;
  const request = { method, path, query, headers: requestHeaders };
  const asked = spec.checkRequest(requestBody === undefined ? request : { ...request, body: requestBody });
  const answered = spec.checkResponse({ method, path, status, body: responseBody });
  const unknown = isAll ? ['call not found in the description'] : [];
  return [
    ...(asked.operation === null ? unknown : asked.errors),
    ...(exchange.fault === null ? answered.errors : []),
  ].map((fault) => `${method} ${path} (${status}): ${fault}`);
}
