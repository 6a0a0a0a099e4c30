import { TRACKER_TYPES, type TrackerType } from '@winnow/contract/tracker';
import { invalid } from '../platform/errors.ts';

/**
 * Normalizes the URL of a tracker of this type. Without a URL or a scheme, uses the default.
 * @throws {AppError} `invalid` if the URL is not valid
 */
export function webAddressOf(type: TrackerType, given: string | undefined): string {
  const text = given || TRACKER_TYPES[type].defaultUrl;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const parsed = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (
    parsed === null ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== ''
  ) {
    throw invalid([{ path: 'url', message: 'Enter a web address such as https://github.com.' }]);
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}

/** True if both URLs have the same scheme, host and port. */
export function sameHost(left: string, right: string): boolean {
  return left === right || (left !== '' && right !== '' && new URL(left).origin === new URL(right).origin);
}
