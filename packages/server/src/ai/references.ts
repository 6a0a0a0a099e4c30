/** Matches an address that browsers or trackers turn into a link, with or without a scheme. */
export const WEB_ADDRESS =
  /(?:\b[a-z][a-z0-9+.-]{0,30}:)?[/\\]{2}\[?[\p{L}\p{N}_%@][^\s<>()[\]"'`]*|\b(?:https?|ftp|mailto|javascript|vbscript|data):[^\s<>()[\]"'`]+|\bwww\.[^\s<>()[\]"'`]+/giu;

/**
 * Patterns for links, mentions and keywords that trigger a tracker. Repetitions that attackers
 * could exploit are bounded, so that matching takes linear time.
 */
const REFERENCES: readonly RegExp[] = [
  WEB_ADDRESS,
  // Email addresses.
  /[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}/giu,
  // Targets of Markdown and HTML links.
  /\]\(\s*<?([^)\s>]+)/gu,
  /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)/gmu,
  /\b(?:href|src|srcset|action|poster)\s*=\s*["']?([^\s"'>]+)/giu,
  // HTML character references, which can hide a link or mention.
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/giu,
  // Mentions, which notify someone.
  /(?<!\w)@[a-z0-9][\w-]*(?:\/[\w-]+)?/giu,
  /\[~[^\]\n]{1,200}\]/gu,
  // Keywords that close another issue.
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):?\s+(?:issues?\s+)?(?:[\w./-]{0,200}#\d+|gh-\d+|https?:\/\/[^\s<>()[\]"'`]+)/giu,
];

/**
 * True if `texts` contain a link, a mention or a closing keyword that none of the `known` texts
 * contains.
 */
export function hasUnknownReferences(texts: readonly string[], known: readonly string[]): boolean {
  const knownReferences = new Set(known.flatMap(referencesIn));
  return texts.flatMap(referencesIn).some((reference) => !knownReferences.has(reference));
}

function referencesIn(text: string): string[] {
  return REFERENCES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([whole, part]) => withoutTrailingMarks(part ?? whole)),
  );
}

/** Removes trailing punctuation and Markdown syntax. */
function withoutTrailingMarks(reference: string): string {
  let end = reference.length;
  while (end > 0 && TRAILING_MARKS.has(reference.charAt(end - 1))) end -= 1;
  return reference.slice(0, end).replace(/\s+/gu, ' ').toLowerCase();
}

const TRAILING_MARKS = new Set('.,;:!?*_~|');
