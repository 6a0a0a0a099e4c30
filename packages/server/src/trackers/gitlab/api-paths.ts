import { type IssueTarget, type ProviderProject, TrackerError } from '../provider.ts';

/** The two kinds of items, as named in API URLs. */
export type ItemKind = 'issues' | 'merge_requests';

/**
 * Parses an external id: a number for an issue (`12`), or one with GitLab's sign for a merge
 * request (`!12`), because the two are numbered separately.
 * @throws {TrackerError} `invalid` if it is neither
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
 * Returns the API path of a project, by id. The id survives renames and moves, for which GitLab
 * redirects only reads.
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

/** Formats a key: `group/project#12`, or `group/project!12` for a merge request. */
export function issueKey({ identifier }: ProviderProject, externalId: string): string {
  return `${identifier}${externalId.startsWith('!') ? '' : '#'}${externalId}`;
}

/** Returns the subject for messages about a call. */
export function about(target: IssueTarget): { subject: string } {
  return { subject: `${isMergeRequest(target) ? 'the merge request' : 'the issue'} ${target.key}` };
}

export function aboutProject({ identifier }: ProviderProject): { subject: string } {
  return { subject: `the project ${identifier}` };
}
