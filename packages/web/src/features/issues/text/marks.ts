import type { Evidence } from '@winnow/contract/duplicate';

/**
 * Position of a shared passage in one of the two texts, as UTF-16 offsets. The number is the same
 * in both texts and starts at 1.
 */
export type Passage = { start: number; end: number; number: number };

/** A part of a text, which is either inside a shared passage or between passages. */
export type Segment = { start: number; end: number; passage: number | null };

/**
 * Returns the positions of the shared passages in one text. They are numbered in the order of the
 * first text.
 */
export function passagesOf(shared: Evidence['shared'], side: 'in1' | 'in2'): Passage[] {
  return shared
    .toSorted((one, other) => one.in1[0] - other.in1[0])
    .map((passage, index) => ({ start: passage[side][0], end: passage[side][1], number: index + 1 }));
}

/** True if an offset would split a surrogate pair. */
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
 * Splits a text into non-empty segments, inside and outside of passages. Clamps passages to the
 * text, ignores empty and reversed passages, and never splits a surrogate pair. If passages
 * overlap, the overlap belongs to the passage that starts first. If they start together, it belongs
 * to the longer one.
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
