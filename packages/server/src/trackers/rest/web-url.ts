import { TrackerError } from '../provider.ts';

/**
 * Parses a web address that a user entered. A host name without a scheme means https. `form` is a
 * sentence that describes a valid address.
 * @throws {TrackerError} `invalid` if it is not an http or https URL, or contains credentials
 */
export function webUrlOf(text: string, form: string): URL {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) throw new TrackerError('invalid', `This is not a web address. ${form}`);
  const url = new URL(withScheme);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TrackerError('invalid', `Only http and https addresses can be used. ${form}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TrackerError('invalid', `Leave the user name and password out of the address. ${form}`);
  }
  return url;
}
