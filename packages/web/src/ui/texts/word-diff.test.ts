import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DiffPiece,
  diffWords,
  foldUnchanged,
  type WordDiffResult,
  wordCountsText,
} from './word-diff.ts';

function shown({ lines }: WordDiffResult): string[] {
  const marks = { same: ['', ''], added: ['{+', '+}'], removed: ['[-', '-]'] } as const;
  return lines.map(({ pieces }) =>
    pieces.map(({ kind, text }: DiffPiece) => `${marks[kind][0]}${text}${marks[kind][1]}`).join(''),
  );
}

function sideOf({ lines }: WordDiffResult, leftOut: DiffPiece['kind']): string {
  return lines
    .flatMap(({ pieces }) => pieces)
    .filter(({ kind }) => kind !== leftOut)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/[\s↵]/g, '');
}

describe('diffWords', () => {
  test('marks only the words that differ', () => {
    const result = diffWords('Upload stalls at 99% for folders', 'Sync stalls at 99% for folders');
    expect(shown(result)).toEqual(['[-Upload -]{+Sync +}stalls at 99% for folders']);
    expect(result).toMatchObject({ added: 1, removed: 1 });
  });

  test('marks added and removed lines', () => {
    expect(shown(diffWords('one\ntwo', 'one\nnew line\ntwo'))).toEqual(['one', '{+new line+}', 'two']);
    expect(shown(diffWords('one\ngone\ntwo', 'one\ntwo'))).toEqual(['one', '[-gone-]', 'two']);
    expect(shown(diffWords('', 'a\nb'))).toEqual(['{+a+}', '{+b+}']);
    expect(shown(diffWords('a\nb', ''))).toEqual(['[-a-]', '[-b-]']);
  });

  test('shows an added line break', () => {
    expect(shown(diffWords('one two three', 'one two\nthree'))).toEqual(['one two{+↵+}', 'three']);
  });

  test('shows a rewritten text as a whole, without scattered common words', () => {
    expect(shown(diffWords('The upload of a file stops.', 'Nothing remains visible: a crash.'))).toEqual([
      '[-The upload of a file stops.-]',
      '{+Nothing remains visible: a crash.+}',
    ]);
  });

  test('does not split a rewritten text at empty lines', () => {
    const before = 'The upload stops.\n\nNothing is logged at all.';
    const after = 'Sorting by size is wrong.\n\nFolders come first.';
    expect(shown(diffWords(before, after))).toEqual([
      '[-The upload stops.-]',
      '[-↵-]',
      '[-Nothing is logged at all.-]',
      '{+Sorting by size is wrong.+}',
      '{+↵+}',
      '{+Folders come first.+}',
    ]);
    expect(shown(diffWords('one stays here\n\ntwo stays', 'one was here\n\ntwo was'))).toEqual([
      'one [-stays -]{+was +}here',
      '',
      'two [-stays-]{+was+}',
    ]);
  });

  test.each([
    ['different line break characters', 'one\r\ntwo', 'one\ntwo'],
    ['trailing spaces', 'one \ntwo', 'one\ntwo'],
  ])('does not mark %s', (_name, before, after) => {
    expect(diffWords(before, after).lines.some(({ changed }) => changed)).toBe(false);
  });

  test('supports words of any script', () => {
    expect(shown(diffWords('Ошибка при сохранении файла', 'Ошибка при удалении файла'))).toEqual([
      'Ошибка при [-сохранении -]{+удалении +}файла',
    ]);
  });

  test('keeps every character of both texts, with and without time left', () => {
    const text = fc.array(fc.constantFrom('stop', 'the', 'file', ' ', '\n', '. ', 'é', '🦭'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, text, fc.constantFrom(200, 0), (before, after, timeLimitMs) => {
        const result = diffWords(before.join(''), after.join(''), timeLimitMs);
        expect(sideOf(result, 'removed')).toBe(after.join('').replaceAll(/\s/g, ''));
        expect(sideOf(result, 'added')).toBe(before.join('').replaceAll(/\s/g, ''));
      }),
    );
  });

  test('marks the rest as replaced when the time limit is reached', () => {
    const result = diffWords('same\none two\nend', 'same\none three\nend', 0);
    expect(shown(result)).toEqual(['same', '[-one two-]', '{+one three+}', 'end']);
  });

  test('compares two different texts of 64 kB within the time limit', () => {
    const text = (seed: number) =>
      Array.from({ length: 9_000 }, (_, at) => `w${(at * seed) % 4_001}${at % 12 === 0 ? '\n' : ' '}`).join(
        '',
      );
    const [before, after] = [text(7), text(13)];
    const start = performance.now();
    const result = diffWords(before, after);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(sideOf(result, 'removed')).toBe(after.replaceAll(/\s/g, ''));
  });
});

describe('foldUnchanged', () => {
  const text = (changed: string) =>
    Array.from({ length: 20 }, (_, at) => (at === 10 ? changed : `line ${at}`)).join('\n');
  const rows = (before: string, after: string) =>
    foldUnchanged(diffWords(before, after).lines).map((row) =>
      row.kind === 'fold' ? row.lines.length : shown({ lines: [row.line], added: 0, removed: 0 })[0],
    );

  test('keeps two lines around a change and folds the rest', () => {
    expect(rows(text('it stops here'), text('it stops there'))).toEqual([
      8,
      'line 8',
      'line 9',
      'it stops [-here-]{+there+}',
      'line 11',
      'line 12',
      7,
    ]);
  });

  test('does not fold fewer than four lines', () => {
    expect(rows('a\nb\nc\nd\ne\nit ends here', 'a\nb\nc\nd\ne\nit ends there')).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'it ends [-here-]{+there+}',
    ]);
  });

  test('returns every line exactly once', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (changes) => {
        const lines = changes.map((changed, at) => ({
          changed,
          pieces: [{ kind: 'same' as const, text: `${at}` }],
        }));
        expect(foldUnchanged(lines).flatMap((row) => (row.kind === 'fold' ? row.lines : [row.line]))).toEqual(
          lines,
        );
      }),
    );
  });
});

test('wordCountsText counts added and removed words', () => {
  expect(wordCountsText({ added: 14, removed: 1 })).toBe('+14 −1 words');
  expect(wordCountsText({ added: 1, removed: 0 })).toBe('+1 word');
});
