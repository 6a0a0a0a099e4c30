import { TrackerError } from '../provider.ts';
import type { RestAddress } from '../rest/client.ts';
import { webUrlOf } from '../rest/web-url.ts';

/** Where a Jira is, and which of the two kinds it is. */
export interface JiraAddress extends RestAddress {
  /** Cloud speaks REST v3 and documents; Data Center REST v2 and wiki markup. */
  isCloud: boolean;
  /** What a person sees in the browser, without a slash at the end. */
  siteUrl: string;
}

const FORM = 'Enter an address such as https://acme.atlassian.net or https://jira.example.com.';
/** What may follow the address of a Data Center in the address bar. */
const PAGE = /\/(?:browse|projects|secure|rest|issues|login\.jsp|plugins|servicedesk)(?:\/.*)?$/;

/**
 * Finds the API of the Jira a person named by its web address. Atlassian's own hosts are Cloud; another is when an e-mail
 * address goes with the token, which Data Center does not use. A bare host name means https, and the address of a page below
 * the site will do.
 * @throws {TrackerError} `invalid` when the text is no http or https address, or the user name does not fit the host.
 */
export function jiraAddress(text: string, username: string | null): JiraAddress {
  const url = webUrlOf(text.trim(), FORM);
  const { hostname } = url;
  if (hostname === 'api.atlassian.com' || hostname === 'id.atlassian.com') {
    throw new TrackerError('invalid', `Enter the address of your site, such as https://acme.atlassian.net.`);
  }
  const isAtlassian = /\.(?:atlassian\.net|jira\.com)$/.test(hostname);
  const name = (username ?? '').trim();
  if (isAtlassian && !name.includes('@')) {
    throw new TrackerError(
      'invalid',
      'Jira Cloud wants the e-mail address of the token’s owner beside the token.',
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
  const siteUrl = `${url.origin}${url.pathname.replace(PAGE, '').replace(/\/+$/, '')}`;
  return {
    apiUrl: `${siteUrl}/rest/api/2`,
    siteUrl,
    host: url.host,
    name: `Jira at ${url.host}`,
    isCloud: false,
  };
}
