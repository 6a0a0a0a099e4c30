import type { Reference } from '../references.ts';

/**
 * Placeholder for each character of an issue mention. A private-use character, removed from the
 * text itself.
 */
export const MENTION = '\uE000';

const MARKDOWN_LINK = /\[([^[\]\n]{0,300})\]\(([^()\s]{0,1000})(?: "[^"\n]{0,200}")?\)/g;
const WIKI_LINK = /\[([^[\]|\n]{1,300})\|([^[\]\n]{1,1000})\]/g;
const STRUCK = /~~[^~\n]{1,500}~~/g;
const FORMATTING_MARKS = /[*~<>[\]"“”„«»]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Prepares the result of `proseOf` for the search for phrases. Mentions become runs of `MENTION`.
 * Markdown marks and struck-out text become blanks. Offsets stay valid.
 */
export function maskMentions(prose: string, references: readonly Reference[]): string {
  let view = '';
  let from = 0;
  for (const { start, end } of references) {
    view += prose.slice(from, start).replaceAll(MENTION, ' ') + MENTION.repeat(end - start);
    from = end;
  }
  view += prose.slice(from).replaceAll(MENTION, ' ');
  return view
    .replace(STRUCK, (struck) => ' '.repeat(struck.length))
    .replace(MARKDOWN_LINK, unlinked)
    .replace(WIKI_LINK, unlinked)
    .replace(FORMATTING_MARKS, ' ');
}

/**
 * Replaces a link by its words, padded with blanks to the same length. If only the link target is a
 * mention, preserves the target, too.
 */
function unlinked(link: string, words: string, target: string): string {
  const isMention = target !== '' && target.replaceAll(MENTION, '') === '' && !words.includes(MENTION);
  const start = link.indexOf(words, 1);
  const kept = ' '.repeat(start) + words;
  if (!isMention) return kept.padEnd(link.length);
  return (kept + ' '.repeat(link.indexOf(target, kept.length) - kept.length) + target).padEnd(link.length);
}
