/** An issue that is mentioned in a text about another issue. */
export interface MentionedIssue {
  key: string;
  url: string;
  trackerId: string;
  /** Name and type of the issue's tracker. */
  trackerLabel: string;
}

/** The issue whose text mentions another issue. */
type Reader = Pick<MentionedIssue, 'key' | 'trackerId'>;

const ENDING_ISSUE_NUMBER = /[#!-]\d+$/;

/**
 * True if two issues of different trackers have keys with the same project name. This happens if
 * one tracker mirrors the other.
 */
export function couldBeConfused(one: Reader, other: Reader): boolean {
  const projectOf = ({ key }: Reader) => key.replace(ENDING_ISSUE_NUMBER, '').toLowerCase();
  return one.trackerId !== other.trackerId && projectOf(one) === projectOf(other);
}

/**
 * Returns the name of an issue for a sentence that also names `other`. That is its key, and also
 * its tracker if the two could be confused.
 */
export function keyBeside(issue: MentionedIssue, other: Reader): string {
  return couldBeConfused(issue, other) ? `${issue.key} in ${issue.trackerLabel}` : issue.key;
}

/**
 * Returns the text by which the issue `reader` mentions another issue.
 *
 * Within one tracker, the text is the key, which the tracker turns into a link. Otherwise it is a
 * link, which includes the host if the keys could be confused. An issue without a URL is written as
 * code, because the tracker could link its key to another issue.
 */
export function mention(issue: MentionedIssue, reader: Reader): string {
  if (issue.trackerId === reader.trackerId) return issue.key;
  const url = URL.canParse(issue.url) ? new URL(issue.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return `\`${issue.key}\``;
  const text = couldBeConfused(issue, reader) ? `${issue.key} on ${url.host}` : issue.key;
  return `[${text}](${url.href.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
}
