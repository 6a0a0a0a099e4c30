/**
 * True if a JSON value contains more than `most` values at any depth. The value itself counts.
 * Stops counting beyond `most`.
 */
export function exceedsValueCount(whole: unknown, most: number): boolean {
  const open = [whole];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen + open.length > most) return true;
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) open.push(part);
  }
  return false;
}
