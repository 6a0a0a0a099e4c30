import type { Call, Reply } from './call.ts';

const mostPerPage = 100;

/**
 * Returns one page of a list with GitLab's headers. `per_page` is at most 100. A page after the
 * last one is empty. If the list has more items than `countLimit`, the headers contain no totals
 * and no last page.
 */
export function page<T>(call: Call, items: readonly T[], present: (item: T) => unknown): Reply {
  const perPage = Math.min(mostPerPage, Math.max(1, call.params.integer('per_page') ?? 20));
  const number = Math.max(1, call.params.integer('page') ?? 1);
  const body = items.slice((number - 1) * perPage, number * perPage).map(present);
  const pages = Math.max(1, Math.ceil(items.length / perPage));
  const next = number < pages ? number + 1 : null;
  const previous = number > 1 ? number - 1 : null;
  const counted = items.length <= call.host.countLimit;
  const headers: Record<string, string> = {
    'x-next-page': next === null ? '' : String(next),
    'x-page': String(number),
    'x-per-page': String(perPage),
    'x-prev-page': previous === null ? '' : String(previous),
    ...(counted ? { 'x-total': String(items.length), 'x-total-pages': String(pages) } : {}),
  };
  const rels: [string, number | null][] = [
    ['prev', previous],
    ['next', next],
    ['first', 1],
    ['last', counted ? pages : null],
  ];
  headers.link = rels
    .flatMap(([rel, target]) =>
      target === null ? [] : [`<${pageUrl(call, target, perPage)}>; rel="${rel}"`],
    )
    .join(', ');
  return { status: 200, body, headers };
}

function pageUrl(call: Call, target: number, perPage: number): string {
  const query = new URLSearchParams(call.query);
  query.set('page', String(target));
  query.set('per_page', String(perPage));
  return `${call.pageUrl}?${query}`;
}
