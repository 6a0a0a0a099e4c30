/** An address as browsers and trackers follow it: with its scheme or without. */
export const WEB_ADDRESS =
  /(?:\b[a-z][a-z0-9+.-]{0,30}:)?[/\\]{2}\[?[\p{L}\p{N}_%@][^\s<>()[\]"'`]*|\b(?:https?|ftp|mailto|javascript|vbscript|data):[^\s<>()[\]"'`]+|\bwww\.[^\s<>()[\]"'`]+/giu;

/**
 * What in a text leads somewhere, or makes a tracker do something. Repetitions that others may follow are bounded, so that
 * no text takes more than linear time.
 */
const REFERENCES: readonly RegExp[] = [
  WEB_ADDRESS,
  // A mail address.
  /[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}/giu,
  // Where a link of Markdown or of HTML leads.
  /\]\(\s*<?([^)\s>]+)/gu,
  /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)/gmu,
  /\b(?:href|src|srcset|action|poster)\s*=\s*["']?([^\s"'>]+)/giu,
  // A character by its name or number: it may hide any of these.
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/giu,
  // Somebody who is told.
  /(?<!\w)@[a-z0-9][\w-]*(?:\/[\w-]+)?/giu,
  /\[~[^\]\n]{1,200}\]/gu,
  // What closes another issue.
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):?\s+(?:issues?\s+)?(?:[\w./-]{0,200}#\d+|gh-\d+|https?:\/\/[^\s<>()[\]"'`]+)/giu,
];

/** Whether texts have an address, a mention or a word that closes an issue that is in none of the known ones. */
export function hasOtherReferences(texts: readonly string[], known: readonly string[]): boolean {
  const knownOnes = new Set(known.flatMap(referencesIn));
  return texts.flatMap(referencesIn).some((reference) => !knownOnes.has(reference));
}

function referencesIn(text: string): string[] {
  return REFERENCES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([whole, part]) => plain(part ?? whole)),
  );
}

/** Without what a sentence or Markdown puts behind it. */
function plain(reference: string): string {
  let end = reference.length;
  while (end > 0 && BEHIND.has(reference.charAt(end - 1))) end -= 1;
  return reference.slice(0, end).replace(/\s+/gu, ' ').toLowerCase();
}

const BEHIND = new Set('.,;:!?*_~|');
