import {
  badCredentials,
  forbidden,
  notAccessibleByToken,
  notFound,
  requiresAuthentication,
} from './github-error.ts';
import { type Account, fullName, type Repo } from './model.ts';
import type { GitHubPermission, GitHubSeedRepoGrant, GitHubSeedToken } from './seed.ts';
import type { Store } from './store.ts';

const ranks: Record<GitHubPermission | 'none', number> = { none: 0, read: 1, triage: 2, write: 3, admin: 4 };

/**
 * The caller of a request, with the permissions of the token. Anonymous callers can read public
 * data.
 */
export class Access {
  readonly token: GitHubSeedToken | null;
  readonly account: Account | null;

  constructor(token: GitHubSeedToken | null, account: Account | null) {
    this.token = token;
    this.account = account;
  }

  get isFineGrained(): boolean {
    return this.token?.token.startsWith('github_pat_') ?? false;
  }

  /** OAuth scopes of a classic token. Empty for a fine-grained token and for anonymous callers. */
  get scopes(): readonly string[] {
    if (!this.token || this.isFineGrained) return [];
    return this.token.scopes ?? ['repo', 'read:org'];
  }

  /**
   * Returns the account of the caller.
   * @throws {GitHubError} 401 if the caller is anonymous
   */
  person(): Account {
    if (!this.account) throw requiresAuthentication();
    return this.account;
  }

  /** Returns the token's permissions on a repository. Null if the token has none. */
  grant(repo: Repo): GitHubSeedRepoGrant | null {
    if (!this.token) return null;
    const { repos } = this.token;
    const name = fullName(repo);
    if (repos === undefined || repos === 'all')
      return { full_name: name, permission: 'admin', hooks: 'write' };
    return repos.find((entry) => entry.full_name.toLowerCase() === name.toLowerCase()) ?? null;
  }

  /** Returns the caller's role on a repository. Returns `none` if the caller cannot see it. */
  role(repo: Repo): GitHubPermission | 'none' {
    const grant = this.grant(repo);
    const needsScope = repo.isPrivate && !this.isFineGrained && !this.scopes.includes('repo');
    if (grant && !needsScope) return grant.permission;
    return repo.isPrivate ? 'none' : 'read';
  }

  hasRole(repo: Repo, least: GitHubPermission): boolean {
    return ranks[this.role(repo)] >= ranks[least];
  }

  /**
   * Checks that the caller can see the repository.
   * @throws {GitHubError} 404 if the caller cannot see it
   */
  requireVisible(repo: Repo): void {
    if (this.role(repo) === 'none') throw notFound();
  }

  /**
   * Checks that the token may read issues of the repository.
   * @throws {GitHubError} 403 if the repository is private and a fine-grained token has no access
   * to its issues
   */
  requireIssuesRead(repo: Repo): void {
    if (repo.isPrivate && this.isFineGrained && this.grant(repo)?.issues === 'none')
      throw notAccessibleByToken();
  }

  /**
   * Checks that the token may write issues, and returns the caller. Does not check the role of the
   * user.
   * @throws {GitHubError} 401 without a token; 404 for a classic token without the scope. 403 for a
   * fine-grained token without the permission, and for an archived repository.
   */
  requireIssuesWrite(repo: Repo): Account {
    const person = this.person();
    if (this.isFineGrained) {
      const grant = this.grant(repo);
      const level = grant?.issues ?? (grant && grant.permission !== 'read' ? 'write' : 'read');
      if (level !== 'write') throw notAccessibleByToken();
    } else if (!this.scopes.includes('repo') && !(this.scopes.includes('public_repo') && !repo.isPrivate)) {
      throw notFound();
    }
    if (repo.archived) throw forbidden('Repository was archived so is read-only.');
    return person;
  }
}

/**
 * Returns the caller of a request. Parses its `Authorization` header (`Bearer x` or `token x`).
 *
 * @throws {GitHubError} 401 for an unknown token
 */
export function authenticate(store: Store, header: string | undefined): Access {
  if (header === undefined) return new Access(null, null);
  const secret = /^(?:bearer|token)\s+(\S+)$/i.exec(header.trim())?.[1];
  const token = secret === undefined ? undefined : store.tokens.get(secret);
  if (!token) throw badCredentials();
  return new Access(token, store.account(token.login));
}
