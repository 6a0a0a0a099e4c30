import { expect, test } from 'vitest';
import { matchesIn, snippetOf } from './snippet.ts';

function highlight(text: string, word: string) {
  const start = text.indexOf(word);
  return { field: 'description', start, end: start + word.length } as const;
}

function shownOf(text: string, word: string): string {
  return (snippetOf(text, [highlight(text, word)]) ?? []).map((piece) => piece.text).join('');
}

test('returns the line of the first match without Markdown syntax, and marks the match', () => {
  const text = '## Steps\n\n- Open **the tray** menu\n- Sync stalls';
  const pieces = snippetOf(text, [highlight(text, 'stalls')]);
  expect(pieces?.map(({ text: part, passage }) => [part, passage !== null])).toEqual([
    ['Sync ', false],
    ['stalls', true],
  ]);
});

test('truncates a long line around the match', () => {
  const text = `${'before '.repeat(100)}stalls${' after'.repeat(100)}`;
  const shown = shownOf(text, 'stalls');
  expect(shown.indexOf('stalls')).toBeLessThan(40);
  expect(shown.length).toBeLessThan(130);
  expect(shown).toMatch(/^ … before .*before stalls after .* after … $/);
});

test.each([
  ['at the end of a long line', 6, ''],
  ['near the end of a short line', 4, ' now'],
])('truncates at word boundaries and keeps the match visible: %s', (_, times, after) => {
  const text = `${'the client then '.repeat(times)}stalls${after}`;
  expect(shownOf(text, 'stalls')).toBe(` … then the client then stalls${after}`);
});

test('does not truncate the start of a line if the match is visible anyway', () => {
  const text = `The client on Windows 11 then stalls${' and waits'.repeat(20)}`;
  expect(shownOf(text, 'stalls')).toMatch(/^The client on Windows 11 then stalls and/);
});

test('truncates inside a word that is longer than the context', () => {
  const text = `${'x'.repeat(60)}stalls`;
  expect(shownOf(text, 'stalls')).toBe(` … ${'x'.repeat(24)}stalls`);
});

test('returns null without a match in the description', () => {
  const title = { field: 'title', start: 0, end: 4 } as const;
  expect(snippetOf('Sync stalls', [title])).toBeNull();
  expect(matchesIn([title], 'title')).toEqual([{ start: 0, end: 4, number: 1 }]);
});
