import { TrackerError } from '../provider.ts';
import type { RestAddress } from '../rest/client.ts';
import { webUrlOf } from '../rest/web-url.ts';

/** Location of a Jira, and its deployment type. */
export interface JiraAddress extends RestAddress {
  /** Cloud uses REST v3 and ADF documents; Data Center uses REST v2 and wiki markup. */
  isCloud: boolean;
  /** URL of the site in the browser, without a trailing slash. */
  siteUrl: string;
}

const ADDRESS_HINT = 'Enter an address such as https://acme.atlassian.net or https://jira.example.com.';
/** Page paths that may follow a Data Center's base URL in the address bar. */
const PAGE_PATH = /\/(?:browse|projects|secure|rest|issues|login\.jsp|plugins|servicedesk)(?:\/.*)?$/;

/**
 * Finds the API of a Jira from a URL entered by a user. Atlassian's hosts are Cloud. Other hosts
 * are Cloud if the username is an email address, which Data Center does not use.
 * A bare host name means https, and the URL of a page within the site is accepted.
 * @throws {TrackerError} `invalid` if it is not an http or https URL, or the username does not
 * match the host
 */
export function jiraAddress(text: string, username: string | null): JiraAddress {
  const url = webUrlOf(text.trim(), ADDRESS_HINT);
  const { hostname } = url;
  if (hostname === 'api.atlassian.com' || hostname === 'id.atlassian.com') {
    throw new TrackerError('invalid', `Enter the address of your site, such as https://acme.atlassian.net.`);
  }
  const isAtlassian = /\.(?:atlassian\.net|jira\.com)$/.test(hostname);
  const name = (username ?? '').trim();
  if (isAtlassian && !name.includes('@')) {
    throw new TrackerError(
      'invalid',
      'Jira Cloud needs the email address of the token’s owner in addition to the token.',
    );
  }
  if (isAtlassian || name.includes('@')) {
    const siteUrl = url.origin;
    return {
      apiUrl: `${siteUrl}/rest/api/3`,
      siteUrl,
      host: url.host,
      name: `Jira at ${url.host}`,
      isCloud: true,
    };
  }
  const siteUrl = `${url.origin}${url.pathname.replace(PAGE_PATH, '').replace(/\/+$/, '')}`;
  return {
    apiUrl: `${siteUrl}/rest/api/2`,
    siteUrl,
    host: url.host,
    name: `Jira at ${url.host}`,
    isCloud: false,
  };
}
