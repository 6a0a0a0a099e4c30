/**
 * Maximum characters between the word “duplicate” and the issue key, as in "duplicate of the older
 * issue PROJ-12".
 */
const MAX_GAP_CHARS = 40;
const STATES =
  /(?<!\bnot\s+(?:an?\s+|the\s+)?)(?<!n[o']t\s+)\b(?:duplicates?(?:\s+of)?|dup(?:e)?\s+of|same\s+(?:issue|bug|problem)\s+as)\b/gi;

/**
 * True if an issue states that it is a duplicate of the issue `key`. Its text may contain the whole
 * key, or only the end, such as `#12`.
 */
export function statesDuplicate({ title, body }: { title: string; body: string }, key: string): boolean {
  const names = [key, ...(/#\d+$/.exec(key) ?? [])].map(
    (name) => new RegExp(`(?<![\\w/#-])${escaped(name)}(?![\\w-])`, 'i'),
  );
  for (const text of [title, body]) {
    for (const { 0: said, index } of text.matchAll(STATES)) {
      const after =
        text.slice(index + said.length, index + said.length + MAX_GAP_CHARS + key.length).split('\n', 1)[0] ??
        '';
      if (names.some((name) => name.test(after))) return true;
    }
  }
  return false;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
