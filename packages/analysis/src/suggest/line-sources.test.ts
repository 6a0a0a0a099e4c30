import { expect, test } from 'vitest';
import { lineSources } from './line-sources.ts';

const FIRST = '## Steps\n\n1. Open the *gallery*\n2. Turn the picture\n\nIt was drawn sideways.';
const SECOND = 'Seen on **Android 14**. It was drawn sideways.';

test('the source of a line is the issue that contains its words, both issues, or none', () => {
  const text =
    '### Steps\n- open the gallery\n\nSeen on Android 14\nIt was drawn sideways.\nIt happens often.';
  expect(lineSources(text, FIRST, SECOND)).toEqual(['issue1', 'issue1', 'issue1', 'issue2', 'both', 'new']);
});

test('a part of a word does not count', () => {
  expect(lineSources('pen the gall', FIRST, SECOND)).toEqual(['new']);
});

test('an empty text has no lines, and an empty issue is never a source', () => {
  expect(lineSources('', FIRST, SECOND)).toEqual([]);
  expect(lineSources('---\nwords', '', '')).toEqual(['new', 'new']);
});
