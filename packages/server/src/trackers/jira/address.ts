import { TrackerError } from '../provider.ts';
import type { RestAddress } from '../rest/client.ts';
import { webUrlOf } from '../rest/web-url.ts';

/** Address of a Jira, and whether it is Cloud or Data Center. */
export interface JiraAddress extends RestAddress {
  /**
   * True for Jira Cloud, which uses REST v3 and ADF documents. Data Center uses REST v2 and wiki
   * markup.
   */
  isCloud: boolean;
  /** URL of the site in a browser, without a trailing slash. */
  siteUrl: string;
}

const ADDRESS_HINT = 'Enter an address such as https://acme.atlassian.net or https://jira.example.com.';
/**
 * First path segments of Jira's pages. They are removed from a URL that a user copied from the
 * address bar, to find the base URL of a Data Center.
 */
const PAGE_PATH = /\/(?:browse|projects|secure|rest|issues|login\.jsp|plugins|servicedesk)(?:\/.*)?$/;

/**
 * Finds the API address for a Jira URL that a user entered. The URL of any page within the site is
 * accepted. A host name without a scheme means https.
 *
 * Atlassian's hosts are Cloud. Another host is Cloud if the username is an email address, which
 * Data Center does not use.
 * @throws {TrackerError} `invalid` if it is not an http or https URL, or if the username does not
 * fit the kind of Jira
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
