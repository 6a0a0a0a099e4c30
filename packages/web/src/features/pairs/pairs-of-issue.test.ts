import { expect, test } from 'vitest';
import { pairsOfIssue } from './pairs-of-issue.ts';

test('escapes the special characters of an issue key in the URL of its pairs', () => {
  const address = new URL(pairsOfIssue('group/a+b & c#12'), 'https://winnow.example');
  expect([address.pathname, address.searchParams.get('query'), address.searchParams.get('status')]).toEqual([
    '/console/issues',
    'group/a+b & c#12',
    'all',
  ]);
  expect(address.hash).toBe('');
});
