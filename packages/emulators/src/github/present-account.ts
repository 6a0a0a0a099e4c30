import { isoSeconds } from '../http/clock.ts';
import type { Account } from './model.ts';

/** Base URLs of the links in a response: of the API, and of the web pages. */
export interface Links {
  /** URL of the API without a trailing slash. It ends with `/api/v3` if the request did. */
  api: string;
  html: string;
}

/** Returns an id in the format of GitHub's GraphQL ids. For example, `I_kwDO…` is an issue. */
export function nodeId(prefix: string, id: number): string {
  return `${prefix}_kwDO${Buffer.from(String(id)).toString('base64url')}`;
}

type SimpleUser = ReturnType<typeof simpleUser>;

/**
 * Cache of presented users by account and base URL. A page of 100 issues contains the same few
 * users 200 times.
 */
const simpleUsers = new WeakMap<Account, Map<string, SimpleUser>>();

/** Presents a user like GitHub's `simple-user`, the format of users inside other objects. */
export function presentSimpleUser(account: Account, links: Links): SimpleUser {
  let shown = simpleUsers.get(account);
  if (!shown) {
    shown = new Map();
    simpleUsers.set(account, shown);
  }
  const known = shown.get(links.api);
  if (known) return known;
  const made = simpleUser(account, links);
  shown.set(links.api, made);
  return made;
}

function simpleUser(account: Account, { api, html }: Links) {
  const url = `${api}/users/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.kind === 'User' ? 'U' : 'O', account.id),
    avatar_url: `${html}/avatars/${account.id}`,
    gravatar_id: '',
    url,
    html_url: `${html}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.kind,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** Presents the public profile of a user. */
export function presentPublicUser(account: Account, links: Links, publicRepos: number) {
  return {
    ...presentSimpleUser(account, links),
    name: account.name,
    company: null,
    blog: '',
    location: null,
    email: account.email,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: publicRepos,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: isoSeconds(account.createdMs),
    updated_at: isoSeconds(account.createdMs),
  };
}

/** Presents the caller's profile for a token with the scope `user`. */
export function presentPrivateUser(
  account: Account,
  links: Links,
  publicRepos: number,
  privateRepos: number,
) {
  return {
    ...presentPublicUser(account, links, publicRepos),
    user_view_type: 'private',
    private_gists: 0,
    total_private_repos: privateRepos,
    owned_private_repos: privateRepos,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
  };
}

/** Presents an organization in the short format of lists. */
export function presentSimpleOrg(org: Account, { api, html }: Links) {
  const url = `${api}/orgs/${org.login}`;
  return {
    login: org.login,
    id: org.id,
    node_id: nodeId('O', org.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${html}/avatars/${org.id}`,
    description: org.description,
  };
}

/** Presents an organization in the full format of a request by name. */
export function presentOrg(org: Account, links: Links, publicRepos: number) {
  return {
    ...presentSimpleOrg(org, links),
    name: org.name ?? org.login,
    is_verified: false,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: publicRepos,
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: `${links.html}/${org.login}`,
    created_at: isoSeconds(org.createdMs),
    updated_at: isoSeconds(org.createdMs),
    archived_at: null,
    type: 'Organization',
  };
}
