import { keepBlocks, markdownOf, type Piece } from './keep-blocks.ts';
import { readWikiBlocks, type WikiPart } from './read-wiki.ts';
import { writeWikiBlocks } from './write-wiki.ts';

/** A text in the wiki markup of Jira Data Center as markdown. */
export function wikiToMarkdown(text: string): string {
  return markdownOf(piecesOf(readWikiBlocks(text)));
}

/** A new text in wiki markup that says what the markdown does. */
export function markdownToWiki(markdown: string): string {
  return mergeIntoWiki('', markdown);
}

/** The text with the edited markdown in it. Blocks of `original` whose markdown was not edited stay as they were typed. */
export function mergeIntoWiki(original: string, edited: string): string {
  const parts = readWikiBlocks(original);
  const pieces = piecesOf(parts);
  if (original !== '' && markdownOf(pieces) === edited) return original;
  let text = '';
  let last: number | null = null;
  for (const kept of keepBlocks(pieces, edited)) {
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
