import { expect, test } from 'vitest';
import { FAMILIES_WITHOUT_EVENTS, queryKeys } from '../query/query-keys.ts';
import { INVALIDATED_FAMILIES } from './invalidations.ts';

test('each query family is invalidated by an event or listed as a family without events', () => {
  const named = new Set<string>([...Object.values(INVALIDATED_FAMILIES).flat(), ...FAMILIES_WITHOUT_EVENTS]);
  expect(Object.keys(queryKeys).filter((family) => !named.has(family))).toEqual([]);
});
