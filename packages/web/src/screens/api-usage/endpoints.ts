import type { ApiUsage } from '@winnow/contract/usage';
import type { SortName, UsageSearch } from './search-params.ts';

export type EndpointLine = ApiUsage['requests_by_endpoint'][number];

/**
 * Sorts endpoints by name in alphabetical order, or by a number from the highest. `reversed`
 * reverses this order.
 */
export function sortedEndpoints(
  endpoints: readonly EndpointLine[],
  { sort, reversed }: Pick<UsageSearch, 'sort' | 'reversed'>,
): EndpointLine[] {
  const byName = (left: EndpointLine, right: EndpointLine) =>
    left.endpoint.localeCompare(right.endpoint) || left.method.localeCompare(right.method);
  const byValue = (name: Exclude<SortName, 'endpoint'>) => (left: EndpointLine, right: EndpointLine) =>
    (right[name] ?? 0) - (left[name] ?? 0) || byName(left, right);
  const sorted = endpoints.toSorted(sort === 'endpoint' ? byName : byValue(sort));
  return reversed ? sorted.reverse() : sorted;
}
