import { type IssueTarget, type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { withinRepository } from './client.ts';

/**
 * Options of an API call that depend on the issue or repository it concerns: a name for error
 * messages, and a check of redirects.
 */
export type About = Pick<RestCall, 'subject' | 'checkRedirect'>;

/** Returns the options of an API call about an issue. */
export function about(target: IssueTarget): About {
  const subject = `the issue ${target.key}`;
  return { subject, ...withinRepository(target.project.externalId, subject) };
}

/** Returns the options of an API call about a repository. */
export function aboutProject(project: ProviderProject): About {
  const subject = `the repository ${project.identifier}`;
  return { subject, ...withinRepository(project.externalId, subject) };
}

/**
 * Returns the API path of an issue.
 * @throws {TrackerError} `invalid` if the project's identifier is not owner/repository
 */
export function issuePath(target: IssueTarget): string {
  return `${repositoryPath(target.project.identifier)}/issues/${encodeURIComponent(target.externalId)}`;
}

/**
 * Returns the API path of a repository.
 * @throws {TrackerError} `invalid` if the name is not owner/repository
 */
export function repositoryPath(fullName: string): string {
  const [owner = '', repository = '', ...rest] = fullName.split('/');
  const segments = [owner, repository];
  if (rest.length > 0 || segments.some((segment) => !/^[\w.-]+$/.test(segment) || /^\.+$/.test(segment))) {
    throw new TrackerError('invalid', `"${fullName}" is not a repository name. Use owner/repository.`);
  }
  return `/repos/${owner}/${repository}`;
}
