import { expect, test } from 'vitest';
import { ownLines, sourceRuns, sourcesText, swapped } from './source-runs.ts';

const known = { text: 'one\n\ntwo\none', sources: ['both', 'both', 'issue2', 'issue1'] } as const;

test('keeps the source of each suggested line, and adds empty lines to the previous run', () => {
  expect(sourceRuns(known.text, known)).toEqual([
    { source: 'both', lines: ['one', ''] },
    { source: 'issue2', lines: ['two'] },
    { source: 'issue1', lines: ['one'] },
  ]);
});

test('distinguishes typed and suggested lines, even after lines were moved', () => {
  expect(sourceRuns('mine\ntwo\none', known)).toEqual([
    { source: 'typed', lines: ['mine'] },
    { source: 'issue2', lines: ['two'] },
    { source: 'both', lines: ['one'] },
  ]);
  expect(sourceRuns('', known)).toEqual([]);
});

test('marks an unanswered question, even one from the issue', () => {
  const question = '_To clarify: What belongs to it?_';
  const asking = { text: `one\n${question}`, sources: ['issue', 'issue'] } as const;
  expect(sourceRuns(asking.text, asking)).toEqual([
    { source: 'issue', lines: ['one'] },
    { source: 'question', lines: [question] },
  ]);
  expect(sourcesText(sourceRuns(asking.text, asking))).toBe('1 line from the issue, 1 line to answer');
});

test('returns runs that join to the whole text', () => {
  const text = '\n\none\nx\n\n\ntwo\n';
  expect(
    sourceRuns(text, known)
      .flatMap(({ lines }) => lines)
      .join('\n'),
  ).toBe(text);
});

test('marks lines that the issue does not contain as new', () => {
  expect(ownLines('a\nb\nlink', 'a\r\nb', 'issue2').sources).toEqual(['issue2', 'issue2', 'new']);
  expect(swapped(['issue1', 'both', 'issue2', 'new'])).toEqual(['issue2', 'both', 'issue1', 'new']);
});

test('counts lines by source in words, ignoring empty lines', () => {
  expect(sourcesText(sourceRuns('mine\none\n\none\ntwo', known))).toBe(
    '1 line typed, 1 line from both, 1 line only from A, 1 line only from B',
  );
  expect(sourcesText([])).toBe('No text');
});
