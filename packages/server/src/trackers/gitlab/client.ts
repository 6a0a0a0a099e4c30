import { createRestClient, type RestClient, type RestClientOptions } from '../rest/client.ts';
import { explainAnswer } from './failures.ts';

export type GitLabClientOptions = Omit<RestClientOptions, 'secret' | 'headers' | 'explain'> & {
  token: string;
};

/** A client of GitLab's REST API. */
export function createGitLabClient({ token, ...options }: GitLabClientOptions): RestClient {
  return createRestClient({
    ...options,
    secret: token,
    headers: { accept: 'application/json', 'private-token': token },
    explain: explainAnswer,
  });
}
