const LONGEST = 300;

/** What the `message` parameter says to a person: underscores are spaces, and a page is not a place for essays. */
export function noticeText(parameter: string): string {
  const text = parameter.replaceAll('_', ' ').trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
