import { type IssueTarget, type ProviderProject, TrackerError } from '../provider.ts';

/** The two kinds of item, as addresses call them. */
export type ItemKind = 'issues' | 'merge_requests';

/**
 * How items are told apart: an issue by its number in the project (`12`), a merge request by its own with GitLab's sign
 * (`!12`), because the two are counted apart.
 * @throws {TrackerError} `invalid` when the id is neither.
 */
export function itemOf(externalId: string): { kind: ItemKind; iid: string } {
  const [, sign, iid] = /^(!?)(\d+)$/.exec(externalId) ?? [];
  if (iid === undefined) throw new TrackerError('invalid', `"${externalId}" is no issue of GitLab.`);
  return { kind: sign === '!' ? 'merge_requests' : 'issues', iid };
}

export function isMergeRequest({ externalId }: IssueTarget): boolean {
  return externalId.startsWith('!');
}

/**
 * Where a project is, by its id: that stays when the project is renamed or moved, and GitLab redirects reading alone.
 * @throws {TrackerError} `invalid` when the id is none.
 */
export function projectPath({ externalId, identifier }: ProviderProject): string {
  if (!/^\d+$/.test(externalId))
    throw new TrackerError('invalid', `"${identifier}" is no project of GitLab.`);
  return `/projects/${externalId}`;
}

export function itemPath(target: IssueTarget): string {
  const { kind, iid } = itemOf(target.externalId);
  return `${projectPath(target.project)}/${kind}/${iid}`;
}

/** `group/project#12`, or `group/project!12` for a merge request. */
export function keyOf({ identifier }: ProviderProject, externalId: string): string {
  return `${identifier}${externalId.startsWith('!') ? '' : '#'}${externalId}`;
}

/** What a sentence about a call speaks of. */
export function about(target: IssueTarget): { subject: string } {
  return { subject: `${isMergeRequest(target) ? 'the merge request' : 'the issue'} ${target.key}` };
}

export function aboutProject({ identifier }: ProviderProject): { subject: string } {
  return { subject: `the project ${identifier}` };
}
