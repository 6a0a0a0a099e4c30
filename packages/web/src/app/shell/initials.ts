/** Up to two capitals that stand for a person: first and last word of the name, else the username's start. */
export function initials(fullName: string | null, username: string): string {
  const words = (fullName ?? '').trim().split(/\s+/u).filter(Boolean);
  const first = words[0];
  const last = words.length > 1 ? words.at(-1) : undefined;
  const letters = first === undefined ? Array.from(username).slice(0, 2) : [first, last ?? ''];
  return letters
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toLocaleUpperCase('en');
}
