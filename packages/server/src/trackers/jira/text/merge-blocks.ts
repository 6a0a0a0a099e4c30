import type { Block, Inline } from './blocks.ts';
import { type MarkdownPart, readMarkdown } from './read-markdown.ts';
import { writeMarkdown } from './write-markdown.ts';

/**
 * One block of a document: its original form in the tracker, and the Markdown blocks that it
 * becomes.
 */
export interface Piece<Source, Original> {
  original: Original;
  blocks: Block<Source>[];
}

/** Part of a merged document: the index of a retained original block, or new blocks. */
export type MergedPart<Source> = { kept: number } | { blocks: Block<Source>[] };

/** Returns the Markdown of a document. Blocks without visible content are omitted. */
export function markdownOf(pieces: readonly Piece<unknown, unknown>[]): string {
  return writeMarkdown(pieces.map(({ blocks }) => blocks))
    .filter((text) => text !== '')
    .join('\n\n');
}

/**
 * Merges an edited Markdown text with the original document.
 *
 * An original block is retained if the edited text contains its Markdown, in the same order.
 * Invisible blocks are always retained. In new blocks, text that equals the text of a removed atom
 * (such as a mention) becomes that atom again.
 */
export function mergeBlocks<Source>(
  pieces: readonly Piece<Source, unknown>[],
  edited: string,
): MergedPart<Source>[] {
  const texts = writeMarkdown(pieces.map(({ blocks }) => blocks));
  const parts = readMarkdown(edited);
  const matches = matchesOf(texts, parts);
  const taken = new Set(matches.map(({ piece }) => piece));
  const atoms = new Atoms(
    pieces.filter((_, index) => !taken.has(index)).flatMap(({ blocks }) => blocks.flatMap(atomsOf)),
  );
  const result: MergedPart<Source>[] = [];
  let nextPiece = 0;
  let nextPart = 0;
  const goTo = (piece: number, part: number) => {
    for (; nextPiece < piece && texts[nextPiece] === ''; nextPiece += 1) result.push({ kept: nextPiece });
    const blocks = parts.slice(nextPart, part).map(({ block }) => atoms.restore(block));
    if (blocks.length > 0) result.push({ blocks });
    for (; nextPiece < piece; nextPiece += 1) if (texts[nextPiece] === '') result.push({ kept: nextPiece });
    nextPart = part;
  };
  for (const { piece, part, length } of matches) {
    goTo(piece, part);
    result.push({ kept: piece });
    nextPiece = piece + 1;
    nextPart = part + length;
  }
  goTo(pieces.length, parts.length);
  return result;
}

interface Match {
  piece: number;
  part: number;
  /** Number of blocks in the edited text that match the original block. */
  length: number;
}

/**
 * Finds the original blocks that the edited text still contains, as the longest common subsequence
 * of the two. An original block may match several blocks of the edited text.
 */
function matchesOf(texts: readonly string[], parts: readonly MarkdownPart[]): Match[] {
  const pieces = texts.map((text) => readMarkdown(text).map(({ source }) => source));
  const fits = (piece: readonly string[], at: number) =>
    piece.length > 0 && piece.every((source, index) => parts[at + index]?.source === source);
  const head: Match[] = [];
  let [from, start] = [0, 0];
  for (; from < pieces.length; from += 1) {
    const piece = pieces[from] ?? [];
    if (piece.length > 0 && !fits(piece, start)) break;
    if (piece.length > 0) head.push({ piece: from, part: start, length: piece.length });
    start += piece.length;
  }
  const tail: Match[] = [];
  let [to, end] = [pieces.length, parts.length];
  for (; to > from; to -= 1) {
    const piece = pieces[to - 1] ?? [];
    if (piece.length > 0 && (end - piece.length < start || !fits(piece, end - piece.length))) break;
    end -= piece.length;
    if (piece.length > 0) tail.unshift({ piece: to - 1, part: end, length: piece.length });
  }
  return [...head, ...longest(pieces, fits, { from, to, start, end }), ...tail];
}

function longest(
  pieces: readonly (readonly string[])[],
  fits: (piece: readonly string[], at: number) => boolean,
  range: { from: number; to: number; start: number; end: number },
): Match[] {
  const { from, to, start, end } = range;
  const width = end - start + 1;
  const best = new Int32Array((to - from + 1) * width);
  const at = (piece: number, part: number) => (piece - from) * width + (part - start);
  const valueAt = (piece: number, part: number) => best[at(piece, part)] ?? 0;
  const takes = (piece: number, part: number): number => {
    const sources = pieces[piece] ?? [];
    return part + sources.length <= end && fits(sources, part) ? sources.length : 0;
  };
  for (let piece = to - 1; piece >= from; piece -= 1) {
    for (let part = end; part >= start; part -= 1) {
      const length = takes(piece, part);
      const without = Math.max(valueAt(piece + 1, part), part < end ? valueAt(piece, part + 1) : 0);
      const withIt = length === 0 ? 0 : length + valueAt(piece + 1, part + length);
      best[at(piece, part)] = Math.max(without, withIt);
    }
  }
  const matches: Match[] = [];
  for (let [piece, part] = [from, start]; piece < to && part < end; ) {
    const length = takes(piece, part);
    if (length > 0 && valueAt(piece, part) === length + valueAt(piece + 1, part + length)) {
      matches.push({ piece, part, length });
      piece += 1;
      part += length;
    } else if (valueAt(piece, part) === valueAt(piece + 1, part)) {
      piece += 1;
    } else {
      part += 1;
    }
  }
  return matches;
}

type Atom<Source> = Extract<Inline<Source>, { type: 'atom' }>;

function atomsOf<Source>(block: Block<Source>): Atom<Source>[] {
  const among = (inlines: readonly Inline<Source>[]) =>
    inlines.flatMap((inline) => (inline.type === 'atom' ? [inline] : []));
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return among(block.inlines);
    case 'quote':
      return block.blocks.flatMap(atomsOf);
    case 'list':
      return block.items.flatMap(({ blocks }) => blocks.flatMap(atomsOf));
    case 'table':
      return block.rows.flatMap((row) => row.flatMap(among));
    case 'code':
    case 'rule':
      return [];
  }
}

/** Atoms (such as mentions) of edited blocks. Each atom is restored at most once. */
class Atoms<Source> {
  readonly #left: Atom<Source>[];

  constructor(atoms: Atom<Source>[]) {
    this.#left = atoms.filter(({ text, url }) => text !== '' || url !== null);
  }

  restore(block: Block): Block<Source> {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return { ...block, inlines: this.#inlines(block.inlines) };
      case 'quote':
        return { ...block, blocks: block.blocks.map((inner) => this.restore(inner)) };
      case 'list': {
        const items = block.items.map((item) => {
          return { ...item, blocks: item.blocks.map((inner) => this.restore(inner)) };
        });
        return { ...block, items };
      }
      case 'table':
        return { ...block, rows: block.rows.map((row) => row.map((cell) => this.#inlines(cell))) };
      case 'code':
      case 'rule':
        return block;
    }
  }

  #inlines(inlines: readonly Inline[]): Inline<Source>[] {
    return inlines.flatMap((inline): Inline<Source>[] => {
      if (inline.type === 'image') return [this.#take(({ url }) => url === inline.url) ?? inline];
      if (inline.type !== 'text' || inline.marks.code) return [inline];
      return this.#inText(inline);
    });
  }

  #inText(inline: Extract<Inline, { type: 'text' }>): Inline<Source>[] {
    const { text } = inline;
    const found = this.#take((atom) => atom.url === null && text.includes(atom.text));
    if (found === undefined) return text === '' ? [] : [inline];
    const at = text.indexOf(found.text);
    const before = { ...inline, text: text.slice(0, at) };
    const after = { ...inline, text: text.slice(at + found.text.length) };
    return [...this.#inText(before), found, ...this.#inText(after)];
  }

  #take(fits: (atom: Atom<Source>) => boolean): Atom<Source> | undefined {
    const index = this.#left.findIndex(fits);
    return index === -1 ? undefined : this.#left.splice(index, 1)[0];
  }
}
