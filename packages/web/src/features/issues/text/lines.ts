import { inlineRanges, type Range } from './inline.ts';
import { type Passage, type Segment, splitMarked } from './marks.ts';

/** Characters with the same formatting. */
export type Piece = {
  text: string;
  /** Number of the shared passage that contains this piece; null outside of passages. */
  passage: number | null;
  /**
   * True if this is the last visible piece of its passage. The number of the passage is displayed
   * after it.
   */
  endsPassage: boolean;
  style: 'plain' | 'code' | 'strong' | 'em';
  /** Address of the web page that the piece links to; null without a link. */
  href: string | null;
};

type LineKind = 'text' | 'heading' | 'item' | 'quote' | 'code' | 'blank';

/** A line of a Markdown text, formatted for display. */
export type TextLine = {
  kind: LineKind;
  /** Bullet or number of a list item; empty if the line is no list item. */
  marker: string;
  /** Nesting depth of a list item, starting at 0. */
  depth: number;
  pieces: Piece[];
};

type Draft = { kind: LineKind; marker: string; depth: number; ranges: Range[] };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const LIST_ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?/;
const QUOTE = /^ {0,3}>[ \t]?/;
const INDENTED = /^(?:\t| {4,})\S/;
const MAX_ITEM_DEPTH = 4;

/**
 * Returns the parts of a line that are outside of HTML comments. Also returns whether a comment is
 * open at the end of the line.
 */
function outsideComments(
  text: string,
  start: number,
  end: number,
  open: boolean,
): { visible: [number, number][]; open: boolean } {
  const visible: [number, number][] = [];
  let at = start;
  let inside = open;
  while (at < end) {
    const found = text.slice(at, end).indexOf(inside ? '-->' : '<!--');
    const stop = found === -1 ? end : at + found;
    if (!inside && stop > at) visible.push([at, stop]);
    if (found === -1) return { visible, open: inside };
    at = stop + (inside ? 3 : 4);
    inside = !inside;
  }
  return { visible, open: inside };
}

function itemMarker(bullet: string, box: string | undefined): string {
  if (box !== undefined) return box === ' ' ? '☐' : '☑';
  return /\d/.test(bullet) ? bullet : '•';
}

function draftOf(text: string, visible: [number, number][], afterItem: boolean): Draft {
  const [first, ...rest] = visible;
  if (first === undefined || visible.every(([from, to]) => text.slice(from, to).trim() === '')) {
    return { kind: 'blank', marker: '', depth: 0, ranges: [] };
  }
  const [start, end] = first;
  const head = text.slice(start, end);
  if (INDENTED.test(head) && !afterItem && !LIST_ITEM.test(head)) {
    return { kind: 'code', marker: '', depth: 0, ranges: [{ start, end, style: 'plain', href: null }] };
  }
  const item = LIST_ITEM.exec(head);
  const prefix = HEADING.exec(head)?.[0] ?? item?.[0] ?? QUOTE.exec(head)?.[0] ?? '';
  const kind = HEADING.test(head) ? 'heading' : item ? 'item' : QUOTE.test(head) ? 'quote' : 'text';
  const ranges = [[start + prefix.length, end] as const, ...rest].flatMap(([from, to]) =>
    inlineRanges(text, from, to),
  );
  const indent = item ? (item[1] ?? '').replaceAll('\t', '    ').length : 0;
  return {
    kind,
    marker: item ? itemMarker(item[2] ?? '', item[3]) : '',
    depth: Math.min(MAX_ITEM_DEPTH, Math.floor(indent / 2)),
    ranges,
  };
}

/** Parses lines, including syntax that spans several lines: code fences, comments and lists. */
function draftsOf(text: string): Draft[] {
  const drafts: Draft[] = [];
  let fence: string | null = null;
  let inComment = false;
  let inList = false;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const stop = newline === -1 ? text.length : newline;
    const end = stop > start && text.charAt(stop - 1) === '\r' ? stop - 1 : stop;
    const raw = text.slice(start, end);
    const next = stop + 1;
    const mark = inComment ? undefined : FENCE.exec(raw)?.[1];
    if (fence !== null) {
      const closes = mark?.startsWith(fence) === true && raw.trim() === mark;
      if (closes) fence = null;
      else
        drafts.push({
          kind: 'code',
          marker: '',
          depth: 0,
          ranges: end > start ? [{ start, end, style: 'plain', href: null }] : [],
        });
    } else if (mark !== undefined) {
      fence = mark;
    } else {
      const { visible, open } = outsideComments(text, start, end, inComment);
      const onlyComment = visible.length === 0 && (inComment || raw.trim() !== '');
      inComment = open;
      if (!onlyComment) {
        const draft = draftOf(text, visible, inList);
        drafts.push(draft);
        if (draft.kind !== 'blank') inList = draft.kind === 'item' || (inList && /^\s/.test(raw));
      }
    }
    start = next;
  }
  return drafts;
}

function blankAt(lines: readonly Draft[], index: number): boolean {
  return lines[index]?.kind === 'blank';
}

/** Removes blank lines at the beginning and at the end, and collapses consecutive blank lines. */
function tidied(drafts: readonly Draft[]): Draft[] {
  const kept = drafts.filter(
    (draft, index) => draft.kind !== 'blank' || !(index === 0 || blankAt(drafts, index - 1)),
  );
  while (blankAt(kept, kept.length - 1)) kept.pop();
  while (blankAt(kept, 0)) kept.shift();
  return kept;
}

/**
 * Splits each line into pieces. A new piece starts where the style changes, and where a shared
 * passage starts or ends. Both lists are sorted by offset, so one pass suffices.
 */
function cutAt(text: string, drafts: readonly Draft[], segments: readonly Segment[]): TextLine[] {
  let index = 0;
  return drafts.map(({ kind, marker, depth, ranges }) => {
    const pieces: Piece[] = [];
    for (const { start, end, style, href } of ranges) {
      let at = start;
      while (at < end) {
        let segment = segments[index];
        while (segment !== undefined && segment.end <= at) {
          index += 1;
          segment = segments[index];
        }
        const to = Math.min(end, segment?.end ?? end);
        pieces.push({
          text: text.slice(at, to),
          passage: segment?.passage ?? null,
          endsPassage: false,
          style,
          href,
        });
        at = to;
      }
    }
    return { kind, marker, depth, pieces };
  });
}

function withNumbers(lines: TextLine[]): TextLine[] {
  const seen = new Set<number>();
  for (const line of lines.toReversed()) {
    for (const piece of line.pieces.toReversed()) {
      if (piece.passage === null || seen.has(piece.passage)) continue;
      seen.add(piece.passage);
      piece.endsPassage = true;
    }
  }
  return lines;
}

/**
 * Converts a Markdown description to formatted lines. Removes syntax, comments and code fences. All
 * other characters keep their order. Passages are offsets in the original text.
 */
export function layoutText(text: string, passages: readonly Passage[]): TextLine[] {
  return withNumbers(cutAt(text, tidied(draftsOf(text)), splitMarked(text, passages)));
}
