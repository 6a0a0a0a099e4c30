/** Whether a value of JSON has more than so many others in it, at any depth, itself counted; it looks no further than that. */
export function hasMoreValues(whole: unknown, most: number): boolean {
  const open = [whole];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen + open.length > most) return true;
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) open.push(part);
  }
  return false;
}
