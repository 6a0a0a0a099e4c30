/**
 * How a text of `reader` names another issue: by key within a tracker, which makes a link of it; by a link of our own
 * across trackers; and as code where there is no address, because the reader's tracker may know the key as another's.
 */
export function mention(
  issue: { key: string; url: string; trackerId: string },
  reader: { trackerId: string },
): string {
  if (issue.trackerId === reader.trackerId) return issue.key;
  const url = URL.canParse(issue.url) ? new URL(issue.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return `\`${issue.key}\``;
  return `[${issue.key}](${url.href.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
}
