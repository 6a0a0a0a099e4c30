import { expect, test } from 'vitest';
import { sortedEndpoints } from './endpoints.ts';

const line = (endpoint: string, count: number, p95_ms: number | null, method = 'GET') => ({
  endpoint,
  method,
  count,
  errors: 0,
  p50_ms: 1,
  p95_ms,
});
const lines = [line('/b', 5, 90), line('/a', 5, 100), line('/a', 9, null, 'POST'), line('/c', 7, 9)];
const order = (...chosen: Parameters<typeof sortedEndpoints>[1][]) =>
  chosen.map((by) => sortedEndpoints(lines, by).map(({ method, endpoint }) => `${method} ${endpoint}`));

test('sorts endpoints by number from the highest, then by name, or in reversed order', () => {
  expect(order({ sort: 'count', reversed: false }, { sort: 'count', reversed: true })).toEqual([
    ['POST /a', 'GET /c', 'GET /a', 'GET /b'],
    ['GET /b', 'GET /a', 'GET /c', 'POST /a'],
  ]);
  expect(order({ sort: 'p95_ms', reversed: false })[0]).toEqual(['GET /a', 'GET /b', 'GET /c', 'POST /a']);
  expect(order({ sort: 'endpoint', reversed: false })[0]).toEqual(['GET /a', 'POST /a', 'GET /b', 'GET /c']);
});
