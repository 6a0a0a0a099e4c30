import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutText, type TextLine } from './lines.ts';
import type { Passage } from './marks.ts';

function shown(lines: TextLine[]): string[] {
  return lines.map(({ kind, marker, pieces }) => {
    const text = pieces
      .map(({ text, passage, endsPassage, style }) => {
        const styled =
          style === 'code'
            ? `‹${text}›`
            : style === 'strong'
              ? `*${text}*`
              : style === 'em'
                ? `/${text}/`
                : text;
        return passage === null ? styled : `[${styled}${endsPassage ? `|${passage}` : ''}]`;
      })
      .join('');
    return `${kind}: ${marker}${marker === '' ? '' : ' '}${text}`.trimEnd();
  });
}

function lay(text: string, passages: Passage[] = []): string[] {
  return shown(layoutText(text, passages));
}

describe('layoutText', () => {
  test('returns no lines for an empty text, whitespace only, or a comment only', () => {
    expect(lay('')).toEqual([]);
    expect(lay(' \n\n\t\n')).toEqual([]);
    expect(lay('<!-- Describe\nthe bug -->')).toEqual([]);
  });

  test('renders emphasis, but keeps single signs and signs inside words', () => {
    expect(lay('After *Pause* and _Stop now_ the icon')).toEqual([
      'text: After /Pause/ and /Stop now/ the icon',
    ]);
    expect(lay('2 * 3 * 4, snake_case_name, a*b*c, \\*not\\*, **bold**')).toEqual([
      'text: 2 * 3 * 4, snake_case_name, a*b*c, *not*, *bold*',
    ]);
  });

  test('displays HTML as plain text', () => {
    expect(lay('<script>alert(1)</script> & <b>bold</b>')).toEqual([
      'text: <script>alert(1)</script> & <b>bold</b>',
    ]);
  });

  test('keeps line breaks and collapses blank lines', () => {
    expect(lay('\r\none\r\ntwo\n\n\n\nthree\n')).toEqual(['text: one', 'text: two', 'blank:', 'text: three']);
  });

  test('recognizes headings, items, checkboxes and quotes', () => {
    expect(lay('### Steps\n1. Open\n2) Close\n- bullet\n  * deeper\n- [x] done\n- [ ] open\n> said')).toEqual(
      [
        'heading: Steps',
        'item: 1. Open',
        'item: 2) Close',
        'item: • bullet',
        'item: • deeper',
        'item: ☑ done',
        'item: ☐ open',
        'quote: said',
      ],
    );
    expect(layoutText('- a\n  * b', [])[1]?.depth).toBe(1);
  });

  test('shows fenced code verbatim, without the fence', () => {
    expect(lay('Log:\n```java\n  # not a heading\n\n`x` **y**\n```\nafter')).toEqual([
      'text: Log:',
      'code:   # not a heading',
      'code:',
      'code: `x` **y**',
      'text: after',
    ]);
  });

  test('extends an unclosed code fence to the end of the text', () => {
    expect(lay('~~~\na\n```\nb')).toEqual(['code: a', 'code: ```', 'code: b']);
  });

  test('treats an indented stack trace as code, but not an indented line of a list', () => {
    expect(lay('Exception\n\tat org.Main\n- item\n    more of it')).toEqual([
      'text: Exception',
      'code: \tat org.Main',
      'item: • item',
      'text:     more of it',
    ]);
  });

  test('styles inline code and strong text, and shows the label of a link', () => {
    expect(lay('Run `npm start`, **twice**, see [the log](https://a.example/x).')).toEqual([
      'text: Run ‹npm start›, *twice*, see the log.',
    ]);
    expect(layoutText('[a](https://a.example/x)', [])[0]?.pieces[0]?.href).toBe('https://a.example/x');
    expect(layoutText('[a](javascript:alert)', [])[0]?.pieces[0]?.href).toBeNull();
  });

  test('hides a backslash before punctuation and treats the escaped character as text', () => {
    expect(lay('1\\. Open one list')).toEqual(['text: 1. Open one list']);
    expect(lay('\\# 2\\*3 \\`no code\\` \\[no\\](link) \\*\\*not strong\\*\\*')).toEqual([
      'text: # 2*3 `no code` [no](link) **not strong**',
    ]);
    expect(lay('**a\\_b** and [c\\_d](https://a.example/x) and \\\\_')).toEqual([
      'text: *a**_b* and c_d and \\_',
    ]);
    expect(lay('`C:\\_x` and C:\\Users')).toEqual(['text: ‹C:\\_x› and C:\\Users']);
  });

  test('keeps shared passages in place if backslashes are removed', () => {
    const text = 'see foo\\_bar now';
    expect(lay(text, [{ start: 4, end: 12, number: 1 }])).toEqual(['text: see [foo][_bar|1] now']);
    expect(lay(text, [{ start: 8, end: 12, number: 1 }])).toEqual(['text: see foo[_bar|1] now']);
  });

  test('removes a comment inside a line, keeping the rest', () => {
    expect(lay('before <!-- hidden --> after')).toEqual(['text: before  after']);
  });

  test('keeps shared passages in place if syntax is removed, with their number at the end', () => {
    const text = '### Title\nSee `ERR_X` now\nand then';
    const start = text.indexOf('See');
    const end = text.indexOf(' then');
    expect(lay(text, [{ start, end, number: 2 }])).toEqual([
      'heading: Title',
      'text: [See ][‹ERR_X›][ now]',
      'text: [and|2] then',
    ]);
  });

  test('shows the number of a passage even if its end is hidden syntax', () => {
    const text = 'a **bold**\n```\ncode';
    expect(lay(text, [{ start: 2, end: 14, number: 1 }])).toEqual(['text: a [*bold*|1]', 'code: code']);
  });

  test('preserves plain text, and marks exactly the characters of each passage', () => {
    const words = fc.array(fc.constantFrom('sync', 'stops', 'at', '99%', '😀', '\n', ' '), { maxLength: 40 });
    fc.assert(
      fc.property(words, fc.nat(60), fc.nat(60), (parts, a, b) => {
        const text = parts.join('x');
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const lines = layoutText(text, [{ start, end, number: 1 }]);
        const visible = lines
          .filter((line) => line.kind === 'text')
          .map((line) => line.pieces.map((piece) => piece.text).join(''));
        expect(visible).toEqual(text.split('\n').filter((line) => line.trim() !== ''));
      }),
    );
  });

  test('parses a megabyte of brackets and backticks in linear time', () => {
    const text = '[`**<!--!['.repeat(100_000);
    const startedAt = performance.now();
    layoutText(text, []);
    layoutText('`[a](`**'.repeat(120_000), []);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});
