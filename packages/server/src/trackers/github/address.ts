import type { RestAddress } from '../rest/client.ts';
import { webUrlOf } from '../rest/web-url.ts';

const ENTERPRISE_PATH = '/api/v3';
const ADDRESS_HINT = 'Enter an address such as https://github.com or https://github.example.com.';

/**
 * Finds the API address for a GitHub URL that a user entered. The URL can be github.com, a
 * subdomain of ghe.com (with a separate API host), or an Enterprise Server (API below `/api/v3`). A
 * host name without a scheme means https.
 * @throws {TrackerError} `invalid` if it is not an http or https URL, or contains credentials
 */
export function gitHubAddress(text: string): RestAddress {
  const url = webUrlOf(text.trim() || 'https://github.com', ADDRESS_HINT);
  const host = url.hostname.replace(/\.$/, '');
  if (host === 'github.com' || host === 'www.github.com' || host === 'api.github.com') {
    return { apiUrl: 'https://api.github.com', host: 'api.github.com', name: 'GitHub' };
  }
  if (host.endsWith('.ghe.com')) {
    const apiHost = host.startsWith('api.') ? host : `api.${host}`;
    return { apiUrl: `https://${apiHost}`, host: apiHost, name: `GitHub at ${host.replace(/^api\./, '')}` };
  }
  const path = url.pathname.replace(/\/+$/, '');
  const apiPath = path.endsWith(ENTERPRISE_PATH) ? path : `${path}${ENTERPRISE_PATH}`;
  return { apiUrl: `${url.origin}${apiPath}`, host: url.host, name: `GitHub at ${url.host}` };
}
