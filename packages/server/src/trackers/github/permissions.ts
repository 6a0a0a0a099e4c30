import type { WireRepository } from './map.ts';

const ANY_REPOSITORY = ['repo', 'public_repo'];
const READ_ORGANIZATIONS = ['read:org', 'write:org', 'admin:org'];
const MAY_CLOSE_ISSUES = ['triage', 'push', 'maintain', 'admin'];

/**
 * Returns the scopes that a classic token lacks, according to the response header `X-OAuth-Scopes`.
 * Accepts `public_repo` instead of `repo`, because a user may work with public repositories only.
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
 * Returns the permissions that a fine-grained token is known to lack. Such a token has no scopes,
 * so this looks at one page of its repositories.
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
