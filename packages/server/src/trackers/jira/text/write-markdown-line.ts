import { type Inline, joined, type Marks } from './blocks.ts';
import { readCell, readMarkdown, readMarkdownLine } from './read-markdown.ts';
import { escapeAll, escapeLittle, plainAtom, writePieces } from './write-markdown-pieces.ts';

/** Writes the lines of a paragraph. Each becomes a line of the Markdown source. */
export function writeLines(inlines: readonly Inline<unknown>[]): string {
  return firstThat(withBreaks(linesIn(inlines)), '  \n', (text) => {
    const [part, ...more] = readMarkdown(text);
    return more.length > 0 || part?.block.type !== 'paragraph' ? null : part.block.inlines;
  });
}

/** Writes the text of a heading as a single line. */
export function writeHeading(inlines: readonly Inline<unknown>[]): string {
  const space: Inline = { type: 'text', text: ' ', marks: {} };
  const line = linesIn(inlines).flatMap((pieces) => [space, ...pieces]);
  return firstThat(trimmedLine(line), '', readMarkdownLine).replace(/(?<!\\)#+$/, '\\$&');
}

/** Writes a table cell. Its lines are separated by the HTML tag `<br>`. */
export function writeCell(inlines: readonly Inline<unknown>[]): string {
  return linesIn(inlines)
    .map((line) => firstThat(line, '', (text) => readCell(text)))
    .join('<br>')
    .replaceAll('|', '\\|');
}

/**
 * Writes a line with different options for emphasis and escaping. Returns the first result that is
 * parsed back to the same visible content. Tries all emphasis and little escaping first.
 */
function firstThat(
  pieces: readonly Inline<unknown>[],
  lineBreak: string,
  read: (text: string) => Inline[] | null,
): string {
  const inlines = withPlainEdges(pieces);
  const words = withBreaks(linesIn(inlines.map((inline) => withoutEmphasis(inline, { keepsCode: true }))));
  const bare = withBreaks(linesIn(inlines.map((inline) => withoutEmphasis(inline, { keepsCode: false }))));
  // Next to some letters and punctuation, Markdown cannot express emphasis. So the last options
  // omit the emphasis.
  const ways = [
    [inlines, { quote: escapeLittle, em: '_', lineBreak }],
    [inlines, { quote: escapeAll, em: '_', lineBreak }],
    [inlines, { quote: escapeLittle, em: '*', lineBreak }],
    [inlines, { quote: escapeAll, em: '*', lineBreak }],
    [words, { quote: escapeLittle, em: '_', lineBreak }],
    [words, { quote: escapeAll, em: '_', lineBreak }],
    [bare, { quote: escapeLittle, em: '_', lineBreak }],
  ] as const;
  for (const [way, style] of ways) {
    const text = writePieces(way, style);
    if (isPlain(way)) return text;
    const seen = read(text);
    if (seen !== null && shows(seen) === shows(way)) return text;
  }
  return writePieces(bare, { quote: escapeAll, em: '_', lineBreak });
}

function isPlain(inlines: readonly Inline<unknown>[]): boolean {
  return inlines.every(
    (inline) =>
      inline.type === 'text' &&
      Object.keys(inline.marks).length === 0 &&
      /^[\p{L}\p{N} ,;:'"()?%/]*$/u.test(inline.text),
  );
}

function withoutEmphasis(inline: Inline<unknown>, { keepsCode }: { keepsCode: boolean }): Inline<unknown> {
  if (inline.type !== 'text') return inline;
  const { href, code } = inline.marks;
  return {
    ...inline,
    marks: { ...(code && keepsCode ? { code } : {}), ...(href === undefined ? {} : { href }) },
  };
}

/** Returns a text that identifies the visible content of the pieces, for comparison. */
function shows(inlines: readonly Inline<unknown>[]): string {
  return JSON.stringify(withPlainEdges(inlines));
}

/**
 * Removes formatting from spaces at the edge of a piece, unless both neighboring pieces have the
 * same formatting. Formatted spaces look like plain ones, and Markdown cannot express them.
 */
function withPlainEdges(inlines: readonly Inline<unknown>[]): Inline[] {
  const pieces = joined(inlines.map(plainAtom)).flatMap((inline): Inline[] => {
    if (inline.type !== 'text' || inline.marks.code) return [inline];
    const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inline.text) ?? [];
    return [
      { ...inline, text: before, marks: {} },
      { ...inline, text: words },
      { ...inline, text: after, marks: {} },
    ];
  });
  const parts = joined(pieces.filter((piece) => piece.type !== 'text' || piece.text !== ''));
  return joined(
    parts.map((part, index) => {
      const isSpace = part.type === 'text' && !part.marks.code && part.text.trim() === '';
      return isSpace ? { ...part, marks: commonMarks(parts[index - 1], parts[index + 1]) } : part;
    }),
  );
}

function commonMarks(left: Inline | undefined, right: Inline | undefined): Marks {
  if (left?.type !== 'text' || right?.type !== 'text') return {};
  const [one, other] = [left.marks, right.marks];
  return {
    ...(one.strong && other.strong ? { strong: true } : {}),
    ...(one.em && other.em ? { em: true } : {}),
    ...(one.strike && other.strike ? { strike: true } : {}),
    ...(one.href !== undefined && one.href === other.href ? { href: one.href } : {}),
  };
}

/**
 * Splits pieces into lines. Removes empty lines, and spaces at the ends of each line, because
 * Markdown ignores them.
 */
export function linesIn(inlines: readonly Inline<unknown>[]): Inline<unknown>[][] {
  const lines: Inline<unknown>[][] = [[]];
  for (const inline of inlines.map(plainAtom)) {
    if (inline.type === 'break') lines.push([]);
    else
      lines
        .at(-1)
        ?.push(
          inline.type === 'text' ? { ...inline, text: inline.text.replace(/[\t\n\r\f\v]/g, ' ') } : inline,
        );
  }
  return lines.map(trimmedLine).filter((line) => line.length > 0);
}

function withBreaks(lines: readonly Inline<unknown>[][]): Inline<unknown>[] {
  return lines.flatMap((line, index): Inline<unknown>[] =>
    index === 0 ? line : [{ type: 'break' }, ...line],
  );
}

function trimmedLine(line: readonly Inline<unknown>[]): Inline<unknown>[] {
  const pieces = joined(line);
  const trim = (at: number, pattern: RegExp) => {
    for (let piece = pieces.at(at); piece?.type === 'text' && !piece.marks.code; piece = pieces.at(at)) {
      const text = piece.text.replace(pattern, '');
      if (text !== '') {
        pieces.splice(at, 1, { ...piece, text });
        return;
      }
      pieces.splice(at, 1);
    }
  };
  trim(0, /^\s+/);
  trim(-1, /\s+$/);
  return pieces;
}
