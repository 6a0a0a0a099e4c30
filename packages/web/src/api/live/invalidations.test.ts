import { expect, test } from 'vitest';
import { FAMILIES_WITHOUT_EVENTS, queryKeys } from '../query/query-keys.ts';
import { INVALIDATED_FAMILIES } from './invalidations.ts';

test('an event invalidates each query family, or its key says why none does', () => {
  const named = new Set<string>([...Object.values(INVALIDATED_FAMILIES).flat(), ...FAMILIES_WITHOUT_EVENTS]);
  expect(Object.keys(queryKeys).filter((family) => !named.has(family))).toEqual([]);
});
