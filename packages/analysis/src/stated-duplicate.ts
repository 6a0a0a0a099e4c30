/** So far after the word the key may stand: "is a duplicate of the older issue PROJ-12". */
const REACH = 40;
const STATES =
  /(?<!\bnot\s+(?:an?\s+|the\s+)?)(?<!n[o']t\s+)\b(?:duplicates?(?:\s+of)?|dup(?:e)?\s+of|same\s+(?:issue|bug|problem)\s+as)\b/gi;

/** Whether an issue says of itself that it is a duplicate of the one with this key, by the whole key or, as `#12`, its end. */
export function statesDuplicate({ title, body }: { title: string; body: string }, key: string): boolean {
  const names = [key, ...(/#\d+$/.exec(key) ?? [])].map(
    (name) => new RegExp(`(?<![\\w/#-])${escaped(name)}(?![\\w-])`, 'i'),
  );
  for (const text of [title, body]) {
    for (const { 0: said, index } of text.matchAll(STATES)) {
      const after =
        text.slice(index + said.length, index + said.length + REACH + key.length).split('\n', 1)[0] ?? '';
      if (names.some((name) => name.test(after))) return true;
    }
  }
  return false;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
