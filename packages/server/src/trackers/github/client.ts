import { TrackerError } from '../provider.ts';
import { createRestClient, type RestCall, type RestClient, type RestParts } from '../rest/client.ts';
import { wholeNumber } from '../rest/read.ts';
import { explainResponse } from './failures.ts';

const API_VERSION = '2022-11-28';

export type GitHubClientOptions = RestParts & { token: string };

/** Creates a client of GitHub's REST API. */
export function createGitHubClient({ token, ...options }: GitHubClientOptions): RestClient {
  return createRestClient({
    ...options,
    secret: token,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': API_VERSION,
    },
    explain: explainResponse,
    hourlyLimitOf: (headers) => wholeNumber(headers.get('x-ratelimit-limit')),
    unchangedIsFree: true,
  });
}

/** Follows the redirect of a renamed repository. Refuses a redirect to a different repository. */
export function withinRepository(repositoryId: string, subject: string): Pick<RestCall, 'checkRedirect'> {
  return {
    checkRedirect({ pathname }) {
      const other = /\/repositories\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
      if (other === undefined || other === repositoryId) return;
      throw new TrackerError('not_found', `GitHub has moved ${subject} to another repository.`);
    },
  };
}
