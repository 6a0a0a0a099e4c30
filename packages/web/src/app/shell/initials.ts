/**
 * Returns up to two initials. They come from the first and last word of the name. Without a name,
 * returns the start of the username.
 */
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
