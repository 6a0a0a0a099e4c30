import { createRestClient, type RestClient, type RestParts } from '../rest/client.ts';
import type { JiraAddress } from './address.ts';
import { explainLogin, explainResponse, signInPage } from './failures.ts';

export type JiraClientOptions = Omit<RestParts, 'address'> & {
  address: JiraAddress;
  username: string | null;
  token: string;
};

/**
 * Creates a client of Jira's REST API. The credentials are an email address or username with a
 * token, or a personal access token alone.
 */
export function createJiraClient({ username, token, ...options }: JiraClientOptions): RestClient {
  const name = (username ?? '').trim();
  const basic = Buffer.from(`${name}:${token}`).toString('base64');
  return createRestClient({
    ...options,
    fetch: rejectSignInPages(options.fetch, options.address.name),
    secret: token,
    headers: {
      accept: 'application/json',
      authorization: name === '' ? `Bearer ${token}` : `Basic ${basic}`,
    },
    explain: explainResponse,
  });
}

/**
 * Wraps `fetch`. Throws if Jira returns a sign-in page, a redirect to one, or a response for an
 * anonymous user. Jira does not report these cases as errors.
 */
function rejectSignInPages(send: typeof fetch, name: string): typeof fetch {
  return async (input, init) => {
    const answer = await send(input, init);
    const location = answer.headers.get('location') ?? '';
    const isPage = answer.ok && /^text\/html/i.test(answer.headers.get('content-type') ?? '');
    const leadsToLogin =
      answer.status >= 300 && answer.status < 400 && /login|signin|sign-in|sso|saml|auth/i.test(location);
    const problem =
      isPage || leadsToLogin ? signInPage(name) : answer.ok ? explainLogin(answer.headers, name) : null;
    if (problem === null) return answer;
    await answer.body?.cancel();
    throw problem;
  };
}
