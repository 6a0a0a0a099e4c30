import { TrackerError } from '../provider.ts';

/**
 * The web address a person entered, as a URL; a bare host name means https. `form` says what an address looks like.
 * @throws {TrackerError} `invalid` when the text is no http or https address, or holds a user name or password.
 */
export function webUrlOf(text: string, form: string): URL {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) throw new TrackerError('invalid', `This is no web address. ${form}`);
  const url = new URL(withScheme);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TrackerError('invalid', `Only http and https addresses can be used. ${form}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TrackerError('invalid', `Leave the user name and password out of the address. ${form}`);
  }
  return url;
}
