import type { RestAddress } from '../rest/client.ts';
import { webUrlOf } from '../rest/web-url.ts';

const API_PATH = '/api/v4';
const ADDRESS_HINT = 'Enter an address such as https://gitlab.com or https://gitlab.example.com.';

/**
 * Finds the API address for a GitLab URL that a user entered. The URL may include a path. A host
 * name without a scheme means https.
 * @throws {TrackerError} `invalid` if it is not an http or https URL, or contains credentials
 */
export function gitLabAddress(text: string): RestAddress {
  const url = webUrlOf(text.trim() || 'https://gitlab.com', ADDRESS_HINT);
  const host = url.hostname.replace(/\.$/, '');
  if (host === 'gitlab.com' || host === 'www.gitlab.com') {
    return { apiUrl: `https://gitlab.com${API_PATH}`, host: 'gitlab.com', name: 'GitLab' };
  }
  const path = url.pathname.replace(/\/+$/, '');
  const apiPath = path.endsWith(API_PATH) ? path : `${path}${API_PATH}`;
  return { apiUrl: `${url.origin}${apiPath}`, host: url.host, name: `GitLab at ${url.host}` };
}
