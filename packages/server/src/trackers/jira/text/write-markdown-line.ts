import { type Inline, joined } from './blocks.ts';
import { readCell, readMarkdown, readMarkdownLine } from './read-markdown.ts';
import { escapeAll, escapeLittle, plainAtom, writePieces } from './write-markdown-pieces.ts';

/** A paragraph, each of its lines on one of its own. */
export function writeLines(inlines: readonly Inline<unknown>[]): string {
  return firstThat(withBreaks(linesIn(inlines)), '  \n', (text) => {
    const [part, ...more] = readMarkdown(text);
    return more.length > 0 || part?.block.type !== 'paragraph' ? null : part.block.inlines;
  });
}

/** A heading, which is one line. */
export function writeHeading(inlines: readonly Inline<unknown>[]): string {
  const space: Inline = { type: 'text', text: ' ', marks: {} };
  const line = linesIn(inlines).flatMap((pieces) => [space, ...pieces]);
  return firstThat(trimmedLine(line), '', readMarkdownLine).replace(/(?<!\\)#+$/, '\\$&');
}

/** A cell, whose lines are parted by the HTML tag. */
export function writeCell(inlines: readonly Inline<unknown>[]): string {
  return linesIn(inlines)
    .map((line) => firstThat(line, '', (text) => readCell(text)))
    .join('<br>')
    .replaceAll('|', '\\|');
}

/** The lightest way to write the pieces that is read back as what they are. */
function firstThat(
  inlines: readonly Inline<unknown>[],
  lineBreak: string,
  read: (text: string) => Inline[] | null,
): string {
  const words = withBreaks(linesIn(inlines.map(unmarked)));
  // Emphasis next to letters and signs cannot always be written; the words can.
  const ways = [
    [inlines, escapeLittle],
    [inlines, escapeAll],
    [words, escapeLittle],
  ] as const;
  for (const [pieces, quote] of ways) {
    const text = writePieces(pieces, quote, lineBreak);
    if (isPlain(pieces)) return text;
    const seen = read(text);
    if (seen !== null && shows(seen) === shows(pieces)) return text;
  }
  return writePieces(words, escapeAll, lineBreak);
}

function isPlain(inlines: readonly Inline<unknown>[]): boolean {
  return inlines.every(
    (inline) =>
      inline.type === 'text' &&
      Object.keys(inline.marks).length === 0 &&
      /^[\p{L}\p{N} ,;:'"()?%/]*$/u.test(inline.text),
  );
}

function unmarked(inline: Inline<unknown>): Inline<unknown> {
  if (inline.type !== 'text') return inline;
  const { href } = inline.marks;
  return { ...inline, marks: href === undefined ? {} : { href } };
}

/** What a reader sees, to compare by. */
function shows(inlines: readonly Inline<unknown>[]): string {
  return JSON.stringify(joined(inlines.map(plainAtom)));
}

/** The lines of the pieces, without the spaces around them, which markdown does not keep, and without empty ones. */
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
