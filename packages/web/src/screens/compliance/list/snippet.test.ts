import { expect, test } from 'vitest';
import { foundIn, snippetOf } from './snippet.ts';

function highlight(text: string, word: string) {
  const start = text.indexOf(word);
  return { field: 'description', start, end: start + word.length } as const;
}

function shownOf(text: string, word: string): string {
  return (snippetOf(text, [highlight(text, word)]) ?? []).map((piece) => piece.text).join('');
}

test('the line that has the first word found is shown, without its syntax, the word marked', () => {
  const text = '## Steps\n\n- Open **the tray** menu\n- Sync stalls';
  const pieces = snippetOf(text, [highlight(text, 'stalls')]);
  expect(pieces?.map(({ text: part, passage }) => [part, passage !== null])).toEqual([
    ['Sync ', false],
    ['stalls', true],
  ]);
});

test('of a long line what stands around the word is shown', () => {
  const text = `${'before '.repeat(100)}stalls${' after'.repeat(100)}`;
  const shown = shownOf(text, 'stalls');
  expect(shown.indexOf('stalls')).toBeLessThan(40);
  expect(shown.length).toBeLessThan(130);
  expect(shown).toMatch(/^ … before .*before stalls after .* after … $/);
});

test.each([
  ['far behind in a line that ends with it', 6, ''],
  ['at the end of a line that is not long', 4, ' now'],
])('the first word found is within what is seen, after whole words: %s', (_, times, after) => {
  const text = `${'the client then '.repeat(times)}stalls${after}`;
  expect(shownOf(text, 'stalls')).toBe(` … then the client then stalls${after}`);
});

test('a word that is seen at the beginning of its line is shown there', () => {
  const text = `The client on Windows 11 then stalls${' and waits'.repeat(20)}`;
  expect(shownOf(text, 'stalls')).toMatch(/^The client on Windows 11 then stalls and/);
});

test('without a word that ends before it, as in a long name, the cut is inside', () => {
  const text = `${'x'.repeat(60)}stalls`;
  expect(shownOf(text, 'stalls')).toBe(` … ${'x'.repeat(24)}stalls`);
});

test('without a word found in the description nothing is shown of it', () => {
  const title = { field: 'title', start: 0, end: 4 } as const;
  expect(snippetOf('Sync stalls', [title])).toBeNull();
  expect(foundIn([title], 'title')).toEqual([{ start: 0, end: 4, number: 1 }]);
});
