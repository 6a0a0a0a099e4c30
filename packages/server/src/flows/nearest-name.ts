/** Maximum number of characters of the typed name that are compared. */
const MAX_COMPARED_CHARS = 100;

/** Returns the name with the smallest edit distance to the typed name. */
export function nearestName(typed: string, names: readonly string[]): string {
  const distances = names.map((name) => distance(typed.toLowerCase().slice(0, MAX_COMPARED_CHARS), name));
  return names[distances.indexOf(Math.min(...distances))] ?? '';
}

/** Returns the Levenshtein distance of two names. */
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
