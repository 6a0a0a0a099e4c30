import type { WireRepository } from './map.ts';

const ANY_REPOSITORY = ['repo', 'public_repo'];
const READ_ORGANIZATIONS = ['read:org', 'write:org', 'admin:org'];
const MAY_CLOSE_ISSUES = ['triage', 'push', 'maintain', 'admin'];

/**
 * Returns the scopes a classic token lacks, from the `X-OAuth-Scopes` header of any response.
 * `public_repo` is accepted for `repo`, since public repositories are enough to work with.
 */
export function missingScopes(header: string): string[] {
  const scopes = header.split(',').map((scope) => scope.trim());
  const has = (accepted: string[]) => scopes.some((scope) => accepted.includes(scope));
  return [
    ...(has(ANY_REPOSITORY) ? [] : ['repo (read and write issues)']),
    ...(has(READ_ORGANIZATIONS) ? [] : ['read:org (list your organizations)']),
  ];
}

/**
 * Returns known missing permissions of a fine-grained token, which has no scopes, from a page of
 * its repositories.
 */
export function missingRoles(repositories: readonly WireRepository[]): string[] {
  if (repositories.length === 0) return ['Repository access'];
  const known = repositories.filter(({ permissions }) => permissions);
  if (known.length === 0) return [];
  const mayWrite = known.some(({ permissions }) =>
    MAY_CLOSE_ISSUES.some((role) => permissions?.[role] === true),
  );
  return mayWrite ? [] : ['Issues: write'];
}
