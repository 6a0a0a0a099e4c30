import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../search-index/terms.ts';
import { highlightsIn, searchedWords } from './highlights.ts';
import { parseQuery } from './query.ts';

function marked(query: string, text: string, common: string[] = []): string[] {
  const searched = searchedWords(parseQuery(query), (term) => common.includes(term));
  return highlightsIn('title', text, searched).map(({ start, end }) => text.slice(start, end));
}

describe('highlights', () => {
  test.each([
    ['crash', 'It crashes, crashed and is CRASHING', ['crashes', 'crashed', 'CRASHING']],
    ['upl', 'Uploads of uploaders', ['Uploads', 'uploaders']],
    ['cafe', 'Un café, deux cafés 🔥 café', ['café', 'cafés', 'café']],
    ['日本語', 'メニューが日本語です', ['日本語']],
    ['"slow connection" login', 'Login on slow connection', ['Login', 'slow', 'connection']],
    ['login -logout', 'Login and logout', ['Login']],
    ['Verbindung', 'Die Verbindungen sind nach der Anmeldung nicht frei', ['Verbindungen']],
    ['接続', 'データベースの接続を取得できない', ['接続']],
    ['xyzzy', 'Nothing here', []],
  ])('of %j in %j are %j', (query, text, expected) => {
    expect(marked(query, text)).toEqual(expected);
  });

  test('omit common words unless there are no others', () => {
    expect(marked('the login', 'The login of the user', ['the'])).toEqual(['login']);
    expect(marked('the the', 'The login of the user', ['the'])).toEqual(['The', 'the']);
  });

  test('are the same as without skipping parts that cannot match', () => {
    const written = [
      ...['fly', 'flies', 'Flying', 'bodies', 'body', 'tries', 'is', 'HTTP', 'httpServer', 'XMLHttpRequest'],
      ...[
        '9.4.43',
        'fs.s3a.FileSystem',
        "don't",
        'café',
        'CAFE',
        'ﬁle',
        'file',
        'ＡＢＣ',
        'abc',
        'a',
        'y',
        'by',
      ],
      ...['read-ahead', 'readAheadCount', '日本語', '_x1', 'stopped', 'stop', '#42', 'user@example.com'],
    ];
    const text = fc
      .array(fc.tuple(fc.constantFrom(...written), fc.constantFrom(' ', '\n', '-', '.', '\u00a0', ', ')))
      .map((words) => words.flat().join(''));
    fc.assert(
      fc.property(text, text, (query, content) => {
        const searched = searchedWords(parseQuery(query), () => false);
        const all = [...wordsIn(content)].filter(
          ({ terms, written: form }) =>
            terms.some((term) => searched.terms.has(term)) ||
            (searched.prefix !== null && form.startsWith(searched.prefix)),
        );
        const found = highlightsIn('body', content, { ...searched, stems: new Set() });
        const covered = ({ start, end }: { start: number; end: number }) =>
          found.some((range) => range.start <= start && end <= range.end);
        expect(all.slice(0, 50).every(covered)).toBe(true);
        expect(found.every(({ start }) => all.some((word) => word.start === start))).toBe(true);
      }),
    );
  });

  test('are limited in number, sorted, disjoint ranges of any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab é日本🔥\ud800\n-.\'"'), maxLength: 300 });
    fc.assert(
      fc.property(text, text, (query, content) => {
        const found = highlightsIn(
          'body',
          content,
          searchedWords(parseQuery(query), () => false),
        );
        expect(found.length).toBeLessThanOrEqual(50);
        let last = -1;
        for (const { start, end } of found) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(content.length);
          last = end;
        }
      }),
    );
  });
});
