import type { Call, Reply } from './call.ts';

function wholeNumber(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  return Number(text);
}

/**
 * Returns one page of a list and its `Link` header. `per_page` is at most 100. Like GitHub, accepts
 * invalid values: it then returns 30 items, or the first page. A page after the last one is empty.
 */
export function page<T>(call: Call, items: readonly T[], present: (item: T) => unknown): Reply {
  const perPage = Math.min(100, wholeNumber(call.query.get('per_page')) || 30);
  const number = wholeNumber(call.query.get('page')) || 1;
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const body = items.slice((number - 1) * perPage, number * perPage).map(present);
  const link = linkHeader(call, number, last);
  return { status: 200, body, headers: link === '' ? {} : { link } };
}

function linkHeader(call: Call, number: number, last: number): string {
  const rels: [string, number][] = [];
  if (number > 1) rels.push(['prev', Math.min(number - 1, last)]);
  if (number < last) rels.push(['next', number + 1], ['last', last]);
  if (number > 1) rels.push(['first', 1]);
  return rels
    .map(([rel, target]) => {
      const query = new URLSearchParams(call.query);
      query.set('page', String(target));
      return `<${call.links.api}${call.pagePath}?${query}>; rel="${rel}"`;
    })
    .join(', ');
}
