import { markdownOf, mergeBlocks, type Piece } from './merge-blocks.ts';
import { readWikiBlocks, type WikiPart } from './read-wiki.ts';
import { writeWikiBlocks } from './write-wiki.ts';

/** Converts Jira Data Center's wiki markup to Markdown. */
export function wikiToMarkdown(text: string): string {
  return markdownOf(piecesOf(readWikiBlocks(text)));
}

/** Converts Markdown to new wiki markup for Jira Data Center. */
export function markdownToWiki(markdown: string): string {
  return mergeIntoWiki('', markdown);
}

/**
 * Applies edited Markdown to a text in wiki markup. A block of `original` whose Markdown is
 * unchanged stays exactly as its author typed it.
 */
export function mergeIntoWiki(original: string, edited: string): string {
  const parts = readWikiBlocks(original);
  const pieces = piecesOf(parts);
  if (original !== '' && markdownOf(pieces) === edited) return original;
  let text = '';
  let last: number | null = null;
  for (const kept of mergeBlocks(pieces, edited)) {
    const part = 'kept' in kept ? parts[kept.kept] : undefined;
    const isNext = 'kept' in kept && last !== null && kept.kept === last + 1;
    const between = isNext ? original.slice(parts[last ?? 0]?.end, part?.start) : '\n\n';
    const written = part === undefined ? '' : original.slice(part.start, part.end);
    const next = 'kept' in kept ? written : writeWikiBlocks(kept.blocks);
    text += text === '' ? next : between + next;
    last = 'kept' in kept ? kept.kept : null;
  }
  return text;
}

function piecesOf(parts: readonly WikiPart[]): Piece<string, WikiPart>[] {
  return parts.map((original) => ({ original, blocks: original.blocks }));
}
