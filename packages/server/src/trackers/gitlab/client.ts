import { createRestClient, type RestClient, type RestParts } from '../rest/client.ts';
import { wholeNumber } from '../rest/read.ts';
import { explainResponse } from './failures.ts';

export type GitLabClientOptions = RestParts & { token: string };

/** Creates a client of GitLab's REST API. */
export function createGitLabClient({ token, ...options }: GitLabClientOptions): RestClient {
  return createRestClient({
    ...options,
    secret: token,
    headers: { accept: 'application/json', 'private-token': token },
    explain: explainResponse,
    hourlyLimitOf: (headers) => {
      const aMinute = wholeNumber(headers.get('ratelimit-limit'));
      return aMinute === null ? null : aMinute * 60;
    },
  });
}
