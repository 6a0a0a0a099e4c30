/** What somebody types of a name is compared up to here. */
const MAX_NAME_CHARS = 100;

/** The name that somebody most likely meant: the one that takes the fewest changes of a letter. */
export function nearestName(typed: string, names: readonly string[]): string {
  const distances = names.map((name) => distance(typed.toLowerCase().slice(0, MAX_NAME_CHARS), name));
  return names[distances.indexOf(Math.min(...distances))] ?? '';
}

/** How many letters have to be put in, taken out or replaced (Levenshtein 1965). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const replaced = (row[at] ?? 0) + (letter === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
