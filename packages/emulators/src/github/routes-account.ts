import type { Call, Reply, Route } from './call.ts';
import { forbidden, GitHubError, notFound } from './github-error.ts';
import { queryChoice, repoOf } from './lookup.ts';
import { type Account, fullName, type Repo } from './model.ts';
import { page } from './pagination.ts';
import { presentOrg, presentPrivateUser, presentPublicUser, presentSimpleOrg } from './present-account.ts';
import { presentFullRepo, presentRepo } from './present-repo.ts';
import { rateHeaders } from './rate-limit.ts';

function ownedBy(call: Call, owner: Account): Repo[] {
  return call.host.store.repos.filter((repo) => repo.owner === owner);
}

function countPublic(call: Call, owner: Account): number {
  return ownedBy(call, owner).filter((repo) => !repo.isPrivate).length;
}

function account(call: Call, login: string | undefined, kind?: Account['kind']): Account {
  const found = call.host.store.accounts.get((login ?? '').toLowerCase());
  if (!found || (kind && found.kind !== kind)) throw notFound();
  return found;
}

function sorted(call: Call, repos: Repo[], fallback: 'created' | 'full_name'): Repo[] {
  const sort = queryChoice(call, 'sort', ['created', 'updated', 'pushed', 'full_name'], fallback);
  const ascending =
    queryChoice(call, 'direction', ['asc', 'desc'], sort === 'full_name' ? 'asc' : 'desc') === 'asc';
  const sign = ascending ? 1 : -1;
  return repos.toSorted((a, b) => {
    if (sort === 'full_name') return sign * (fullName(a).toLowerCase() < fullName(b).toLowerCase() ? -1 : 1);
    const [x, y] = sort === 'updated' ? [a.updatedMs, b.updatedMs] : [a.createdMs, b.createdMs];
    return sign * (x - y || a.id - b.id);
  });
}

function currentUser(call: Call): Reply {
  const person = call.access.person();
  const publicRepos = countPublic(call, person);
  const sees = ['user', 'read:user'].some((scope) => call.access.scopes.includes(scope));
  if (!sees) return { status: 200, body: presentPublicUser(person, call.links, publicRepos) };
  const privateRepos = ownedBy(call, person).length - publicRepos;
  return { status: 200, body: presentPrivateUser(person, call.links, publicRepos, privateRepos) };
}

/**
 * Lists the caller's organizations. With a fine-grained token, the list is always empty. A classic
 * token needs a scope.
 */
function ownOrgs(call: Call): Reply {
  const person = call.access.person();
  if (call.access.isFineGrained) return page(call, [], () => null);
  if (!['read:org', 'admin:org', 'user'].some((scope) => call.access.scopes.includes(scope))) {
    throw forbidden('You need at least read:org scope or user scope to list your organizations.');
  }
  const orgs = [...call.host.store.accounts.values()].filter(
    (org) => org.kind === 'Organization' && org.members.has(person.login.toLowerCase()),
  );
  return page(call, orgs, (org) => presentSimpleOrg(org, call.links));
}

function affiliationOf(repo: Repo, person: Account): string {
  if (repo.owner === person) return 'owner';
  return repo.owner.members.has(person.login.toLowerCase()) ? 'organization_member' : 'collaborator';
}

function ownRepos(call: Call): Reply {
  const person = call.access.person();
  const { query } = call;
  if (query.has('type') && (query.has('affiliation') || query.has('visibility'))) {
    throw new GitHubError(422, 'If you specify visibility or affiliation, you cannot specify type.');
  }
  const visibility = queryChoice(call, 'visibility', ['all', 'public', 'private'], 'all');
  const affiliations = (query.get('affiliation') ?? 'owner,collaborator,organization_member').split(',');
  const type = queryChoice(call, 'type', ['all', 'owner', 'public', 'private', 'member'], 'all');
  const repos = call.host.store.repos.filter((repo) => {
    if (!call.access.grant(repo) || !call.access.hasRole(repo, 'read')) return false;
    if (visibility !== 'all' && repo.isPrivate !== (visibility === 'private')) return false;
    const affiliation = affiliationOf(repo, person);
    if (!affiliations.includes(affiliation)) return false;
    if (type === 'public' || type === 'private') return repo.isPrivate === (type === 'private');
    return type === 'all' || (type === 'owner') === (affiliation === 'owner');
  });
  return page(call, sorted(call, repos, 'full_name'), (repo) => presentRepo(repo, call.access, call.links));
}

function orgRepos(call: Call): Reply {
  const org = account(call, call.params.org, 'Organization');
  const type = queryChoice(call, 'type', ['all', 'public', 'private', 'forks', 'sources', 'member'], 'all');
  const repos = ownedBy(call, org).filter((repo) => {
    if (!call.access.hasRole(repo, 'read') || type === 'forks') return false;
    return (type !== 'public' && type !== 'private') || repo.isPrivate === (type === 'private');
  });
  return page(call, sorted(call, repos, 'created'), (repo) => presentRepo(repo, call.access, call.links));
}

function userRepos(call: Call): Reply {
  const owner = account(call, call.params.user);
  const repos = ownedBy(call, owner).filter((repo) => !repo.isPrivate);
  return page(call, sorted(call, repos, 'full_name'), (repo) => presentRepo(repo, call.access, call.links));
}

function rateLimit(call: Call): Reply {
  const { limiter } = call.host;
  if (!limiter) throw new GitHubError(404, 'Rate limiting is not enabled.');
  const state = limiter.state(call.access.account?.login ?? '');
  const rate = { limit: state.limit, remaining: state.remaining, reset: state.resetS, used: state.used };
  const resources = { core: rate, search: { limit: 30, remaining: 30, reset: state.resetS, used: 0 } };
  return { status: 200, body: { resources, rate }, headers: rateHeaders(state) };
}

function meta(call: Call): Reply {
  const { enterpriseVersion } = call.host;
  return {
    status: 200,
    body: {
      verifiable_password_authentication: enterpriseVersion !== null,
      ...(enterpriseVersion === null ? {} : { installed_version: enterpriseVersion }),
    },
  };
}

/** Routes for the caller, organizations and repositories, and for the host's metadata. */
export const accountRoutes: Route[] = [
  { method: 'GET', path: '/user', scopes: '', handle: currentUser },
  {
    method: 'GET',
    path: '/user/orgs',
    scopes: 'admin:org, read:org, repo, user, write:org',
    handle: ownOrgs,
  },
  { method: 'GET', path: '/user/repos', scopes: '', permission: 'metadata=read', handle: ownRepos },
  {
    method: 'GET',
    path: '/orgs/:org',
    handle: (call) => {
      const org = account(call, call.params.org, 'Organization');
      return { status: 200, body: presentOrg(org, call.links, countPublic(call, org)) };
    },
  },
  { method: 'GET', path: '/orgs/:org/repos', permission: 'metadata=read', handle: orgRepos },
  {
    method: 'GET',
    path: '/users/:user',
    handle: (call) => {
      const user = account(call, call.params.user);
      return { status: 200, body: presentPublicUser(user, call.links, countPublic(call, user)) };
    },
  },
  { method: 'GET', path: '/users/:user/repos', permission: 'metadata=read', handle: userRepos },
  {
    method: 'GET',
    path: '/repos/:owner/:repo',
    scopes: 'repo',
    permission: 'metadata=read',
    handle: (call) => ({ status: 200, body: presentFullRepo(repoOf(call), call.access, call.links) }),
  },
  { method: 'GET', path: '/rate_limit', handle: rateLimit },
  { method: 'GET', path: '/meta', handle: meta },
];
