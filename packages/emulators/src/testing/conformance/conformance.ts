import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import { loadSchemaCheck } from '../../gitlab/schema-check.ts';
import type { Exchange } from '../../http/host.ts';
import { loadSpecCheck, type SpecCheck } from '../../spec-check.ts';
import type { DescribedCall } from './described-call.ts';
import { gitHubCalls } from './github-calls.ts';
import { gitLabCalls } from './gitlab-calls.ts';
import { jiraCalls } from './jira-calls.ts';
import { countUnchecked } from './unchecked.ts';

/** Returns one sentence per deviation of a request and its response. Empty if there are none. */
type FaultsOf = (exchange: Exchange) => string[];

export const CALLS: Readonly<Record<ConnectableTrackerType, readonly DescribedCall[]>> = {
  github: gitHubCalls,
  gitlab: gitLabCalls,
  jira: jiraCalls,
};

/**
 * Compares a request and its response with our own schemas of the calls that Winnow makes. Ignores
 * requests that got an error response, and responses that a fault changed.
 */
export function compareWithOwnSchemas(type: ConnectableTrackerType, exchange: Exchange): string[] {
  const { method, path, status, requestBody, responseBody, fault } = exchange;
  const call = CALLS[type].find((known) => known.method === method && known.path.test(path));
  if (call === undefined || status >= 300) return [];
  return [
    ...faultsIn(call.request, requestBody).map((text) => `request ${text}`),
    ...(fault === null ? faultsIn(call.response, responseBody).map((text) => `response ${text}`) : []),
  ].map((text) => `${method} ${path} (${status}): ${text}`);
}

function faultsIn(schema: DescribedCall['request'], value: unknown): string[] {
  const issues = schema?.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => `/${path.join('/')} ${message}`);
}

/** Checks by tracker. Loading a check takes as long as a test, so each is loaded once. */
const official = new Map<ConnectableTrackerType, Promise<FaultsOf | null>>();

/**
 * Returns the check for a tracker. It always uses our own schemas, and also the published API
 * description. If that is missing, it counts the request as unchecked.
 */
export async function loadConformance(type: ConnectableTrackerType): Promise<FaultsOf> {
  const loading = official.get(type) ?? OFFICIAL[type]();
  official.set(type, loading);
  const check = await loading;
  return (exchange) => {
    if (check === null) countUnchecked(type);
    return [...compareWithOwnSchemas(type, exchange), ...(check?.(exchange) ?? [])];
  };
}

const OFFICIAL: Readonly<Record<ConnectableTrackerType, () => Promise<FaultsOf | null>>> = {
  async github() {
    const spec = await loadSpecCheck('github');
    return spec && ((exchange) => faultsBy(spec, exchange));
  },

  gitlab: () => loadSchemaCheck(),

  /**
   * Returns the check against Jira's published API description, which covers only the REST API of
   * Cloud. For Data Center, checks what is equal in both. Ignores webhooks.
   */
  async jira() {
    const spec = await loadSpecCheck('jira');
    if (spec === null) return null;
    return (exchange) => {
      const { path, status, responseBody } = exchange;
      const isCloud = path.startsWith('/rest/api/3/');
      const known = { ...exchange, path: path.replace(/^\/rest\/api\/2\//, '/rest/api/3/') };
      const isAnswered = status < 300 && responseBody !== null;
      return faultsBy(spec, isAnswered ? known : { ...known, fault: 'no answer' }, isCloud).filter(
        (fault) => !isForgotten(fault),
      );
    };
  },
};

/** True for a deviation due to an error in the API description: values of a change may be null. */
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
