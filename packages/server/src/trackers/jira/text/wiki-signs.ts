/**
 * A bare URL, which Jira links itself: no sign in it is markup. Punctuation at the end is
 * excluded.
 */
export const BARE_ADDRESS =
  /((?<![\p{L}\p{N}[|!])(?:https?|ftp):\/\/(?:[^\s[\]{}|\\<>"!*&]|&(?!#))*[^\s[\]{}|\\<>"!*&.,;:?')(_+^~-])/u;

const ATTACHMENT = 'attachment:';

/** Returns the attachment name that an image URL refers to, or null for other URLs. */
export function fileOf(url: string): string | null {
  const name = url.startsWith(ATTACHMENT) ? url.slice(ATTACHMENT.length) : '';
  return /^[^\s!|]([^!|\n]*\.[^!|\n]+)$/.test(name) ? name : null;
}

/** Returns the URL of an image: a web URL or an attachment of the issue. */
export function imageAddress(source: string): string {
  return /^https?:/.test(source) ? source : `${ATTACHMENT}${source}`;
}

/** Encodes a sign for a regular expression, where many are special. */
export function inHex(sign: string): string {
  return `\\x${sign.charCodeAt(0).toString(16)}`;
}
