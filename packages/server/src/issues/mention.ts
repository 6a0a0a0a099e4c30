/** An issue as mentioned in a text about another one. */
export interface MentionedIssue {
  key: string;
  url: string;
  trackerId: string;
  /** Name and type of its tracker. */
  trackerLabel: string;
}

/** The issue in whose text another one is mentioned. */
type Reader = Pick<MentionedIssue, 'key' | 'trackerId'>;

const ENDING_ISSUE_NUMBER = /[#!-]\d+$/;

/** True if two issues of different trackers have keys with the same project, as in a mirror. */
export function couldBeConfused(one: Reader, other: Reader): boolean {
  const projectOf = ({ key }: Reader) => key.replace(ENDING_ISSUE_NUMBER, '').toLowerCase();
  return one.trackerId !== other.trackerId && projectOf(one) === projectOf(other);
}

/**
 * Names an issue in a sentence that also names `other`: by its key, plus its tracker if the two
 * could be confused.
 */
export function keyBeside(issue: MentionedIssue, other: Reader): string {
  return couldBeConfused(issue, other) ? `${issue.key} in ${issue.trackerLabel}` : issue.key;
}

/**
 * Returns the text that mentions an issue in a text of `reader`. In the same tracker this is the
 * key, which the tracker links. Otherwise it is a link, with the host if the keys could be
 * confused. An issue without a URL is written as code. Otherwise the tracker could link another
 * issue with the same key.
 */
export function mention(issue: MentionedIssue, reader: Reader): string {
  if (issue.trackerId === reader.trackerId) return issue.key;
  const url = URL.canParse(issue.url) ? new URL(issue.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return `\`${issue.key}\``;
  const text = couldBeConfused(issue, reader) ? `${issue.key} on ${url.host}` : issue.key;
  return `[${text}](${url.href.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
}
