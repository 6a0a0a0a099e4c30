import { expect, test } from 'vitest';
import { checkForName } from './check-for-name.ts';

test.each([
  ['A goal', 'goal'],
  ['Acceptance criteria', 'acceptance'],
  ['External dependencies', 'outside'],
  ['Dependencies named', 'dependencies'],
  ['Independent', 'independent'],
] as const)('maps the name %j to the check %s', (name, check) => {
  expect(checkForName(name)).toBe(check);
});

test.each(['', 'Who asks', 'Stepson', 'Regoaled'])('returns null for %j', (name) => {
  expect(checkForName(name)).toBeNull();
});
