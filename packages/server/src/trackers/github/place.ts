import { type IssueTarget, type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { withinRepository } from './client.ts';

/** What a call is about, for its sentences and for what it may be redirected to. */
export type About = Pick<RestCall, 'subject' | 'checkRedirect'>;

/** A call about an issue. */
export function about(target: IssueTarget): About {
  const subject = `the issue ${target.key}`;
  return { subject, ...withinRepository(target.project.externalId, subject) };
}

/** A call about a repository. */
export function aboutProject(project: ProviderProject): About {
  const subject = `the repository ${project.identifier}`;
  return { subject, ...withinRepository(project.externalId, subject) };
}

/** Where an issue is below the API's address. @throws {TrackerError} `invalid` as {@link repositoryPath} does. */
export function issuePath(target: IssueTarget): string {
  return `${repositoryPath(target.project.identifier)}/issues/${encodeURIComponent(target.externalId)}`;
}

/** Where a repository is below the API's address. @throws {TrackerError} `invalid` when it is not named owner/repository. */
export function repositoryPath(fullName: string): string {
  const [owner = '', repository = '', ...rest] = fullName.split('/');
  const segments = [owner, repository];
  if (rest.length > 0 || segments.some((segment) => !/^[\w.-]+$/.test(segment) || /^\.+$/.test(segment))) {
    throw new TrackerError('invalid', `"${fullName}" is no repository. It is named owner/repository.`);
  }
  return `/repos/${owner}/${repository}`;
}
