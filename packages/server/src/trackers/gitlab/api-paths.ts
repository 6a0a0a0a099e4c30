import { type IssueTarget, type ProviderProject, TrackerError } from '../provider.ts';

/** Kinds of items, with the names that API URLs use. */
export type ItemKind = 'issues' | 'merge_requests';

/**
 * Parses an external id: `12` for an issue, `!12` for a merge request. The sign is needed because
 * issues and merge requests are numbered separately.
 * @throws {TrackerError} `invalid` for any other text
 */
export function itemOf(externalId: string): { kind: ItemKind; iid: string } {
  const [, sign, iid] = /^(!?)(\d+)$/.exec(externalId) ?? [];
  if (iid === undefined) throw new TrackerError('invalid', `"${externalId}" is not a GitLab issue.`);
  return { kind: sign === '!' ? 'merge_requests' : 'issues', iid };
}

export function isMergeRequest({ externalId }: IssueTarget): boolean {
  return externalId.startsWith('!');
}

/**
 * Returns the API path of a project. It contains the project's id, not its name: after a rename or
 * move, GitLab redirects reads by name, but not writes.
 * @throws {TrackerError} `invalid` if the id is not a number
 */
export function projectPath({ externalId, identifier }: ProviderProject): string {
  if (!/^\d+$/.test(externalId))
    throw new TrackerError('invalid', `"${identifier}" is not a GitLab project.`);
  return `/projects/${externalId}`;
}

export function itemPath(target: IssueTarget): string {
  const { kind, iid } = itemOf(target.externalId);
  return `${projectPath(target.project)}/${kind}/${iid}`;
}

/** Formats an issue key: `group/project#12`, or `group/project!12` for a merge request. */
export function issueKey({ identifier }: ProviderProject, externalId: string): string {
  return `${identifier}${externalId.startsWith('!') ? '' : '#'}${externalId}`;
}

/** Returns the name of an issue or merge request for error messages. */
export function about(target: IssueTarget): { subject: string } {
  return { subject: `${isMergeRequest(target) ? 'the merge request' : 'the issue'} ${target.key}` };
}

export function aboutProject({ identifier }: ProviderProject): { subject: string } {
  return { subject: `the project ${identifier}` };
}
