import { expect, test } from 'vitest';
import { foundIn, snippetOf } from './snippet.ts';

function highlight(text: string, word: string) {
  const start = text.indexOf(word);
  return { field: 'description', start, end: start + word.length } as const;
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
  const shown = snippetOf(text, [highlight(text, 'stalls')])?.map((piece) => piece.text) ?? [];
  expect(shown.join('').indexOf('stalls')).toBeLessThan(40);
  expect(shown.join('').length).toBeLessThan(100);
});

test('without a word found in the description nothing is shown of it', () => {
  const title = { field: 'title', start: 0, end: 4 } as const;
  expect(snippetOf('Sync stalls', [title])).toBeNull();
  expect(foundIn([title], 'title')).toEqual([{ start: 0, end: 4, number: 1 }]);
});
