/** An address in a text, which Jira makes a link of itself: no sign in it is markup. What ends a sentence is no part of it. */
export const BARE_ADDRESS =
  /((?<![\p{L}\p{N}[|!])(?:https?|ftp):\/\/(?:[^\s[\]{}|\\<>"!*&]|&(?!#))*[^\s[\]{}|\\<>"!*&.,;:?')(_+^~-])/u;

const ATTACHMENT = 'attachment:';

/** The name of a file of the issue that an image's address stands for; null for another address. */
export function fileOf(url: string): string | null {
  const name = url.startsWith(ATTACHMENT) ? url.slice(ATTACHMENT.length) : '';
  return /^[^\s!|]([^!|\n]*\.[^!|\n]+)$/.test(name) ? name : null;
}

/** The address of an image: that of the web, or a file of the issue. */
export function imageAddress(source: string): string {
  return /^https?:/.test(source) ? source : `${ATTACHMENT}${source}`;
}

/** A sign for a regular expression, where many are special. */
export function inHex(sign: string): string {
  return `\\x${sign.charCodeAt(0).toString(16)}`;
}
