import { describe, expect, test } from 'vitest';
import { foldLines } from './fold.ts';
import { layoutText, type TextLine } from './lines.ts';
import type { Passage } from './marks.ts';

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
}

function shown(lines: TextLine[]): string[] {
  return foldLines(lines).rows.map((row) =>
    row.kind === 'gap' ? `(${row.lines} lines)` : row.line.pieces.map((piece) => piece.text).join(''),
  );
}

function passageOn(text: string, part: string): Passage {
  const start = text.indexOf(part);
  return { start, end: start + part.length, number: 1 };
}

describe('foldLines', () => {
  test('does not fold a short text', () => {
    const { rows, folded } = foldLines(layoutText(numbered(14), []));
    expect(folded).toBe(false);
    expect(rows).toHaveLength(14);
    expect(foldLines([])).toEqual({ rows: [], folded: false });
  });

  test('keeps the beginning of a long text and counts the hidden lines', () => {
    const lines = layoutText(numbered(40), []);
    expect(shown(lines)).toEqual([...numbered(8).split('\n'), '(32 lines)']);
    expect(foldLines(lines).folded).toBe(true);
  });

  test('keeps a line with a shared passage after the beginning', () => {
    const text = numbered(60);
    expect(shown(layoutText(text, [passageOn(text, 'line 30')])).slice(8)).toEqual([
      '(21 lines)',
      'line 30',
      '(30 lines)',
    ]);
  });

  test('keeps the same lines when the marked passages change', () => {
    const text = numbered(60);
    const [one, other] = [passageOn(text, 'line 30'), passageOn(text, 'line 50')];
    const all = layoutText(text, [one, other]);
    const rows = foldLines(layoutText(text, [one]), all).rows;
    expect(rows.map(({ kind }) => kind)).toEqual(foldLines(all).rows.map(({ kind }) => kind));
    const marked = rows.filter(
      (row) => row.kind === 'line' && row.line.pieces.some(({ passage }) => passage !== null),
    );
    expect(marked).toHaveLength(1);
  });

  test('truncates a long line but keeps its first passage', () => {
    const text = `${'a '.repeat(50_000)}ERR_TIMEOUT ${'b '.repeat(50_000)}`;
    const [row] = shown(layoutText(text, [passageOn(text, 'ERR_TIMEOUT')]));
    expect(row).toContain('ERR_TIMEOUT');
    expect(row?.length).toBeLessThan(340);
    expect(row?.startsWith(' … ')).toBe(true);
  });

  test('omits the number of a passage if its end is truncated', () => {
    const text = 'c'.repeat(2000);
    const { rows } = foldLines(layoutText(text, [{ start: 0, end: 2000, number: 1 }]));
    const pieces = rows.flatMap((row) => (row.kind === 'line' ? row.line.pieces : []));
    expect(pieces.some((piece) => piece.endsPassage)).toBe(false);
  });
});
