import { expect, test } from 'vitest';
import { executionsOf, hasInvalidFilter, parseSearch, serializeSearch } from './search-params.ts';

const FLOW = '7d9f3b5e-52a0-4c0e-9d57-3f8a1d3c9b11';

test('serializes a search to the URL and parses it back unchanged', () => {
  const search = { page: 3, flow: FLOW, status: 'FAILED' } as const;
  expect(parseSearch(serializeSearch(search))).toEqual(search);
});

test.each(['page=0&flow=7&status=failed', 'page=x', ''])(
  'reads %j as the first page of all executions',
  (address) => {
    expect(parseSearch(new URLSearchParams(address))).toEqual({ page: 1, flow: null, status: null });
  },
);

test.each([
  ['', false],
  ['page=x', false],
  [`flow=${FLOW}&status=FAILED`, false],
  ['status=WAT', true],
  ['flow=zzz', true],
])('returns whether %j contains an invalid filter: %s', (address, misread) => {
  expect(hasInvalidFilter(new URLSearchParams(address))).toBe(misread);
});

test('preserves URL parameters of other features', () => {
  const address = serializeSearch(
    { page: 1, flow: null, status: null },
    new URLSearchParams('message=hi&page=2'),
  );
  expect(address.toString()).toBe('message=hi');
});

test('returns the path of the executions of a flow', () => {
  expect(executionsOf(FLOW)).toBe(`/console/flows/executions?flow=${FLOW}`);
});
