import type { Evidence } from '@winnow/contract/duplicate';

/** A shared passage as it stands in one text: UTF-16 offsets, and the number it carries on both sides, from 1. */
export type Passage = { start: number; end: number; number: number };

/** A part of a text, inside a passage or between two. */
export type Segment = { start: number; end: number; passage: number | null };

/** The passages of one side. They are numbered in the order in which the first text has them. */
export function passagesOf(shared: Evidence['shared'], side: 'in1' | 'in2'): Passage[] {
  return shared
    .toSorted((one, other) => one.in1[0] - other.in1[0])
    .map((passage, index) => ({ start: passage[side][0], end: passage[side][1], number: index + 1 }));
}

/** Whether an offset would cut a character that UTF-16 writes in two units. */
function cutsCharacter(text: string, offset: number): boolean {
  return (
    offset > 0 &&
    offset < text.length &&
    /[\udc00-\udfff]/.test(text.charAt(offset)) &&
    /[\ud800-\udbff]/.test(text.charAt(offset - 1))
  );
}

function clamped(text: string, { start, end, number }: Passage): Passage | null {
  if (!Number.isFinite(start) || !Number.isFinite(end)) return null;
  const from = Math.min(Math.max(0, Math.trunc(start)), text.length);
  const to = Math.min(Math.max(0, Math.trunc(end)), text.length);
  if (from >= to) return null;
  return {
    start: cutsCharacter(text, from) ? from - 1 : from,
    end: cutsCharacter(text, to) ? to + 1 : to,
    number,
  };
}

/**
 * Splits a text at its passages. The segments are in order, never empty, and together they are the whole text.
 * Offsets outside the text are cut to it, empty and reversed passages are left out, no character is cut in two, and
 * what two passages both claim belongs to the one that begins first (the longer one, when they begin together).
 */
export function splitMarked(text: string, passages: readonly Passage[]): Segment[] {
  const inOrder = passages
    .map((passage) => clamped(text, passage))
    .filter((passage) => passage !== null)
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  const segments: Segment[] = [];
  let done = 0;
  for (const { start, end, number } of inOrder) {
    if (end <= done) continue;
    if (start > done) segments.push({ start: done, end: start, passage: null });
    const from = Math.max(start, done);
    segments.push({ start: from, end, passage: number });
    done = end;
  }
  if (done < text.length) segments.push({ start: done, end: text.length, passage: null });
  return segments;
}
