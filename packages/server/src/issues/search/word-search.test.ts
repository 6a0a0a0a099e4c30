import { expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { UNKNOWN_FREQUENCIES, withKnownStems } from './word-search.ts';

/**
 * Returns the stems that a query still contains after rare stems were removed. `occurrences` is the
 * number of issues with each term.
 */
function stemsLeft(query: string, occurrences: Record<string, number>): string[] {
  const { words } = parseQuery(query);
  const all = words.flatMap(({ term, word }) => [term, ...word.stems]);
  const known = new Map(all.map((term) => [term, occurrences[term] ?? 1]));
  return withKnownStems(words, { documents: 100, occurrences: known }).flatMap(({ word }) => word.stems);
}

test('stems that fewer than two issues contain are removed from a query of several words', () => {
  expect(stemsLeft('server crashes after restart', {})).toEqual([]);
  const [stem = ''] = parseQuery('enregistrements').words[0]?.word.stems ?? [];
  expect(stemsLeft('les enregistrements du serveur', { [stem]: 2 })).toEqual([stem]);
});

test('no stems are removed from a short query, or if the frequencies are unknown', () => {
  expect(stemsLeft('server crashes', {})).not.toEqual([]);
  const { words } = parseQuery('server crashes after restart');
  expect(withKnownStems(words, UNKNOWN_FREQUENCIES)).toEqual(words);
});
