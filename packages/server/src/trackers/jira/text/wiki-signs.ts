/**
 * A bare URL without punctuation at its end. Jira links it automatically, so no character of it is
 * markup.
 */
export const BARE_ADDRESS =
  /((?<![\p{L}\p{N}[|!])(?:https?|ftp):\/\/(?:[^\s[\]{}|\\<>"!*&]|&(?!#))*[^\s[\]{}|\\<>"!*&.,;:?')(_+^~-])/u;

const ATTACHMENT = 'attachment:';

/**
 * Returns the file name of the attachment that an image URL refers to. Returns null for other URLs.
 */
export function fileOf(url: string): string | null {
  const name = url.startsWith(ATTACHMENT) ? url.slice(ATTACHMENT.length) : '';
  return /^[^\s!|]([^!|\n]*\.[^!|\n]+)$/.test(name) ? name : null;
}

/**
 * Returns the URL for the source of an image in wiki markup. That is the source itself if it is a
 * web URL, else a URL for the attachment with that name.
 */
export function imageAddress(source: string): string {
  return /^https?:/.test(source) ? source : `${ATTACHMENT}${source}`;
}

/**
 * Encodes a character for use in a regular expression, in which it might have a special meaning.
 */
export function inHex(sign: string): string {
  return `\\x${sign.charCodeAt(0).toString(16)}`;
}
